"""Running cases: text or a file in, a result for each case out.

A case is played as JSON lines play: its position is a line, and each further step goes on from the answer.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import chain
from pathlib import Path

from plenipo import jsonlines, library
from plenipo.cases.format import Case, CaseStep, Json, Unreadable, read
from plenipo.cases.matching import differences
from plenipo.cases.sight import SPECTATOR, views_of
from plenipo.cases.views import DECLARED, CaseView, Names, chance, fates, submissions
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import SEED_BYTES, Dice
from plenipo.engine.outcome import Resolution, Result
from plenipo.engine.phases.step import adjudicate
from plenipo.engine.position import Position
from plenipo.engine.reading.positions import read_position
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say
from plenipo.engine.wording import hint
from plenipo.errors import InvalidCase, PlenipoError
from plenipo.rulekit.treasury import Treasury
from plenipo.user_files import read_text

__all__ = ["CasePlayer", "CaseResult", "CaseVerdict", "run_case", "run_file", "run_text", "summary"]

_SEED = bytes(SEED_BYTES).hex()
"""The seed of chance in a case that gives none: always the same."""

_FAR = 100
"""The largest number of phases without orders that a step may pass over; the format sets no limit."""


class CaseVerdict(StrEnum):
    """The outcome of a case."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class CaseResult:
    """The outcome of one case of a file, with the reason where it did not pass.

    `line` is the line at which the case begins in the file. `str(result)` is the whole sentence, with file and case.
    """

    id: str
    file: str
    outcome: CaseVerdict
    message: str = ""
    line: int = 1

    def __str__(self) -> str:
        where = self.file if self.id == self.file else f"{self.file}, case {self.id}"
        return f"{where}: {self.message or self.outcome}"


def run_file(path: Path | str, load: jsonlines.Load | None = None) -> Iterator[CaseResult]:
    """Run every case in the file at `path`, each set of options separately, in the order of the file.

    A variant that is a folder is looked for beside the file and in the folders around it, unless `load` finds it.

    Never raises for what is in the file: a case that cannot be read is a failed case, and the others go on.
    A file that cannot be read at all is one failed result, whose id is the name of the file.
    """
    path = Path(path)
    try:
        content = read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        yield CaseResult(
            path.name,
            path.name,
            CaseVerdict.FAILED,
            say("'{path}' cannot be read: {reason}.", path=path, reason=reason),
        )
        return
    yield from run_text(content, path.name, load or partial(library.load, near=path.parent))


def run_text(content: str, file: str, load: jsonlines.Load = library.load) -> Iterator[CaseResult]:
    """Run every case in `content`; `file` is the name used in messages."""
    player = CasePlayer(load)
    for case in read(content, file):
        if isinstance(case, Unreadable):
            yield CaseResult(case.id, file, CaseVerdict.FAILED, case.message, case.line)
        else:
            yield run_case(case, player)


def run_case(case: Case, player: "CasePlayer") -> CaseResult:
    """Run one case."""

    def result(verdict: CaseVerdict, message: str = "") -> CaseResult:
        return CaseResult(case.id, case.file, verdict, message, case.line)

    if case.skip:
        return result(CaseVerdict.SKIPPED, case.skip)
    try:
        faults = list(player.faults(case))
    except PlenipoError as error:
        return result(CaseVerdict.FAILED, error.sentence)
    except Exception as error:  # noqa: BLE001  # a fault of the program in one case must not hide the others
        return result(CaseVerdict.FAILED, f"the program broke with {type(error).__name__}: {error}")
    return result(CaseVerdict.FAILED, f"{'; '.join(faults)}.") if faults else result(CaseVerdict.PASSED)


