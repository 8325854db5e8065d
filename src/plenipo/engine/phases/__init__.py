"""Phases: what may be ordered in them, how movement, retreats and adjustments end, and the step to the next."""
