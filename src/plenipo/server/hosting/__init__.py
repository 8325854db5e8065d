"""Hosting: the rules of games played over days, as pure functions of values, without clock, files or network."""
