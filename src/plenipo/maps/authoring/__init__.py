"""Compilation of an author's map and the base land to a figure."""
