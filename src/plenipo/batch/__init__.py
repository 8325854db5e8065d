"""The fast second implementation: arrays and compiled code that adjudicate thousands of games at once.

`plenipo.engine` explains its results; this package only computes them. Both give the same results for the same
reasons, and are compared on random play, on the DATC and on the cases of every variant. Rules that cannot be
expressed as tables are refused by name. Needs Numba.
"""

from plenipo import extras
from plenipo.engine.sentences import say

if extras.missing("fast", "numba"):
    extras.check("fast", "numba", what=say("The kernel (plenipo.batch)"))

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
