"""Adjudication by JSON lines: one position with its orders a line in, one resolution a line out.

A line that cannot be judged gives `{"errors": ["line 3: …"]}` in its place. Within a line whatever can be judged is
judged, and everything else is one sentence in `errors`. What a line may say is described in `docs/command-line.md`.
A line that was put out, with new `orders`, may be put in again: it holds all that the next phase needs.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from plenipo.engine.board import Code, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.history import record
from plenipo.engine.history.dice import Dice
from plenipo.engine.history.game import notation_of
from plenipo.engine.history.what_if import what_would_change
from plenipo.engine.orders import Order, Ref
from plenipo.engine.outcome import Resolution, Result
from plenipo.engine.phases import retreats
from plenipo.engine.phases.step import process
from plenipo.engine.position import GAME_MASTER, Dislodged, Position, Power, Unit
from plenipo.engine.reading.ambiguity import read_sheets
from plenipo.engine.reading.notation import Notation
from plenipo.engine.rules import Rules
from plenipo.engine.wording import hint
from plenipo.errors import AmbiguousOrder, InvalidPosition, PlenipoError

__all__ = ["KEYS", "Asked", "Judge", "Load", "answer", "answers", "read"]

Json = dict[str, Any]

Load = Callable[[str, Mapping[str, str]], Rules]
"""How the rules of a variant are found by its name and options; `plenipo.library.load` is one."""

Judge = Callable[[Rules, Position, Mapping[Power, Sequence[Order]], Dice | None], Resolution]
"""Who judges a phase; `plenipo.engine.phases.step.process` is one."""

KEYS: Mapping[str, str] = {
    "variant": "name of the variant; required",
    "phase": "phase to judge, such as `Spring 1901` or `F1901R`; required",
    "units": "units on the board: a list of texts for each power; required",
    "orders": "orders: a list of texts for each power",
    "dislodged": "in a retreat phase, the units that must retreat, for each power",
    "contested": "in a retreat phase, the spaces a stand-off left vacant: a list",
    "centers": "owned supply centres: a list for each power; `centres` is understood too",
    "homes": "home centres: a list for each power, if not those of the variant's opening",
    "options": "options of the variant, such as `rulebook`",
    "changes": "what has changed of the board, a list as a record has it",
    "slots": "what rule modules remember, an object as a record has it",
    "seed": "what the dice draw by where something is left to chance: 64 digits of hex",
    "what_if": "units of a movement phase, a list of texts, to be told what would have changed their fate; or `true`",
    "id": "anything; comes back as it is",
}
"""Every key of a line, with what it holds."""

_PUT_OUT = frozenset({"results", "errors", "notes", "winners", "draws", "centres"})
"""Keys of an answer, let pass when an answer is put in again; and the other spelling."""

_SHOWN = 60
"""The most characters of a faulty piece that an error quotes."""


@dataclass(frozen=True)
class Asked:
    """What a line asks: a position of a variant with orders, and sentences about what of the line was left out."""

    rules: Rules
    position: Position
    orders: Mapping[Power, Sequence[Order]]
    errors: tuple[str, ...] = ()
    spelt: Mapping[Power, str] = field(default_factory=dict)
    what_if: frozenset[Code] = frozenset()
    dice: Dice | None = None


def answers(lines: Iterable[bytes | str], load: Load, judge: Judge = process) -> Iterator[str]:
    """The answer to each line as soon as the line is there, as JSON in ASCII; blank lines are passed over."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield json.dumps(answer(line, number, load, judge))


def answer(line: bytes | str, number: int, load: Load, judge: Judge = process) -> Json:
    """The answer to one line, whatever it holds; `number` is for its errors."""
    asked: object = None
    try:
        asked = _parsed(line)
        content = _object(asked)
        return _judged(content, _asked(content, load), judge)
    except PlenipoError as fault:
        name = {"id": asked["id"]} if isinstance(asked, dict) and "id" in asked else {}
        return {"errors": [f"line {number}: {fault}"], **name}


