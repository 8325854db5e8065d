"""Hosting: what happens to a game people play over days, as pure functions of values; no clock, file or network."""
