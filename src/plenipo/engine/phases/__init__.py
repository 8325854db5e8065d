"""Deciding phases: movement, retreats, adjustments, ownership and victory, and the step from one to the next."""