def read(line: bytes | str, load: Load) -> Asked:
    """What one line asks; raises `PlenipoError` for a line that cannot be judged at all."""
    return _asked(_object(_parsed(line)), load)


def _parsed(line: bytes | str) -> object:
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        return json.loads(text, parse_constant=_no_constant)
    except UnicodeDecodeError as fault:
        raise InvalidPosition(f"this is not UTF-8 text: byte {fault.start + 1} cannot be read.") from fault
    except json.JSONDecodeError as fault:
        piece = _quoted(fault.doc[max(fault.pos - 10, 0) : fault.pos + 20].strip())
        raise InvalidPosition(f"this is not JSON: {fault.msg} at character {fault.pos + 1}, near {piece}.") from fault
    except RecursionError as fault:
        raise InvalidPosition("this JSON is nested too deeply; a position needs four levels.") from fault
    except ValueError as fault:
        raise InvalidPosition(f"this JSON cannot be used: {fault}.") from fault


def _object(value: object) -> Json:
    if not isinstance(value, dict):
        raise InvalidPosition(f"{_quoted(value)} is not a position; a line is a JSON object.")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


def _quoted(value: object) -> str:
    """A value as an error shows it: JSON in quotes, cut short; a text as it stands."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"'{text if len(text) <= _SHOWN else text[: _SHOWN - 1] + '…'}'"


@lru_cache(maxsize=4096)
def _ref(notation: Notation, text: str) -> Ref:
    """A unit as written; the same few hundred texts come again and again."""
    return notation.unit(text)


@dataclass
class _Line:
    """A line on its way: what it says, and the sentences about what of it cannot be used."""

    content: Json
    load: Load
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for key in self.content:
            if key not in KEYS and key not in _PUT_OUT:
                self.errors.append(f"{_quoted(key)} is not a key of a position; {hint(key, KEYS)}")
        self.rules = self._rules()
        self.phase = self._phase()
        further = {key: self.content[key] for key in ("changes", "slots") if self.content.get(key) is not None}
        self.changes, self.slots = record.decode_further(further, self.rules)
        bare = Position(self.phase, changes=self.changes)
        self.board = self.rules.board_at(bare)
        self.notation = notation_of(self.rules, bare)
        self.spelt: dict[Power, str] = {}

    def _text(self, key: str, example: str) -> str:
        value = self.content.get(key)
        if value is None:
            raise InvalidPosition(f"'{key}' is missing; write it like {example}.")
        if not isinstance(value, str):
            raise InvalidPosition(f"'{key}' is {_quoted(value)}; write it like {example}.")
        return value

    def _rules(self) -> Rules:
        name = self._text("variant", '"standard"')
        options: dict[str, str] = {}
        given = self.content.get("options") or {}
        if not isinstance(given, dict):
            raise InvalidPosition(f"'options' is {_quoted(given)}; it must be an object of texts.")
        for key, value in given.items():
            if isinstance(value, bool) or not isinstance(value, str | int):
                raise InvalidPosition(f"option '{key}' is {_quoted(value)}; it must be a text.")
            options[key] = str(value)
        return self.load(name[:1000], options)

    def _phase(self) -> Phase:
        return self.rules.calendar.read(self._text("phase", f'"{self.rules.calendar.first}"')[:1000])

    def dice(self) -> Dice | None:
        """The dice of the seed that is given, if one is."""
        return Dice.written(self._text("seed", '"00ff…"')) if self.content.get("seed") is not None else None

    # Reading the parts; whatever cannot be read is told and left out

    def by_power(self, key: str) -> Iterator[tuple[Power, object]]:
        """The entries of an object whose keys are powers."""
        value = self.content.get(key)
        if value is None:
            return
        if not isinstance(value, dict):
            self.errors.append(f"'{key}' is {_quoted(value)}; it must be an object with an entry for each power.")
            return
        for name, entry in value.items():
            try:
                power = GAME_MASTER if self._is_master(key, name) else self.rules.power(name[:1000])
                self.spelt.setdefault(power, name)
                yield power, entry
            except PlenipoError as fault:
                self.errors.append(f"'{key}': {fault}")

    def _is_master(self, key: str, name: str) -> bool:
        """Whether an entry is that of the game master, who enters what he drew."""
        return key == "orders" and self.rules.draws_by_hand and name.strip().casefold() == GAME_MASTER.casefold()

    def texts(self, key: str, entry: object) -> Iterator[str]:
        """The texts of a list, or a text alone."""
        if isinstance(entry, str):
            entry = [entry]
        if not isinstance(entry, list):
            self.errors.append(f"'{key}' has {_quoted(entry)}; it must be a list of texts.")
            return
        for item in entry:
            if isinstance(item, str):
                yield item
            else:
                self.errors.append(f"'{key}' has {_quoted(item)}, which is no text.")

    def codes(self, key: str, entry: object, *, centres: bool) -> Iterator[Code]:
        """Spaces by whatever name, and only centres if `centres`."""
        for text in self.texts(key, entry):
            try:
                code = self.notation.location(text).space
            except PlenipoError as fault:
                self.errors.append(f"'{key}': {fault}")
                continue
            if centres and code not in self.board.centres:
                self.errors.append(f"'{key}': {self.board.spaces[code].name} is not a supply centre.")
            else:
                yield code

    def unit(self, key: str, power: Power, text: str) -> Unit | None:
        """A unit that may stand where it is said to stand."""
        try:
            kind, location = _ref(self.notation, text)
        except PlenipoError as fault:
            self.errors.append(f"'{key}': {fault}")
            return None
        if kind is None:
            self.errors.append(f"'{key}': {_quoted(text)} must begin with A for an army or F for a fleet.")
            return None
        unit = Unit(power, kind, location)
        wrong = next(Position(self.phase, (unit,), changes=self.changes).faults(self.board), None)
        if wrong is None:
            return unit
        self.errors.append(f"'{key}': {wrong}")
        return None

    def units(self) -> tuple[Unit, ...]:
        """The units on the board, one a space."""
        if self.content.get("units") is None:
            raise InvalidPosition('\'units\' is missing; write it like {"France": ["A PAR"]}.')
        found: dict[Code, Unit] = {}
        for power, entry in self.by_power("units"):
            for text in self.texts("units", entry):
                unit = self.unit("units", power, text)
                if unit is None:
                    continue
                other = found.setdefault(unit.space, unit)
                if other is not unit:
                    self.errors.append(f"'units': {unit} of {power} cannot stand where {other} of {other.power} does.")
        return tuple(found.values())

    def contested(self) -> frozenset[Code]:
        """The spaces closed by a stand-off."""
        entry = self.content.get("contested")
        return frozenset(self.codes("contested", entry, centres=False)) if entry is not None else frozenset()

    def owners(self) -> dict[Code, Power]:
        """Who owns which centre."""
        key = "centres" if "centers" not in self.content else "centers"
        owners: dict[Code, Power] = {}
        for power, entry in self.by_power(key):
            for code in self.codes(key, entry, centres=True):
                if owners.setdefault(code, power) != power:
                    self.errors.append(f"'{key}': {code} cannot belong to {power}, for it belongs to {owners[code]}.")
        return owners

    @property
    def says_owners(self) -> bool:
        """Whether the line says who owns what."""
        return self.content.get("centers") is not None or self.content.get("centres") is not None

    def homes(self) -> dict[Power, frozenset[Code]]:
        """The home centres, those of the opening where nothing is said."""
        given = {power: frozenset(self.codes("homes", entry, centres=True)) for power, entry in self.by_power("homes")}
        return {**self.rules.opening.homes, **given}

    def dislodged(self, position: Position) -> tuple[Dislodged, ...]:
        """The units that must retreat: a list, or an object with what is known of each."""
        found: dict[Code, Dislodged] = {}
        for power, entry in self.by_power("dislodged"):
            known: Mapping[str, object] = (
                entry if isinstance(entry, dict) else dict.fromkeys(self.texts("dislodged", entry))
            )
            for text, facts in known.items():
                unit = self.unit("dislodged", power, text)
                if unit is None:
                    continue
                if facts is not None and not isinstance(facts, dict):
                    self.errors.append(f"'dislodged': {unit} has {_quoted(facts)}; it must be an object.")
                if unit.space in found:
                    self.errors.append(f"'dislodged': {unit} cannot have stood where {found[unit.space].unit} did.")
                else:
                    found[unit.space] = self._facts(position, unit, facts if isinstance(facts, dict) else {})
        if found and self.phase.kind is not PhaseKind.RETREATS:
            self.errors.append(f"'dislodged' has no meaning in {self.phase}; it belongs to a retreat phase.")
            return ()
        return tuple(found.values())

    def _facts(self, position: Position, unit: Unit, facts: Json) -> Dislodged:
        """A dislodged unit with its attacker and the spaces barred to it.

        `retreats` lists the places open to it; else `from` names the space its attacker came from, else `by` does.
        """
        where = f"dislodged {unit}"
        for key in facts:
            if key not in {"by", "from", "retreats"}:
                self.errors.append(f"'{where}': {_quoted(key)} is not one of by, from, retreats.")
        by = self._attacker(where, position, unit, facts.get("by"))
        barred: tuple[Code, ...] = ()
        if facts.get("retreats") is not None:
            places = set(self.codes(where, facts["retreats"], centres=False))
            free = retreats.options(self.rules, position, Dislodged(unit, by))
            barred = tuple(sorted({to.space for to in free} - places))
        elif facts.get("from") is not None:
            barred = tuple(self.codes(where, facts["from"], centres=False))
        elif by is not None:
            barred = (by.space,)
        return Dislodged(unit, by, barred)

    def _attacker(self, where: str, position: Position, unit: Unit, value: object) -> Unit | None:
        """The unit that took the place of `unit`, as it stood before; its power is that of the unit there now."""
        texts = tuple(self.texts(where, value)) if value is not None else ()
        if not texts:
            return None
        try:
            kind, location = self.notation.unit(texts[0])
        except PlenipoError as fault:
            self.errors.append(f"'{where}': {fault}")
            return None
        there = position.unit_at(unit.space)
        if there is None:
            self.errors.append(f"'{where}': no unit stands in {unit.space}, so none can have come there.")
            return None
        return Unit(there.power, kind or UnitKind(there.kind), location)

    def what_if(self, position: Position) -> frozenset[Code]:
        """The spaces of the units about which is asked what would have changed their fate."""
        asked = self.content.get("what_if")
        if not asked:
            return frozenset()
        if position.phase.kind is not PhaseKind.MOVEMENT:
            self.errors.append(f"'what_if' has no meaning in {position.phase}; it belongs to a movement phase.")
            return frozenset()
        if asked is True:
            return frozenset(unit.space for unit in position.units)
        found: set[Code] = set()
        for text in self.texts("what_if", asked):
            try:
                space = _ref(self.notation, text).location.space
            except PlenipoError as fault:
                self.errors.append(f"'what_if': {fault}")
                continue
            if position.unit_at(space) is None:
                self.errors.append(f"'what_if': there is no unit in {self.board.spaces[space].name}.")
            else:
                found.add(space)
        return frozenset(found)

    def orders(self, position: Position) -> dict[Power, list[Order]]:
        """The orders that can be read, with the help of the position where the text alone does not do."""
        sheets: dict[Power, list[str | Order]] = {}
        for power, entry in self.by_power("orders"):
            sheet = sheets.setdefault(power, [])
            for text in self.texts("orders", entry):
                for line in self.notation.sheet(text, self.phase.kind).lines:
                    if line.power not in (None, power):
                        self.errors.append(f"{power}: {_quoted(line.text)} is written for {line.power}.")
                    elif line.fault is not None and not isinstance(line.fault, AmbiguousOrder):
                        self.errors.append(f"{power}: {line.fault}")
                    else:
                        sheet.append(line.order or line.text)
        read, errors = read_sheets(self.rules, self.notation, position, sheets)
        self.errors.extend(errors)
        return read


def _asked(content: Json, load: Load) -> Asked:
    line = _Line(content, load)
    units = line.units()
    position = Position(
        line.phase, units, (), line.contested(), line.owners(), line.homes(), (), line.changes, line.slots
    )
    position = replace(position, dislodged=line.dislodged(position))
    if not line.says_owners and line.phase.kind is PhaseKind.ADJUSTMENTS:
        line.errors.append("'centers' is missing, so nobody owns a centre and every unit must be removed.")
    sheets = line.orders(position)
    what_if = line.what_if(position)
    return Asked(line.rules, position, sheets, tuple(line.errors), line.spelt, what_if, line.dice())


def _judged(content: Json, asked: Asked, judge: Judge) -> Json:
    resolution = judge(asked.rules, asked.position, asked.orders, asked.dice)
    after = resolution.after
    dislodged: dict[str, Json] = {}
    for gone in after.dislodged:
        places = [str(to) for to in retreats.options(asked.rules, after, gone)]
        facts = {"by": str(gone.by) if gone.by else None, "retreats": places}
        dislodged.setdefault(asked.spelt.get(gone.unit.power, gone.unit.power), {})[str(gone.unit)] = facts
    out: Json = {
        "results": _results(asked, resolution),
        "units": _spelt(asked, _units_by_power(asked.position, after)),
        "dislodged": dislodged,
        "errors": [*asked.errors, *resolution.errors],
        "phase": str(after.phase),
        "contested": sorted(after.contested),
        "centers": _spelt(asked, record.encode_position(after)["owners"]),
        "variant": content["variant"],
    }
    stored = record.encode_position(after)
    out.update({key: stored[key] for key in ("changes", "slots") if key in stored and _remembers(content, key)})
    notes = list(resolution.notes)
    if after.phase.kind is PhaseKind.ADJUSTMENTS and content.get("centers", content.get("centres")) is None:
        notes.append("'centers' is missing, so only the centres occupied now count as owned.")
    if notes:
        out["notes"] = notes
    if resolution.draws:
        out["draws"] = [record.encode_draw(draw) for draw in resolution.draws]
    if after.winners:
        out["winners"] = list(after.winners)
    out.update({key: content[key] for key in ("homes", "options", "seed", "id") if key in content})
    if after.changes:
        out["homes"] = _spelt(asked, stored["homes"])  # a home may have been split
    return out


def _remembers(content: Json, key: str) -> bool:
    """Whether the answer says what a module remembers: where the line did. How the board changed it always says."""
    return key == "changes" or content.get(key) is not None


def _spelt(asked: Asked, by_power: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The same with each power spelt as the line spells it, so that a caller finds his own keys again."""
    return {asked.spelt.get(Power(power), power): entry for power, entry in by_power.items()}


