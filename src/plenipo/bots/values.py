"""The columns that the evaluation counts for each power, with their values: centres to be expected two years later.

`scripts/expectation.py` fits such numbers to games, and finds nearly the same on all boards. These are of 60 games on
the standard board between players who considered much less what they reach and hold. Fits of their own games fear a
fifth more, and players that use those do worse, as do players that fear less (`docs/players.md`). Reaching centres that
others hold with more units comes with losing centres and does not cause it: it is not counted. Three values are not
fitted: "stood in", centres taken in playouts, and centres reached of powers that order nothing. With these, strong
players eliminate such a power sooner.

Compiled code receives the numbers as an array, so that other numbers need no compilation.
"""

__all__ = ["COUNTED"]

COUNTED = {
    "centres": 4096,  # owned; this many parts are one centre
    "stood in": 2458,  # less those of its own in which others stand
    "alive": 2688,  # once for a power that is not out
    "units more": 1247,  # than centres
    "reached, as many": 448,  # centres of others it could step into, by how many units of usual weight it has there
    "reached, more": 1113,  # more than the strongest of the others
    "still, as many": 1000,  # the same for powers that order nothing
    "still, more": 1700,
    "held, fewer": -2265,  # centres of its own that others could step into, likewise
    "held, as many": -1738,
    "held, one more": -1379,
    "held, two more": -1060,
    "taken": -800,  # in playouts, from powers with orders, less those lost so; counts if a power orders nothing
    "still, taken": 1200,  # in playouts, from powers without orders, for others would be there first
}
"""The columns of `Sketch.counts`, and what each counts."""
