"""Views as JSON, for pages and programs. Everything here comes from a `GameView`, never from the game itself."""

from functools import lru_cache
from typing import Any

from plenipo import library
from plenipo.engine.board import Board, Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.history.game import Turn
from plenipo.engine.history.summary import Summary
from plenipo.engine.legality import Choice, Legality
from plenipo.engine.orders import Enter, Order, Promise
from plenipo.engine.outcome import Outcome, Reason, Result
from plenipo.engine.phases import adjustments, retreats, victory
from plenipo.engine.phases.step import Drawing
from plenipo.engine.position import GAME_MASTER, Dislodged, Position, Power, Unit
from plenipo.engine.reading.order_entry import OrderEntry, unit_of
from plenipo.engine.reading.plan_check import doubts
from plenipo.engine.rules import Rules
from plenipo.engine.wording import listing
from plenipo.maps.draw.theme import slug, tags
from plenipo.server.host import ALL_SEATS
from plenipo.server.hosted import GameView, Sheet
from plenipo.server.web.pictures import arrows, board_key, marks_of

__all__ = ["history_of", "options_of", "position_of", "sheet_of", "turn_of", "variant_of", "view_of"]

Json = dict[str, Any]

GOOD = frozenset(
    {
        Result.MOVES,
        Result.HOLDS,
        Result.SUPPORTS,
        Result.CONVOYS,
        Result.RETREATS,
        Result.BUILDS,
        Result.REMOVED,
        Result.WAIVED,
        Result.CHOSEN,
        Result.PAID,
    }
)
"""The results that are what was ordered."""


# Small things


def phase_of(phase: Phase) -> Json:
    """A phase."""
    return {
        "text": str(phase),
        "code": phase.code,
        "season": phase.season,
        "year": phase.year,
        "kind": str(phase.kind),
    }


def unit_json(unit: Unit) -> Json:
    """A unit."""
    space, coast = unit.location
    return {"text": str(unit), "power": unit.power, "kind": str(unit.kind), "space": space, "coast": coast}


def _unit_or_none(unit: Unit | None) -> Json | None:
    return unit_json(unit) if unit else None


def powers_of(rules: Rules) -> list[Json]:
    """The powers, those nobody plays among them."""
    letters = tags(tuple(info.name for info in rules.powers))
    return [
        {
            "name": info.name,
            "slug": slug(info.name),
            "adjective": info.adjective,
            "tag": letters[info.name],
            "played": info.played,
        }
        for info in rules.powers
    ]


def _score(rules: Rules, position: Position) -> dict[Power, int]:
    """What each power has of what wins."""
    return dict(victory.score(rules, position).counts)


# Variants


@lru_cache(maxsize=256)
def variant_of(name: str) -> Json:
    """A variant for the gallery; raises as `library.load` does."""
    rules = library.load(name)
    measure = victory.score(rules, rules.opening)
    return {
        "name": rules.variant,
        "title": rules.title,
        "summary": _summary(name),
        "powers": powers_of(rules),
        "centres": len(rules.board.centres),
        "to_win": measure.enough,
        "counted": measure.noun,
        "first": phase_of(rules.opening.phase),
        "options": [option._asdict() for option in library.options_of(name)],
        "features": [module.name for module in rules.modules],
        "picture": f"/variants/{name}/picture.svg",
    }


def _summary(name: str) -> str:
    """What a variant is about: the first paragraph of its page that is neither its title nor who made it."""
    file = library.folder_of(name) / "README.md"
    if not file.is_file():
        return ""
    paragraphs = [part for part in file.read_text(encoding="utf-8").split("\n\n") if part.strip()]
    text = next((part for part in paragraphs if not part.startswith(("#", "```", "|", "-", "*", ">"))), "")
    lines = [line.strip() for line in text.splitlines() if not line.startswith("By ")] or text.splitlines()
    return " ".join(lines[:2])


# Positions


