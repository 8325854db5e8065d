"""Lines adjudicated together: from text to arrays, through the kernel, and back to text.

Only the orders that are not plainly legal become values of the engine on the way; reasons are words, as
`plenipo.batch.adjudicate` gives them. Any other line (with a fault, or of a variant in which more happens than is in
the tables) is answered alone, by the kernel where it can and else by the engine, and then its `notes` say so.
Both ways give the same answer.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import msgspec

from plenipo import jsonlines
from plenipo.batch import adjudicate as kernel
from plenipo.batch.refusals import UnsupportedRules
from plenipo.batch.tables import MOST_UNITS, compile_tables
from plenipo.engine import facts
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.events import Event, EventKind
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Resolution, Waiting
from plenipo.engine.phases import delays, step
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError
from plenipo.jsonlines.columns import Columns, PlainLine
from plenipo.jsonlines.lookup import TOGETHER, UnusualError, VariantLookup
from plenipo.jsonlines.reading import rules_of
from plenipo.jsonlines.rows import Answers, in_a_word

__all__ = ["TOGETHER", "Batch", "adjudicate"]

BY_ENGINE = EventKind("by_engine")
"""The engine did what the kernel could not."""

_LONGEST_NAME = 200
_MOST_VARIANTS = 64
_ODD = (UnusualError, PlenipoError, msgspec.MsgspecError, RecursionError, KeyError, ValueError)
"""The exceptions raised for a line that must be answered on its own."""

_IN_TABLES = {
    facts.CentreDelay,
    facts.CornersAsNearestArea,
    facts.Crossing,
    facts.Garrison,
    facts.HomesFixed,
    facts.NoRetreat,
    facts.OpeningChoices,
    facts.PrefersConvoy,
    facts.RequiredBuilds,
    facts.UnitWeights,
    facts.Victory,
}
"""The kinds of fact that only `answers` reports."""


def adjudicate(
    rules: Rules, position: Position, orders: Mapping[Power, Sequence[Order]], dice: Dice | None
) -> Resolution | Waiting:
    """Adjudicate a phase with the kernel, and where it cannot with the engine, which the notes then say."""
    count = len(position.units)
    try:
        if count <= MOST_UNITS:
            return _in_words(kernel.adjudicate(rules, position, orders, dice))
        why = f"it has {count} units, and the kernel takes {MOST_UNITS}"
    except UnsupportedRules as fault:
        why = str(fault).rstrip(".")
    came = _in_words(step.adjudicate(rules, position, orders, dice))
    if not isinstance(came, Resolution):
        return came
    event = Event(BY_ENGINE, f"The engine adjudicated this phase: {why}.")
    return replace(came, events=(*came.events, event))


def _in_words(came: Resolution | Waiting) -> Resolution | Waiting:
    """Give the reasons of retreats and adjustments in a word, as the kernel does those of movements."""
    if isinstance(came, Waiting) or came.before.phase.kind is PhaseKind.MOVEMENT:
        return came
    return replace(came, outcomes=tuple(map(in_a_word, came.outcomes)))


class Batch:
    """Answers lines, many at once; made once for a run of them."""

    def __init__(self, load: jsonlines.Load) -> None:
        self._load = jsonlines.remembering(load)
        self._variants: dict[tuple[str, tuple[tuple[str, str], ...]], _Variant | None] = {}
        self._decode = msgspec.json.Decoder(PlainLine).decode

    def answers(self, lines: Iterable[tuple[int, bytes]]) -> list[str]:
        """Return the answers to numbered lines, as JSON."""
        answers: dict[int, str | None] = {}
        gathered: dict[tuple[_Variant, PhaseKind], Columns] = {}
        single: list[tuple[int, bytes]] = []
        for number, text in lines:
            answers[number] = None
            try:
                line = self._decode_plain(text)
                variant = self._variant(line)
                step, year, kind = variant.known.moment(line.phase)
                columns = gathered.get((variant, kind))
                if columns is None:
                    columns = gathered[variant, kind] = Columns(variant.known, kind)
                columns.add(number, text, line, step, year)
            except _ODD:
                single.append((number, text))  # the reader of single lines says what is wrong, if anything is
                continue
            if len(columns) == TOGETHER:
                single += variant.answer(gathered.pop((variant, kind)), answers)
        for (variant, _), columns in gathered.items():
            if not len(columns):
                continue  # none of its lines was plain
            single += variant.answer(columns, answers)
        for known in filter(None, self._variants.values()):
            known.forget_names()
        for number, text in single:
            answers[number] = json.dumps(jsonlines.answer(text, number, self._load, adjudicate))
        return [answer for answer in answers.values() if answer is not None]

    def _decode_plain(self, text: bytes) -> PlainLine:
        """Return the decoded line; raises one of `_ODD` for one that is not plain."""
        if len(text) > jsonlines.MOST_BYTES:
            raise UnusualError
        line = self._decode(text)
        if len(line.phase) > _LONGEST_NAME:
            raise UnusualError  # it would be remembered
        if isinstance(line.id, str) and len(line.id) > _LONGEST_NAME:
            raise UnusualError
        return line

    def _variant(self, line: PlainLine) -> "_Variant":
        """Return the cached data of a line's variant; raises `UnusualError` if arrays cannot represent the variant."""
        options = line.options if line.options is not msgspec.UNSET else {}
        key = (line.variant, tuple(options.items()) if options else ())
        if key not in self._variants:
            if len(self._variants) >= _MOST_VARIANTS:
                self._variants.clear()
            self._variants[key] = None
            rules = rules_of({"variant": line.variant, "options": dict(key[1])}, self._load)
            own = {type(fact) for declared in rules.facts.declared.values() for fact in declared}
            if rules.opening.slots.keys() <= {delays.SLOT} and own <= _IN_TABLES:
                with suppress(UnsupportedRules, UnusualError):
                    self._variants[key] = _Variant(VariantLookup(compile_tables(rules)))
        variant = self._variants[key]
        if variant is None:
            raise UnusualError
        return variant


class _Variant:
    """A variant whose lines go through arrays."""

    def __init__(self, known: VariantLookup) -> None:
        self.known, self._answers = known, Answers(known)

    def forget_names(self) -> None:
        """Forget names that were only in lines, if there are too many."""
        self._answers.forget_names()

    def answer(self, columns: Columns, answers: dict[int, str | None]) -> list[tuple[int, bytes]]:
        """Answer the lines in `columns`; returns those that are to be answered by themselves."""
        left: list[tuple[int, bytes]] = []
        for number, text, answer in zip(columns.numbers, columns.texts, self._answers.of(columns), strict=True):
            if answer is None:
                left.append((number, text))
            else:
                answers[number] = answer
        return left
