"""People: their identity, their sessions, and their ways to sign in."""
