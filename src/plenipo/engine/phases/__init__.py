"""Phases: legal orders, the adjudication of movement, retreats and adjustments, and the step to the next phase."""
