"""The fast second implementation: arrays and compiled code that judge thousands of games at once.

`plenipo.engine` explains, this counts. Both give the same results for the same reasons, and are compared on random
play, on the DATC and on the cases of every variant. Rules that are no tables are refused by name. Needs Numba.
"""

from importlib.util import find_spec

if find_spec("numba") is None:
    raise ImportError("plenipo.batch needs Numba; install it with: pip install 'plenipo[fast]'")

from plenipo.batch.arena import POLICIES, Arena, Judged, Legal, Sets, Verdict
from plenipo.batch.codes import Codes, Numbering
from plenipo.batch.probes import Scope
from plenipo.batch.refusals import InvalidArray, UnsupportedRules
from plenipo.batch.tables import Tables, compile_tables
from plenipo.batch.verdicts import REASONS, RESULTS

__all__ = [
    "POLICIES",
    "REASONS",
    "RESULTS",
    "Arena",
    "Codes",
    "InvalidArray",
    "Judged",
    "Legal",
    "Numbering",
    "Scope",
    "Sets",
    "Tables",
    "UnsupportedRules",
    "Verdict",
    "compile_tables",
]