def position_of(rules: Rules, position: Position) -> Json:
    """What stands on the board."""
    return {
        "units": [unit_json(unit) for unit in position.units],
        "dislodged": [_dislodged(rules, position, gone) for gone in position.dislodged],
        "contested": sorted(position.contested),
        "centres": _centres(position),
        "homes": {power: sorted(codes) for power, codes in position.homes.items()},
        "marks": marks_of(rules, position),
    }


def _centres(position: Position) -> dict[Power, list[Code]]:
    owned: dict[Power, list[Code]] = {}
    for code, power in position.owners.items():
        owned.setdefault(power, []).append(code)
    return owned


def _dislodged(rules: Rules, position: Position, gone: Dislodged) -> Json:
    return {
        **unit_json(gone.unit),
        "by": _unit_or_none(gone.by),
        "retreats": [str(to) for to in retreats.options(rules, position, gone)],
    }


# Sheets


def sheet_of(seen: GameView, power: Power) -> Json:
    """A sheet that the viewer may see, with its picture."""
    sheet = seen.sheets.get(power, Sheet())
    desk = OrderEntry(seen.rules, seen.position, power)
    return {
        "power": power,
        "phase_number": seen.phase_number,
        "version": sheet.version,
        "ready": sheet.ready,
        "orders": [_order(order) for order in sheet.orders if not isinstance(order, Promise)],
        "promises": [order.text for order in sheet.orders if isinstance(order, Promise)],
        "missing": [str(unit) for unit in desk.missing(sheet.orders)],
        "left": "" if power == GAME_MASTER else desk.left(sheet.orders),
        "doubts": [
            {"kind": str(doubt.kind), "orders": [str(order) for order in doubt.orders], "text": str(doubt)}
            for doubt in doubts(seen.rules, seen.position, power, sheet.orders)
        ],
        "arrows": arrows(seen.rules, seen.position, sheet.orders),
        "drawing": _drawing(seen, sheet) if power == GAME_MASTER and seen.rules.draws_by_hand else None,
    }


def _drawing(seen: GameView, sheet: Sheet) -> Json:
    """What the game master has entered of the draws of this phase, and which he must make next."""
    counted, due = seen.drawing or Drawing()
    made = {label.casefold(): result for label, result in counted.items()}
    entered = [order for order in sheet.orders if isinstance(order, Enter)]
    wrong = due is not None and (not due.label or due.label.casefold() in {order.label.casefold() for order in entered})
    names = {str(code): space.name for code, space in seen.rules.board_at(seen.position).spaces.items()}

    def told(order: Enter) -> Json:
        result = made.get(order.label.casefold())
        name = ", ".join(names.get(part, part) for part in (result or order.result).split(", "))
        return {
            "text": str(order),
            "label": order.label,
            "result": result or order.result,
            "name": name,
            "counts": result is not None,
        }

    return {
        "entered": [told(order) for order in entered],
        "due": {
            "label": due.label,
            "cards": due.cards,
            "slips": [{"text": slip, "name": names.get(slip, slip)} for slip in due.slips],
        }
        if due and due.label
        else None,
        "fault": str(due) if wrong else "",
    }


def _order(order: Order) -> Json:
    unit = unit_of(order)
    space = "" if not unit else order.unit.location.space  # type: ignore[union-attr]  # it has a unit
    return {"text": str(order), "unit": unit, "space": space}


# The view


def view_of(seen: GameView) -> Json:
    """The whole of what a seat, the table or an observer sees of a game."""
    rules, position = seen.rules, seen.position
    measure = victory.score(rules, position)
    whole = seen.who == GAME_MASTER
    master = seen.drawing is not None
    shown = [power for power in seen.seats if whole or power == seen.who or (power == GAME_MASTER and master)]
    return {
        "id": seen.id,
        "name": seen.name,
        "variant": rules.variant,
        "title": rules.title,
        "options": dict(rules.options),
        "turn": seen.turn,
        "phase_number": seen.phase_number,
        "phase": phase_of(position.phase),
        "over": seen.view.over,
        "winners": list(position.winners),
        "drawn": list(seen.view.drawn),
        "to_win": measure.enough,
        "counted": measure.noun,
        "viewer": {"seat": ALL_SEATS if whole else seen.who, "seats": list(seen.seats), "all_seats": seen.all_seats},
        "seating": seen.seating,
        "fork_of": {"id": seen.parent, "turn": seen.parent_turn} if seen.parent else None,
        "commitment": seen.view.commitment,
        "powers": _seats(seen),
        "position": position_of(rules, position),
        "asks": _asks(rules, position),
        "sheets": {power: sheet_of(seen, power) for power in shown},
        "last": turn_of(rules, seen.view.turns[-1], seen.turn - 1) if seen.turn else None,
        "board": board_key(position),
    }


