"""The fast second implementation: arrays and compiled code that adjudicate thousands of games at once.

`plenipo.engine` explains, this counts. Both give the same results for the same reasons, and are compared on random
play, on the DATC and on the cases of every variant. Rules that are no tables are refused by name. Needs Numba.
"""

from importlib.util import find_spec

if find_spec("numba") is None:
    raise ImportError("plenipo.batch needs Numba; install it with: pip install 'plenipo[fast]'")

from plenipo.batch.arena import POLICIES, Arena, Legal, OrderResult, PhaseResults, Sets
from plenipo.batch.codes import Codes, Numbering
from plenipo.batch.refusals import InvalidArray, UnsupportedRules
from plenipo.batch.results import REASONS, RESULTS
from plenipo.batch.rule_facts import Scope
from plenipo.batch.tables import Tables, compile_tables

__all__ = [
    "POLICIES",
    "REASONS",
    "RESULTS",
    "Arena",
    "Codes",
    "InvalidArray",
    "Legal",
    "Numbering",
    "OrderResult",
    "PhaseResults",
    "Scope",
    "Sets",
    "Tables",
    "UnsupportedRules",
    "compile_tables",
]
