"""The writer of lines: a position or a resolution as an object of JSON, and its keys in their order."""

from collections.abc import Iterable, Mapping
from typing import Any

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.changes import find_successors
from plenipo.engine.history import record
from plenipo.engine.history.record import Json
from plenipo.engine.history.what_if import what_would_change
from plenipo.engine.immutable import EMPTY
from plenipo.engine.outcome import Outcome, Resolution, Waiting
from plenipo.engine.phases import retreats
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Dislodged, Position, Power
from plenipo.engine.rules import Rules
from plenipo.jsonlines.reading import PositionLine, names_owners

__all__ = ["ORDER", "encode_answer", "encode_legal", "encode_position", "encode_results", "join_parts"]

ORDER = (
    *("results", "errors", "units", "dislodged", "phase", "contested", "centres", "variant", "homes", "winners"),
    *("options", "changes", "slots", "seed", "id", "further", "notes", "events", "refusals", "legal", "waiting"),
    "draws",
)
"""The keys of an answer, in their order."""


def encode_legal(rules: Rules, position: Position, powers: Iterable[Power]) -> dict[Power, list[str]]:
    """All orders that each of the powers may give in the phase of a position, as orders are written."""
    legality = Legality(rules, position)
    return {power: [str(order) for order in legality.orders_of(power).everything] for power in powers}


def encode_position(rules: Rules, position: Position, spelt: Mapping[Power, str] = EMPTY) -> Json:
    """Return a position as a line says it, without orders; `spelt` are other spellings of the powers."""
    stored = record.encode_position(position)

    def by_spelling(by_power: Mapping[str, Any]) -> dict[str, Any]:
        return {spelt.get(Power(power), power): entry for power, entry in by_power.items()}

    dislodged: dict[str, Json] = {}
    for unit, by, barred in position.dislodged:
        places = retreats.options(rules, position, Dislodged(unit, by, barred))
        facts = {"by": str(by) if by else None, "barred": list(barred), "retreats": [str(to) for to in places]}
        dislodged.setdefault(unit.power, {})[str(unit)] = facts
    out: Json = {
        "units": by_spelling(stored["units"]),
        "dislodged": by_spelling(dislodged),
        "phase": stored["phase"],
        "contested": stored["contested"],
        "centres": by_spelling(stored["centres"] if "centres" in stored else stored["owners"]),
        "variant": rules.variant,
    }
    assumed = rules.opening.homes
    if position.changes:
        assumed = {power: find_successors(codes, position.changes) for power, codes in assumed.items()}
    if position.homes != assumed:
        out["homes"] = by_spelling(stored["homes"])
    if position.winners:
        out["winners"] = stored["winners"]
    if rules.options:
        out["options"] = dict(rules.options)
    return out | {key: stored[key] for key in ("changes", "slots") if key in stored}


def encode_answer(line: PositionLine, content: Json, came: Resolution | Waiting) -> Json:
    """Return the results of a line as JSON; `content` is the object of the line."""
    resolution = came if isinstance(came, Resolution) else Resolution(line.position, (), line.position)
    after = resolution.after
    results, further = encode_results(line, resolution)
    out: Json = {
        "results": results,
        "errors": [*line.errors, *map(str, line.refusals), *came.errors],
        **encode_position(line.rules, after, line.spelt),
        **{key: content[key] for key in ("variant", "options", "seed", "id") if key in content},
    }
    for power in sorted({unit.power for unit in line.position.units}):
        out["units"].setdefault(line.spelt.get(power, power), [])
    if further:
        out["further"] = further
    notes = list(resolution.notes)
    if after.phase.kind is PhaseKind.ADJUSTMENTS and not names_owners(content):
        notes.append("'centres' is missing, so only the centres occupied now count as owned.")
    if notes:
        out["notes"] = notes
    if resolution.events:
        out["events"] = [record.encode_event(event) for event in resolution.events]
    if refusals := (*line.refusals, *came.refusals):
        out["refusals"] = [record.encode_refusal(refusal) for refusal in refusals]
    if line.legal is not None:
        legal = encode_legal(line.rules, line.position, line.legal)
        out["legal"] = {line.spelt.get(power, power): orders for power, orders in legal.items()}
    if isinstance(came, Waiting):
        out["waiting"] = list(came.powers)
    if resolution.draws:
        out["draws"] = [record.encode_draw(draw) for draw in resolution.draws]
    return {key: out[key] for key in ORDER if key in out}


def join_parts(parts: Mapping[str, str]) -> str:
    """Return an answer whose parts are JSON already."""
    return "{" + ", ".join([f'"{key}": {parts[key]}' for key in ORDER if key in parts]) + "}"


def encode_results(line: PositionLine, resolution: Resolution) -> tuple[dict[str, Json], list[Json]]:
    """Return a result for each unit, and one for everything else a power gave: choices, waived builds, promises.

    The first of two builds in one place is the result of the unit.
    """
    results: dict[str, Json] = {}
    further: list[Json] = []
    for outcome in resolution.outcomes:
        entry = _result(line, resolution, outcome)
        key = str(outcome.unit)
        if outcome.unit is not None and key not in results:
            results[key] = entry
        else:
            further.append({"order": str(outcome.order) if outcome.order else None, **entry})
    return results, further


def _result(line: PositionLine, resolution: Resolution, outcome: Outcome) -> Json:
    entry: Json = {"result": str(outcome.result), "why": outcome.why}
    entry |= {"power": line.spelt.get(outcome.power, outcome.power), "reason": str(outcome.cause.reason)}
    if outcome.dislodged_by is not None:
        entry |= {"dislodged_by": str(outcome.dislodged_by), "retreats": [str(to) for to in outcome.retreats]}
        if outcome.unit is not None and resolution.after.dislodged_at(outcome.unit.space) is None:
            entry["destroyed"] = True
    if outcome.unit is not None and outcome.unit.space in line.what_if:
        changes = what_would_change(line.rules, resolution, outcome.unit)
        entry["what_if"] = [[str(change) for change in together] for together in changes]
    return entry
