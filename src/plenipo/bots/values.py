"""What the evaluation counts for each power, and how much each thing counts: centres it may expect two years later.

`scripts/expectation.py` fits such numbers to games, and finds nearly the same on all boards. These are of 60 games on
the standard board between players who thought of what they reach and hold much less. Fits of their own games fear a
fifth more, and whoever plays by them does worse, as does who fears less (`docs/players.md`). That somebody reaches what
others hold by more units comes with losing centres and does not cause it: it is not counted. What is stood in is not
fitted, nor what is taken in playing out and what is reached of those who order nothing: with these, strong players put
such a power out the sooner.

Compiled code is handed the numbers as an array, so that others compile nothing anew.
"""

__all__ = ["COUNTED"]

COUNTED = {
    "centres": 4096,  # owned; this many parts are one centre
    "stood in": 2458,  # less those of its own in which others stand
    "alive": 2688,  # once for a power that is not out
    "units more": 1247,  # than centres
    "reached, as many": 448,  # centres of others it could step into, by how many units of usual weight it has there
    "reached, more": 1113,  # more than the strongest of the others
    "still, as many": 1000,  # the same of those who order nothing
    "still, more": 1700,
    "held, fewer": -2265,  # centres of its own that others could step into, likewise
    "held, as many": -1738,
    "held, one more": -1379,
    "held, two more": -1060,
    "taken": -800,  # in playing out, from those who order, less those lost so; counts where somebody orders nothing
    "still, taken": 1200,  # in playing out, from those who order nothing, for others would be there first
}
"""The columns of `Sketch.counts`, and what each counts."""