def _units_by_power(before: Position, after: Position) -> dict[str, list[str]]:
    """The units of each power that has or had some."""
    powers = dict.fromkeys(sorted({unit.power for unit in (*before.units, *after.units)}))
    return {power: [str(unit) for unit in after.units_of(power)] for power in powers}


def _results(asked: Asked, resolution: Resolution) -> dict[str, Json]:
    """A result for each unit; a waived build and a choice have none and stand under the name of their power."""
    results: dict[str, Json] = {}
    for outcome in resolution.outcomes:
        kind = "CHOOSE" if outcome.result is Result.CHOSEN else "WAIVE"
        key = str(outcome.unit) if outcome.unit else f"{kind} {outcome.power}"
        # of two builds in one place the first counts, and the second is told among the errors
        told: Json = {"result": str(outcome.result), "why": outcome.why}
        told |= {"power": asked.spelt.get(outcome.power, outcome.power), "reason": str(outcome.cause.reason)}
        if outcome.dislodged_by is not None:
            told |= {"dislodged_by": str(outcome.dislodged_by), "retreats": [str(to) for to in outcome.retreats]}
        if outcome.unit is not None and outcome.unit.space in asked.what_if:
            changes = what_would_change(asked.rules, resolution, outcome.unit)
            told["what_if"] = [[str(change) for change in together] for together in changes]
        results.setdefault(key, told)
    return results