def _seats(seen: GameView) -> list[Json]:
    """The powers with who plays them, how they stand, and what they have to do; all of it public."""
    rules, position = seen.rules, seen.position
    score = _score(rules, position)
    adjusting = position.phase.kind is PhaseKind.ADJUSTMENTS and not seen.view.over
    seats = []
    for info in powers_of(rules):
        power = Power(info["name"])
        computer = seen.computers.get(power, "")
        due = adjustments.possible(rules, position, power) if adjusting else 0
        seats.append(
            {
                **info,
                "by": "nobody" if not info["played"] else "computer" if computer else "person",
                "computer": computer or None,
                "centres": len(position.centres_of(power)),
                "units": len(position.units_of(power)),
                "score": score.get(power, 0),
                "status": seen.statuses.get(power, "nothing"),
                "due": due,
                "sites": list(adjustments.build_sites(rules, position, power)) if due > 0 else [],
                "todo": _todo(rules, position, power, due),
            }
        )
    return seats


def _todo(rules: Rules, position: Position, power: Power, due: int) -> str:
    """What is asked of a power in any phase but a movement, a few words."""
    if due > 0:
        return f"may build {due} in {', '.join(adjustments.build_sites(rules, position, power))}"
    if due < 0:
        return f"must remove {-due}"
    if choices := [str(choice.unit) for choice in Legality(rules, position).choices(power)]:
        return f"may choose {listing(choices, 'or')}" if len(choices) > 1 else f"has {choices[0]}"
    gone = [str(d.unit) for d in position.dislodged if d.unit.power == power]
    return f"must retreat or disband {', '.join(gone)}" if gone else ""


def _asks(rules: Rules, position: Position) -> Json:
    kind = position.phase.kind
    return {
        "orders": kind.asks_orders and kind is not PhaseKind.CHOICE,
        "choice": kind is PhaseKind.CHOICE,
        "about": " ".join(filter(None, (module.choice_words for module in rules.modules)))
        if kind is PhaseKind.CHOICE
        else "",
        "promises": promises_asked(rules, position),
        "draws": rules.draws_by_hand,
    }


def promises_asked(rules: Rules, position: Position) -> bool:
    """Whether promises may be given with the orders of this phase."""
    if position.winners or not rules.names:
        return False
    return Legality(rules, position).judge(rules.names[0], Promise("a word")).order is not None


# Options


def options_of(seen: GameView) -> Json | None:
    """Everything the viewer's seats may order now, as trees; None for an observer."""
    if seen.who is None:
        return None
    if seen.who != GAME_MASTER:
        return _options(seen, seen.who)
    legality = Legality(seen.rules, seen.position)
    asked = [power for power in seen.seats if power in seen.view.asked]
    return {"phase_number": seen.phase_number, "all": [_options(seen, power, legality) for power in asked]}


def _options(seen: GameView, power: Power, legality: Legality | None = None) -> Json:
    rules, position = seen.rules, seen.position
    legality = legality or Legality(rules, position)
    legal = legality.orders_of(power)
    open_phase = not seen.view.over and power != GAME_MASTER
    return {
        "phase_number": seen.phase_number,
        "power": power,
        "phase": phase_of(position.phase),
        "units": [str(unit) for unit in legal.units] if open_phase else [],
        "promises": promises_asked(rules, position),
        "at_once": OrderEntry(rules, position, power).due if open_phase else 0,
        "choices": [_node(legality.board, choice, "") for choice in legal.choices()] if open_phase else [],
    }