class CasePlayer:
    """Plays cases; the rules of a variant with the same options are made ready once."""

    def __init__(self, load: jsonlines.Load = library.load, decide: jsonlines.Adjudicate = adjudicate) -> None:
        self._load = load
        self._adjudicate = decide
        self._rules: dict[object, Rules] = {}

    def load(self, variant: str, options: Mapping[str, str]) -> Rules:
        """Return the rules of a variant."""
        key = (variant, tuple(sorted(options.items())))
        if key not in self._rules:
            self._rules[key] = self._load(variant, options)
        return self._rules[key]

    def faults(self, case: Case) -> Iterator[str]:
        """Yield part of a sentence for each unmet expectation; raise `PlenipoError` for what cannot be played."""
        for number, (step, before, after) in enumerate(self.views(case)):
            where = f"step {number}, " if number else ""
            yield from _faults(f"{where}before, ", step.before, before, before.names)
            if after is not None:
                yield from _faults(where, step.expect, after, Names(after.rules, (after.position, before.position)))

    def views(self, case: Case) -> Iterator[tuple[CaseStep, CaseView, CaseView | None]]:
        """For each step what there is before it and, if it is played, after it."""
        rules = self.load(case.variant, case.options)
        position = rules.opening
        for number, step in enumerate(case.steps):
            position = self._begin_step(case, step, position, opening=number == 0)
            seen = {"views": partial(views_of, rules, position)}
            before = CaseView(rules, position, {**_NOTHING, **_encode_position(rules, position)}, seen)
            after = self._play_phase(case, step, position) if step.played else None
            yield step, before, after
            position = after.position if after is not None else position

    def _begin_step(self, case: Case, step: CaseStep, position: Position, *, opening: bool) -> Position:
        """Return the position in which a step begins: the previous one, changed as the step says, or a new phase."""
        rules = self.load(case.variant, case.options)
        if set(step.position) <= {"phase"} and not (opening and step.position):
            return self._go_to_phase(case, position, step.position.get("phase"))
        line = _encode_position(rules, position)
        if opening and "phase" not in step.position:
            first = rules.calendar.first
            phases = chain([first], rules.calendar.after(first))
            line["phase"] = str(next(phase for phase in phases if phase.kind is PhaseKind.MOVEMENT))
        elif "phase" in step.position:
            line.update(dislodged={}, contested=[])
        known = {} if opening else line.get("slots", {})
        said = {key: value for key, value in step.position.items() if key != "balances"}
        line |= {**said, "slots": {**known, **step.position.get("slots", {})}}
        begun, reader = read_position(rules, line)
        if reader.faults:
            raise InvalidCase("; ".join(str(fault).removesuffix(".") for fault in reader.faults) + ".")
        for module in rules.modules if opening else ():
            if module.name in rules.opening.slots and module.name not in line["slots"]:
                begun = begun.with_slot(module.name, module.opening(rules, begun).slots[module.name])  # had it begun so
        return self._with_balances(rules, begun, step.position.get("balances", {}))

    def _with_balances(self, rules: Rules, position: Position, balances: object) -> Position:
        """`position` with what powers have of money or points; those not named keep what they have."""
        if balances == {}:
            return position
        treasury = rules.module(Treasury)
        if treasury is None:
            raise InvalidCase(say("key 'balances': no power has money or points in this variant; leave it out."))
        ledger = treasury.ledger(position)
        points = dict(ledger.points)
        for name, number in balances.items() if isinstance(balances, dict) else ():
            if not isinstance(number, int) or isinstance(number, bool):
                raise InvalidCase(
                    say("key 'balances': {number!r} of {name} must be a whole number.", number=number, name=name)
                )
            points[rules.power(name)] = number
        return treasury.with_ledger(position, replace(ledger, points=points))

    def _go_to_phase(self, case: Case, position: Position, label: object) -> Position:
        """Go on without orders until the phase a step names."""
        if label is None:
            return position
        rules = self.load(case.variant, case.options)
        wanted = rules.calendar.read(str(label))
        passed = [str(position.phase)]
        while position.phase != wanted:
            if position.winners or len(passed) > _FAR or position.phase.year > wanted.year:
                raise InvalidCase(
                    say(
                        "key 'phase': the game does not come to {wanted}; it passes {passed}.",
                        wanted=wanted,
                        passed=", ".join(passed),
                    )
                )
            position = self._play_phase(case, CaseStep({}, (), {}, {}, played=True), position).position
            passed.append(str(position.phase))
        return position

    def _play_phase(self, case: Case, step: CaseStep, position: Position) -> CaseView:
        """Return the phase `position` stands in, with the orders of a step."""
        order_sets: dict[str, list[str]] = {}
        for order_set in step.orders:
            order_sets.update(order_set)  # a later order set of a power replaces the earlier one
        rules = self.load(case.variant, case.options)
        seed = case.seed or _SEED
        content = {**jsonlines.encode_position(rules, position), "variant": case.variant, "options": dict(case.options)}
        line = replace(jsonlines.read({**content, "orders": order_sets, "seed": seed}, self.load), position=position)
        came = self._adjudicate(rules, position, line.orders, line.dice)
        resolution = came if isinstance(came, Resolution) else Resolution(position, (), position)
        answer = {**jsonlines.encode_answer(line, content, came), "homes": _homes(resolution.after)}
        further: dict[str, Callable[[], object]] = {
            "orders": partial(fates, rules, position, step.orders, resolution),
            "submissions": partial(submissions, rules, position, step.orders),
            "chance": partial(chance, Dice.from_hex(seed), resolution.draws),
            "views": partial(views_of, rules, position, step.orders, resolution),
        }
        return CaseView(rules, resolution.after, {**_NOTHING, **answer}, further, resolution)


