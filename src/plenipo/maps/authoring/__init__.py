"""From what the author of a map writes, and the base land, to a compiled figure."""
