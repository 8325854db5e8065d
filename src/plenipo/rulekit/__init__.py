"""Reusable rule modules, one idea a file; a variant names them, they never name a variant."""
