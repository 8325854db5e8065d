"""The rules: pure functions over immutable values, with the standard library only."""