_NOTHING: Json = {
    key: {} if key == "slots" else []
    for key in ("winners", "changes", "slots", "notes", "further", "draws", "events", "refusals", "waiting")
}
"""The empty values of the keys that an answer may leave out."""


def _encode_position(rules: Rules, position: Position) -> Json:
    """Return a position in the keys of a line, whole."""
    return {**jsonlines.encode_position(rules, position), "homes": _homes(position)}


def _homes(position: Position) -> dict[str, list[str]]:
    return {power: sorted(codes) for power, codes in position.homes.items()}


_BY_POWER = ("units", "centres", "homes", "dislodged", "adjustments", "legal")
"""Keys of an answer under which stand powers."""


def _check_powers(rules: Rules, pattern: object) -> None:
    """Raise `UnknownName` for a power that is not one: nothing expected of it would be true of anything."""
    for name, item in pattern.items() if isinstance(pattern, dict) else ():
        if not name.startswith("$"):
            rules.power(name)
        elif name in ("$only", "$not"):
            _check_powers(rules, item)


RESULTS = (*map(str, Result), DECLARED)
"""The words that `result` may have."""


def _check_words(pattern: object, depth: int) -> None:
    """Raise `InvalidCase` for a word that no result has; results stand so many mappings deep, or under `result`."""
    if isinstance(pattern, str):
        if depth == 0 and pattern not in RESULTS:
            raise InvalidCase(
                say("'{pattern}' is no result; {hint}", pattern=pattern[:60], hint=hint(pattern, RESULTS))
            )
    elif isinstance(pattern, list):
        for item in pattern:
            _check_words(item, depth)
    elif isinstance(pattern, dict):
        for key, item in pattern.items():
            if key in _OF_PARTS:
                _check_words(item, depth - 1)
            elif key in _OF_WHOLE or (depth == 0 and key == "result"):
                _check_words(item, depth)
            elif not key.startswith("$") and depth > 0:
                _check_words(item, depth - 1)


_OF_PARTS = ("$each", "$matching")
"""Operators of a mapping whose pattern is for the values in it."""

_OF_WHOLE = ("$not", "$one_of", "$is", "$all", "$only")
"""Operators whose pattern is for the same value."""


def _faults(where: str, expect: Json, view: CaseView, names: Names) -> Iterator[str]:
    for key in _BY_POWER:
        _check_powers(view.rules, expect.get(key))
    _check_powers(view.rules, {name: 0 for name in expect.get("views", ()) if name != SPECTATOR})
    for key, depth in (("results", 1), ("orders", 2)):
        _check_words(expect.get(key), depth)
    for key in expect:
        if key not in view:
            raise InvalidCase(say("'{key}' is not a key of an answer; {hint}", key=key, hint=hint(key, list(view))))
    if expect:
        yield from (f"{where}{difference}" for difference in differences(expect, view, names.same))


def summary(results: Iterable[CaseResult]) -> str:
    """`N passed, N failed`, and `, N skipped` if any were.

    >>> summary([CaseResult("a", "f.yaml", CaseVerdict.PASSED)])
    '1 passed, 0 failed'
    """
    verdicts = [result.outcome for result in results]
    skipped = verdicts.count(CaseVerdict.SKIPPED)
    parts = {"passed": verdicts.count(CaseVerdict.PASSED), "failed": verdicts.count(CaseVerdict.FAILED)}
    if skipped:
        return say("{passed} passed, {failed} failed, {skipped} skipped", **parts, skipped=skipped)
    return say("{passed} passed, {failed} failed", **parts)
