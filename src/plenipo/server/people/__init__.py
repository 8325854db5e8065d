"""People: who somebody is, in which browsers, and how he comes back."""
