"""Cutting provinces in two, and the boards that changes in play lead to."""