def _node(board: Board, choice: Choice, above: str) -> Json:
    """A step of the tree: what it is called, what place it means, and what it leads to."""
    role, place, coast = _role(board, choice.label)
    if role == "kind" and not above:
        role = "order" if choice.order is not None else "kind"
    node: Json = {"label": choice.label, "role": role, "at": place, "coast": coast}
    if choice.order is not None:
        node["order"] = str(choice.order)
    if choice.then:
        node["then"] = [_node(board, step, choice.label) for step in choice.then]
    return node


def _role(board: Board, label: str) -> tuple[str, str | None, str]:
    """Whether a label is a unit, a place or a word, and the place that it names."""
    letter, _, rest = label.partition(" ")
    for role, text in (("place", label), ("unit", rest if letter in {"A", "F"} else "")):
        if text in board.spaces:
            return role, text, ""
        space, mark, coast = text.rpartition("/")
        if mark and space in board.spaces:
            return role, space, coast
    return "kind", None, ""


# History


def history_of(seen: GameView) -> Json:
    """All turns in a line each, and where the game is now."""
    rules = seen.rules
    turns = []
    for number, turn in enumerate(seen.view.turns):
        resolution = turn.resolution
        turns.append(
            {
                "turn": number,
                "phase": phase_of(resolution.before.phase),
                "notes": list(resolution.notes),
                "failed": sum(outcome.result not in GOOD for outcome in resolution.outcomes),
                "dislodged": sum(outcome.dislodged_by is not None for outcome in resolution.outcomes),
                "draws": len(resolution.draws),
                "score": _score(rules, resolution.before),
                "board": board_key(resolution.before),
            }
        )
    now = {
        "turn": seen.turn,
        "phase": phase_of(seen.position.phase),
        "score": _score(rules, seen.position),
        "board": board_key(seen.position),
    }
    return {"turns": turns, "now": now}


def turn_of(rules: Rules, turn: Turn, number: int) -> Json:
    """A turn with everything that was ordered in it and what came of it; all of it public."""
    resolution = turn.resolution
    summary = Summary(rules, resolution)
    return {
        "turn": number,
        "phase": phase_of(resolution.before.phase),
        "summary": list(summary.sentences()),
        "concerns": {
            power: [{"kind": str(concern.kind), "text": str(concern)} for concern in concerns]
            for power in rules.names
            if (concerns := summary.concerns(power))
        },
        "outcomes": [_outcome(outcome) for outcome in resolution.outcomes],
        "notes": list(resolution.notes),
        "errors": list(resolution.errors),
        "draws": [
            {
                "label": draw.label,
                "slips": list(draw.slips),
                "result": draw.result,
                "entered": draw.entered,
                "cards": draw.cards,
            }
            for draw in resolution.draws
        ],
        "orders": {power: list(texts) for power, texts in turn.orders.items()},
        "before": position_of(rules, resolution.before),
        "after": position_of(rules, resolution.after),
        "score": _score(rules, resolution.after),
    }


def _outcome(outcome: Outcome) -> Json:
    cause = outcome.cause
    return {
        "power": outcome.power,
        "unit": _unit_or_none(outcome.unit),
        "order": str(outcome.order) if outcome.order else None,
        "result": str(outcome.result),
        "reason": str(cause.reason),
        "good": outcome.result in GOOD and outcome.dislodged_by is None and cause.reason is not Reason.CIVIL_DISORDER,
        "why": outcome.why,
        "strength": cause.strength,
        "against": cause.against,
        "scale": cause.scale,
        "helpers": [str(unit) for unit in cause.helpers],
        "against_helpers": [str(unit) for unit in cause.against_helpers],
        "by": [unit_json(unit) for unit in cause.by],
        "place": cause.place,
        "dislodged_by": _unit_or_none(outcome.dislodged_by),
        "retreats": [str(to) for to in outcome.retreats],
    }
