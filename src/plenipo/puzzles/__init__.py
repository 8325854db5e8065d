"""Puzzles: positions with a question, their answers, and the proofs of these; below the I/O line.

There are two kinds. *What happens?* shows the orders of a worked case and asks for their results; `case_puzzles.tsv`
lists them. *Find the order* asks for the one set of orders that reaches a goal whatever the others order;
`order_puzzles.jsonl` has those of the package, found by `plenipo.puzzles.making` in games that computers played.
"""

from plenipo.puzzles.case_puzzles import CasePuzzle, UnitFate, load_case_puzzles
from plenipo.puzzles.goals import Goal, GoalKind
from plenipo.puzzles.order_puzzles import OrderPuzzle, load_order_puzzles

__all__ = [
    "CasePuzzle",
    "Goal",
    "GoalKind",
    "OrderPuzzle",
    "UnitFate",
    "load_case_puzzles",
    "load_order_puzzles",
]
