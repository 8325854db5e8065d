"""Write a file of worked cases in the format of `docs/cases.md`, from one in the earlier format with a `kind` for each.

    python scripts/convert_cases.py OLD.yaml NEW.yaml

Everything is kept: ids, titles, sources, notes, comments between cases, and every expectation.
"""

import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from plenipo import library
from plenipo.cases.entries import entries
from plenipo.cases.format import HEADINGS, NOTES, Case, read
from plenipo.cases.run import CasePlayer
from plenipo.cases.views import CaseView
from plenipo.engine.board import Code, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.changes import half_names
from plenipo.engine.position import GAME_MASTER, Position
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rulebook import EDITIONS, POLICIES
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidCase, PlenipoError
from plenipo.rulekit.draw_piles import provinces

Json = dict[str, Any]

SUCCESS = {"S": "supports", "C": "convoys", "R": "retreats", "B": "builds", "WAIVE": "waived"}
"""The result that `success` beside an order means, by its verb; an order without any of these holds."""

NOBODY = {"places": {}, "numbers": {"IRISH": 2, "PSYCHIATRIST": 3}}
"""The memory of walkers where a case does not mention them."""

CONDITIONS = {
    "nine_players": {"nine_players": True},
    "eight_players": {"nine_players": False},
    "merge_choice_and_build": {"merge_choice_and_build": True},
    "all_played": {},
    "seven_players": {},
}
"""The options under which a key of a `setup` was evaluated that ended in these words."""


class Source:
    """A case in the earlier format, with the rules it is played by."""

    def __init__(self, table: Json) -> None:
        self.table = table
        self.kind = str(table.get("kind", table.get("phase")))
        self.options = dict(table.get("options") or {})
        if "edition" in table:
            self.options = {"rulebook": str(table["edition"]), **self.options}
        self.variant = str(table.get("variant", "standard"))
        self.rules = load(self.variant, self.options)
        self.expect: Json = dict(table.get("expect") or {})
        if "centers" in table:
            self.table["centres"] = table["centers"]
        if self.by_hand:
            self.options["draws"] = "gm_entered"

    @property
    def by_hand(self) -> bool:
        """Tell whether slips are drawn in this variant, which the game master then enters."""
        return "draws" in {module.name for module in self.rules.modules} and self.kind not in STILL

    def power(self, name: object) -> str:
        return str(self.rules.power(str(name)))

    def code(self, name: object, position: Position | None = None) -> str:
        return str(notation_of(self.rules, position or self.rules.opening).location(str(name)).space)

    def unit(self, name: object) -> str:
        try:
            return str(notation_of(self.rules, self.rules.opening).unit(str(name)))
        except PlenipoError:
            return str(name)  # on a board that has changed

    # Phases

    def phase(self, kind: PhaseKind, season: object = None) -> Phase:
        """Return the phase of `kind` in the season of a label; the first of its kind without one."""
        calendar = self.rules.calendar
        every = (*calendar.opening, *calendar.cycle)
        steps = [i for i, step in enumerate(every) if step.kind is kind]
        if season is None:
            return next(p for p in chain([calendar.first], calendar.after(calendar.first)) if p.kind is kind)
        label = re.match(r"(?:end of )?(\w+)(?: (\d+))?", str(season))
        if label is None:
            raise InvalidCase(f"key 'season': '{season}' is not a season.")
        name, year = label.group(1).capitalize(), int(label.group(2) or calendar.start)
        last = max(i for i, step in enumerate(every) if step.season == name)
        own = [i for i in steps if every[i].season == name] or sorted(steps, key=lambda i: abs(i - last))
        return Phase(every[own[0]].season, year, kind)

    def before_ownership(self, kind: PhaseKind, season: object = None) -> str:
        """Return the last phase of `kind` before centres change hands in the season named."""  # english: ok
        cycle = self.rules.calendar.cycle
        settled = self.phase(PhaseKind.OWNERSHIP, season)
        earlier = [s for s in cycle[: cycle.index((settled.season, settled.kind))] if s.kind is kind]
        return str(Phase(earlier[-1].season, settled.year, kind))

    # Positions

    def position(self, phase: object = None, table: Json | None = None) -> Json:
        """Return the position of the case, in the keys of a line."""
        table = self.table if table is None else table
        new: Json = {} if phase is None else {"phase": str(phase)}
        new["units"] = table.get("units") or {}
        for unit, facts in (table.get("dislodged") or {}).items():
            rest = {"from": facts["from"]} if facts.get("from") else None
            new.setdefault("dislodged", {}).setdefault(facts["owner"], {})[unit] = rest
        new |= {key: table[key] for key in ("contested", "centres", "homes") if key in table}
        if "initial_homes" in table:
            chosen = {self.power(power): homes for power, homes in table["initial_homes"].items()}
            new["homes"] = {power: chosen.get(power, []) for power in self.rules.names}
        new |= self.board()
        slots = {**new.pop("slots", {}), **self.slots(table)}
        return {**new, **({"slots": slots} if slots else {})}

    def board(self) -> Json:
        """Return the changes of the board."""
        changes: list[Json] = []
        for split in self.table.get("splits") or ():
            code = Code(self.code(split["split"]))
            ends = {key: [self.code(split[name]), 0] for key, name in (("from", "first"), ("to", "second"))}
            changes.append({"split": code, **ends, "halves": list(half_names(code, self.rules.board.spaces))})
        holes = [self.code(name) for name in self.table.get("black_holes") or ()]
        changes += [{"closed": code} for code in sorted(self.code(name) for name in self.table.get("closed") or ())]
        changes += [{"closed": code} for code in holes]
        if not changes:
            return {}
        new: Json = {"changes": changes, **({"slots": {"black_holes": holes}} if holes else {})}
        if "centres" not in self.table:
            shut = {change.get("closed") for change in changes} | {change.get("split") for change in changes}
            owners = {p: sorted(c for c in self.rules.opening.centres_of(p) if c not in shut) for p in self.rules.names}
            new["centres"] = owners
        if "splits" in self.table and "homes" not in self.table:
            shut = {change.get("split") for change in changes}
            new["homes"] = {
                p: sorted(c for c in self.rules.opening.homes_of(p) if c not in shut) for p in self.rules.names
            }
        return new

    def slots(self, table: Json) -> Json:
        """Return the memory of the rule modules."""
        new: Json = {}
        names = {module.name for module in self.rules.modules}
        if "walkers" in names and self.kind not in STILL:
            walkers = {**dict.fromkeys(table.get("walker_moves") or {}, ""), **(table.get("walkers") or {})}
            if "walkers" in table and "walker_moves" not in table and self.kind == "walkers" and "cards" not in table:
                walkers = {}  # walkers whose place the case does not name were not checked
            elif "walker_moves" in table:
                walkers = {name: place for name, place in walkers.items() if name in table["walker_moves"]}
            new["walkers"] = {**NOBODY, "places": walkers}
        if "anarchic" in table:
            owner = {unit: power for power, units in (table.get("units") or {}).items() for unit in units}
            new["anarchy"] = [[owner[name], name] for name in table["anarchic"]]
        points = table.get("points_before", table.get("points") if self.kind == "victory" else None)
        if points is not None:
            new["points"] = dict(points)
        return new


_rules: dict[object, Rules] = {}


def load(variant: str, options: Mapping[str, object]) -> Rules:
    """Return the rules of a variant, loaded once."""
    texts = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in options.items()}
    key = (variant, tuple(sorted(texts.items())))
    if key not in _rules:
        _rules[key] = library.load(variant, texts)
    return _rules[key]


def played(source: Source, new: Json) -> CaseView:
    """Return the end of a case with these keys."""
    item = {"id": "x", "variant": source.variant, "options": source.options, "before": {"units": {"$not": None}}}
    case = next(iter(read(yaml.safe_dump([{**item, **new}]), "x")))
    if not isinstance(case, Case):
        raise InvalidCase(case.message)
    *_, (_, before, after) = CasePlayer(load).views(case)
    return after or before


# Orders and the words beside them


def orders_of(value: object) -> dict[str, list[str]]:
    """Return power -> orders, from a mapping or from rows `[power, order]` and `[power, order, word]`."""
    orders: dict[str, list[str]] = {}
    if isinstance(value, dict):
        return {power: [texts] if isinstance(texts, str) else list(texts) for power, texts in value.items()}
    for row in value if isinstance(value, list) else ():
        for power, text in row.items() if isinstance(row, dict) else [row[:2]]:
            orders.setdefault(power, []).append(text)
    return orders


def words_of(value: object, move: str) -> dict[str, Any]:
    """Return power -> order -> the result that its word means."""
    by_power: dict[str, Any] = {}
    for row in value if isinstance(value, list) else ():
        if not isinstance(row, dict) and len(row) == 3 and row[2].casefold() != "open":
            results = by_power.setdefault(row[0], {}).setdefault(row[1], [])
            results.append(word(row[2].casefold(), row[1], move))
        elif not isinstance(row, dict) and len(row) == 3:
            by_power.setdefault(row[0], {}).setdefault(row[1], []).append({"$not": None})
    return {
        power: {text: {"$in_order": results} if len(results) > 1 else results[0] for text, results in orders.items()}
        for power, orders in by_power.items()
    }


def word(name: str, order: str, way: str) -> Any:
    """Return `success` and `fail` as results of an order, `way` that of a move; other words are results."""
    verbs = [verb for verb in SUCCESS if f" {verb} " in f" {order.upper()} "]
    move = " - " in order and not any(verb in verbs for verb in "SC")
    verb = "-" if move else next((verb for verb in verbs if verb != "-"), "")
    if re.search(r" D$|^REMOVE ", order.upper()):
        good: Any = {"$one_of": ["removed", "disbanded"]}
    else:
        good = way if verb == "-" else SUCCESS.get("B" if order.upper().startswith("BUILD") else verb, "holds")
    if name == "success":
        return good
    if name == "fail":
        return {"$not": good} if good != "holds" else "holds"
    return name


# Expectations, key by key: each function adds to those of `after` and `before`


class Expected:
    """The expectations of a phase in the present format, as they are collected."""

    def __init__(self, source: Source, table: Json, keys: Json, orders: object = None) -> None:
        self.source = source
        self.table = table
        self.keys = keys
        self.orders = orders
        self.new: Json = {}
        self.results: dict[str, Json] = {}
        self.all: list[Json] = []
        """Further patterns that all results must match."""

    def unit(self, name: str) -> Json:
        """Return the expectations of one unit's result."""
        key = next((known for known in self.results if self.source.unit(known) == self.source.unit(name)), name)
        return self.results.setdefault(key, {})

    def add(self, key: str, value: Any) -> None:
        """Expect `value` under `key`, in addition to the expectations there."""
        self.new = merged(self.new, {key: value})

    def due(self, power: str, **facts: Any) -> None:
        self.add("adjustments", {power: facts})

    def pieces(self) -> dict[str, str]:
        """Return each unit that is on the board or dislodged before, with its power."""
        units = {unit: power for power, units in (self.table.get("units") or {}).items() for unit in units}
        if self.table.get("dislodged"):
            return {unit: facts["owner"] for unit, facts in self.table["dislodged"].items()}
        return units

    def done(self) -> Json:
        """Return all expectations, shortened where possible."""
        results: Json = {}
        for unit, facts in self.results.items():
            results[unit] = facts["result"] if set(facts) == {"result"} else facts
        if len(self.all) == 1 and not set(results) & set(self.all[0]):
            results |= self.all[0]
        elif self.all:
            results["$all"] = self.all
        return {**({"results": results} if results else {}), **self.new}


def merged(one: Json, other: Json) -> Json:
    both = dict(one)
    for key, value in other.items():
        known = both.get(key)
        if isinstance(known, dict) and isinstance(value, dict):
            both[key] = merged(known, value)
        elif isinstance(known, list) and isinstance(value, list) and key.startswith("$"):
            both[key] = [*known, *(item for item in value if item not in known)]
        elif key in both and known != value:
            raise InvalidCase(f"'{key}' is expected to be {known} and to be {value}.")
        else:
            both[key] = value
    return both


def results(to: Expected, value: Json) -> None:
    texts = [(power, text) for power, orders in orders_of(to.orders).items() for text in orders]
    for unit, result in value.items():
        name = str(result).casefold()
        if name == "void":
            own = [(power, text) for power, text in texts if begins(to.source, text, unit)]
            if own and not readable(to, unit):
                to.add("orders", {own[0][0]: {own[0][1]: "void"}})
                name = "holds"
        to.unit(unit)["result"] = {"$one_of": ["moves", "holds", "supports", "convoys"]} if name == "success" else name


def begins(source: Source, text: str, unit: str) -> bool:
    return (
        text.upper().startswith(unit.upper() + " ") or source.unit(unit).upper() == " ".join(text.split()[:2]).upper()
    )


def readable(to: Expected, unit: str) -> bool:
    """Tell whether an order can be read, on the board and with the units of the case."""
    if to.source.kind == "draw_effect":
        return True
    new = {**to.source.position(None, to.table), "orders": orders_of(to.orders)}
    answer: Any = played(to.source, new)
    return bool(answer["results"][to.source.unit(unit)]["reason"] != "no order")


def dislodged(to: Expected, value: Json) -> None:
    for unit, facts in value.items():
        expected = to.unit(unit)
        expected["dislodged_by"] = facts.get("by", {"$not": None})
        if "retreats" in facts:
            expected["retreats"] = facts["retreats"]
    if "after_movement" not in to.source.expect:
        to.all.append(
            {"$matching": {"dislodged_by": {"$not": None}}, **({"$keys": list(value)} if value else {"$count": 0})}
        )


def legal_retreats(to: Expected, value: Json) -> None:
    for unit, places in value.items():
        to.unit(unit).setdefault("dislodged_by", {"$not": None})
        known = to.unit(unit).get("retreats", {})
        to.unit(unit)["retreats"] = {**known, "$is": places} if known else places


def text_about_retreats(to: Expected, value: Json) -> None:
    for unit, facts in value.items():
        to.unit(unit).setdefault("dislodged_by", {"$not": None})
        known = {"$contains": facts.get("allowed"), "$lacks": facts.get("forbidden")}
        whole = {"$is": to.unit(unit)["retreats"]} if "retreats" in to.unit(unit) else {}
        to.unit(unit)["retreats"] = {**whole, **{key: places for key, places in known.items() if places}}


def units(to: Expected, value: Any) -> None:
    """Read rows `[power, unit, end]`, or power -> its units afterwards."""
    if isinstance(value, dict):
        to.add("units", value)
        return
    ends: dict[str, list[str]] = {}
    there = {to.source.code(unit.partition(" ")[2]): unit for unit in to.pieces()} if not to.table.get("splits") else {}
    for power, unit, end in value:
        ends_here = ends.setdefault(power, [])
        if end == "gone":
            to.unit(unit)["result"] = "disbanded"
        elif end.startswith("x<"):
            to.unit(unit)["dislodged_by"] = there[to.source.code(end[2:])]
        else:
            ends_here.append(f"{unit.split()[0]} {end}")
            moved = to.source.unit(unit) != to.source.unit(f"{unit.split()[0]} {end}")
            way = "retreats" if to.source.kind == "retreat" or to.table.get("dislodged") else "moves"
            if "result" not in to.unit(unit):
                to.unit(unit)["result"] = way if moved else {"$not": way}
            if way == "moves":
                to.unit(unit)["dislodged_by"] = None
    rows = {(power, unit) for power, unit, _ in value}
    whole = rows >= {(power, unit) for unit, power in to.pieces().items()} and way_of(to) == "moves"
    afterwards = {p: here if whole else {"$contains": here} for p, here in ends.items() if whole or here}
    if afterwards:
        to.add("units", afterwards)


def way_of(to: Expected) -> str:
    return "retreats" if to.table.get("dislodged") else "moves"


def after_movement(to: Expected, value: Json) -> None:
    to.add("units", {"$only": value})


def centres_changed(to: Expected, value: object) -> None:
    facts = to.table.get("centres")
    opening = to.source.rules.opening
    shut = {to.source.code(name) for name in to.table.get("closed") or ()}
    owned = facts or {p: sorted(set(opening.centres_of(p)) - shut) for p in to.source.rules.names}
    to.add("centres", {"$not": {"$only": owned}} if value else {"$only": owned})


def destroyed(to: Expected, value: list[str]) -> None:
    to.all.append({"$matching": "disbanded", "$keys": value} if value else {"$matching": "disbanded", "$count": 0})


def adjustment_fact(name: str) -> Callable[[Expected, Json], None]:
    """Return a converter of power -> a fact about its adjustments."""

    def convert(to: Expected, value: Json) -> None:
        for power, fact in value.items():
            to.due(power, **{name: fact})

    return convert


def builds_due(to: Expected, value: Json) -> None:
    """Convert the builds due; none due may mean that units must be removed."""
    exact = to.keys.get("adjustments") or {}
    for power, count in value.items():
        if power in exact:
            if count != max(0, exact[power]):
                raise InvalidCase(f"key 'builds_due': {power} cannot build {count} and be due {exact[power]}.")
            continue
        to.due(power, due=count or {"$max": 0})


def built(to: Expected, value: Json) -> None:
    made = [unit for units in value.values() for unit in units]
    to.all.append({"$matching": "builds", **({"$keys": made} if made else {"$count": 0})})
    for power, units in value.items():
        for unit in units:
            to.unit(unit).update(result="builds", power=power)


def removed(to: Expected, value: Json) -> None:
    if not value:
        to.all.append({"$matching": "removed", "$count": 0})
    for power, gone in value.items():
        to.all.append(
            {"$matching": {"result": "removed", "power": power}, **({"$keys": gone} if gone else {"$count": 0})}
        )


def removed_by_disorder(to: Expected, value: list[str]) -> None:
    pattern = {"result": "removed", "reason": "civil disorder"}
    to.all.append({"$matching": pattern, **({"$keys": value} if value else {"$count": 0})})


def refused(to: Expected, value: Json) -> None:
    for power, orders in orders_of(to.orders).items():
        if power not in value and value:
            continue
        listed = value.get(power, [])
        if isinstance(listed, str):
            to.add("orders", {power: {"$keys": {"$not": []}, "$matching": "void", "$count": {"$not": 0}}})
            continue
        plain = [" ".join(order.split()).upper() for order in listed]
        to.add(
            "orders", {power: {o: "void" if " ".join(o.split()).upper() in plain else {"$not": "void"} for o in orders}}
        )


def eliminated(to: Expected, value: list[str]) -> None:
    keys = ("centres", "homes", "initial_homes", "units")
    named = {to.source.power(power) for key in keys for power in (to.table.get(key) or {})}
    named |= {to.source.power(facts["owner"]) for facts in (to.table.get("dislodged") or {}).values()}
    if to.source.kind == "script":
        to.add("eliminated", value)
        return
    others = sorted(named - {to.source.power(power) for power in value})
    to.add("eliminated", {**({"$contains": value} if value else {}), **({"$lacks": others} if others else {})})


def winner(to: Expected, value: object) -> None:
    to.add("winners", [] if value is None else [value])


def goes_on(to: Expected, value: object) -> None:
    if "winner" not in to.source.expect:
        to.add("winners", [] if value else {"$not": []})
    elif (to.source.expect["winner"] is None) is not value:
        raise InvalidCase("key 'continue': a game that is won is over.")


def lost(to: Expected, value: list[str]) -> None:
    pieces = to.pieces() if to.source.kind == "walkers" else {}
    if pieces:
        to.all.append({"$matching": {"destroyed": True}, **({"$keys": value} if value else {"$count": 0})})
        return
    owner = {unit: power for power, units in (to.table.get("units") or {}).items() for unit in units}
    gone: list[Json] = [{"units": [[owner[name], name]]} if name in owner else {"names": [name]} for name in value]
    if to.table.get("dislodged"):
        gone = [{"units": {"$count": 1, "$each": {"$contains": [name]}}} for name in value]
    to.add("events", {"$matching": {"kind": "unit_destroyed"}, "$is": gone})


def walkers_gone(to: Expected, value: list[str]) -> None:
    before = {**(to.table.get("walkers") or {}), **(to.table.get("walker_moves") or {})}
    places = {name: None if name in value else {"$not": None} for name in before}
    to.add("slots", {"walkers": {"places": places}})


def walkers_gone_count(to: Expected, value: Json) -> None:
    before = {**(to.table.get("walkers") or {}), **(to.table.get("walker_moves") or {})}
    for kind, number in value.items():
        left = sum(name.startswith(f"{kind} ") for name in before) - number
        keys = {"$keys": {"$matching": {"$has": kind}, "$count": left}}
        to.add("slots", {"walkers": {"places": {"$all": [keys]}}})


def anarchic(to: Expected, value: list[str]) -> None:
    to.add("slots", {"anarchy": [{"$in_order": [{"$not": None}, unit]} for unit in value]})


def points_added(to: Expected, value: Json) -> None:
    before = to.table.get("points_before") or {}
    to.add("score", {power: before.get(power, 0) + count for power, count in value.items()})


def halves(to: Expected, value: Json) -> None:
    board: Json = {}
    for half, facts in value.items():
        new: Json = {}
        if "touches_in_order" in facts:
            new["borders"] = {half: {"$round": facts["touches_in_order"]}}
        if "army_moves_to" in facts:
            new["armies"] = {half: facts["army_moves_to"]}
        if "fleet_moves_to" in facts:
            new["fleets"] = facts["fleet_moves_to"] or {half: None}
        if "landlocked" in facts:
            new["spaces"] = {half: {"terrain": "inland" if facts["landlocked"] else {"$not": "inland"}}}
        board = merged(board, new)
    to.add("board", board)
    split = to.source.expect.get("split", (to.table.get("draws") or {}).get("split"))
    to.add("changes", {"$contains": [{"split": split, "halves": {"$in_order": sorted(value)}}]})


def unowned_centres(to: Expected, value: list[str]) -> None:
    to.add("board", {"centres": {"$contains": value}})
    to.add("unowned", {"$contains": value})


def stranded(to: Expected, value: list[str]) -> None:
    for unit in value:
        to.add("board", {"spaces": {unit.partition(" ")[2]: {"terrain": "inland"}}})


EXPECT: dict[str, Callable[[Expected, Any], None]] = {
    "results": results,
    "dislodged": dislodged,
    "legal_retreats": legal_retreats,
    "text_about_retreats": text_about_retreats,
    "units": units,
    "units_after": units,
    "after_movement": after_movement,
    "destroyed": destroyed,
    "centres": lambda to, value: to.add("centres", value),
    "centers": lambda to, value: to.add("centres", value),
    "homes": lambda to, value: to.add("homes", value),
    "centres_changed": centres_changed,
    "unowned": lambda to, value: to.add("unowned", {"$contains": value}),
    "unowned_include": lambda to, value: to.add("unowned", {"$contains": value}),
    "never_home": lambda to, value: to.add("homes", {"$each": {"$lacks": value}}),
    "adjustments": adjustment_fact("due"),
    "delta": adjustment_fact("due"),
    "builds_due": builds_due,
    "build_sites": adjustment_fact("sites"),
    "built": built,
    "removed": removed,
    "removed_by_disorder": removed_by_disorder,
    "refused": refused,
    "eliminated": eliminated,
    "winner": winner,
    "continue": goes_on,
    "annihilated": lost,
    "walkers_removed": walkers_gone,
    "walkers_removed_count": walkers_gone_count,
    "walkers": lambda to, value: to.add("slots", {"walkers": {"places": value}}),
    "anarchic": anarchic,
    "black_holes": lambda to, value: to.add("slots", {"black_holes": value}),
    "points": lambda to, value: to.add("score", value),
    "points_added": points_added,
    "halves": halves,
    "enterable": lambda to, value: to.add("board", {"spaces": {code: {"impassable": False} for code in value}}),
    "unowned_centres_include": unowned_centres,
    "stranded": stranded,
    "split": lambda to, value: to.add(
        "changes", {} if "halves" in to.source.expect else {"$contains": [{"split": value}]}
    ),
    "discarded": lambda to, value: to.add(
        "draws",
        {
            "$matching": {"label": {"$has": "|split"}},
            "$in_order": [{"result": slip} for slip in (*value, to.source.expect["split"])],
        },
    ),
}
"""The converter of each key of the earlier expectations."""


def expected(source: Source, table: Json, keys: Json, orders: object = None, *, words: bool = True) -> Json:
    """Return the expectations `keys`, with the words beside `orders`, in the present format."""
    to = Expected(source, table, keys, orders)
    for key, value in keys.items():
        if key not in NOTES and key in EXPECT:
            EXPECT[key](to, value)
        elif key not in NOTES:
            raise InvalidCase(f"key '{key}' of 'expect' is not known.")
    if words and (by_power := words_of(orders, way_of(to))):
        to.add("orders", by_power)
    return to.done()


# Kinds: from a case of each to the keys of the new one that are played


def movement(source: Source) -> Json:
    table = source.table
    season = table.get("season")
    new = source.position(source.phase(PhaseKind.MOVEMENT, season) if season or source.kind == "walkers" else None)
    new["orders"] = orders_of(table.get("orders"))
    expect = dict(source.expect)
    if source.kind.startswith("movement") and source.kind != "movement_rule" and "results" in expect:
        expect.setdefault("dislodged", {})  # no unit is dislodged, unless the units afterwards show otherwise
    new["expect"] = expected(source, table, expect, table.get("orders"), words=not source.table.get("_again"))
    if "walker_moves" in table:
        new["orders"][GAME_MASTER] = [f"DRAW {name}: {place}" for name, place in table["walker_moves"].items()]
    if "retreat" in table and not source.table.get("_again"):
        facts = table["retreat"]
        rows = facts["units"] if isinstance(facts.get("units"), list) else []
        at = {"dislodged": {unit: {"owner": power} for power, unit, _ in rows} or {"": {"owner": ""}}}
        to = expected(source, {**table, **at}, {k: v for k, v in facts.items() if k != "orders"}, facts.get("orders"))
        season = str(source.phase(PhaseKind.MOVEMENT, season)).rpartition(" ")[0]
        new["steps"] = [{"phase": f"{season} retreats", "orders": orders_of(facts.get("orders")), "expect": to}]
    return new


def retreat(source: Source) -> Json:
    table = source.table
    new = source.position(source.phase(PhaseKind.RETREATS, table.get("season")))
    new["orders"] = orders_of(table.get("orders"))
    new["expect"] = expected(source, table, source.expect, table.get("orders"), words=not table.get("_again"))
    return new


BEFORE = ("adjustments", "delta", "builds_due", "build_sites")
"""Convert the counts before the orders of an adjustment phase."""


def adjustment(source: Source, table: Json | None = None, expect: Json | None = None) -> Json:
    table = source.table if table is None else table
    expect = source.expect if expect is None else expect
    new = source.position(source.phase(PhaseKind.ADJUSTMENTS, table.get("season")), table)
    counted = {key: value for key, value in {**table, **expect}.items() if key in BEFORE}
    if counted:
        new["before"] = expected(source, table, counted)
    new["orders"] = orders_of(table.get("orders"))
    rest = {key: value for key, value in expect.items() if key not in (*BEFORE, "refused_if_tried")}
    new["expect"] = expected(source, table, rest, table.get("orders"), words=not table.get("_again"))
    further: list[Json] = []
    if "refused_if_tried" in expect:
        powers = [*table.get("units", {}), *table.get("centres", {})]
        tried: Json = dict.fromkeys(powers, expect["refused_if_tried"])
        void = {power: dict.fromkeys(orders, "void") for power, orders in tried.items()}
        further.append({"title": "each of these is refused", "orders": tried, "expect": {"orders": void}})
    if "follow_up" in table and not table.get("_again"):
        later = {**({"homes": table["homes"]} if "homes" in table else {}), **table["follow_up"]}
        further.append({"title": "later", **adjustment(source, later, later["expect"])})
    return {**new, **({"alternatives": further} if further else {})}


def ownership(source: Source) -> Json:
    """Return the last phase before centres change hands, and for removals the adjustments after it."""
    table, expect = source.table, source.expect
    season = table.get("season")
    dislodged = bool(table.get("dislodged"))
    kind = PhaseKind.RETREATS if dislodged else PhaseKind.DRAWS if source.by_hand else PhaseKind.MOVEMENT
    new = source.position(source.before_ownership(kind, season))
    if table.get("orders"):
        new["orders"] = orders_of(table["orders"])
    if kind is PhaseKind.DRAWS:
        new["orders"] = {GAME_MASTER: nothing_much(source, new)}
    if "removed" not in expect:
        return {**new, "expect": expected(source, table, expect)}
    counted = {key: value for key, value in expect.items() if key in (*BEFORE, "homes", "centres")}
    rest = {key: value for key, value in expect.items() if key not in counted}
    phase = source.phase(PhaseKind.ADJUSTMENTS, season)
    step = {"phase": str(phase), "expect": expected(source, table, rest)}
    return {**new, "expect": expected(source, table, counted), "steps": [step]}


def victory(source: Source) -> Json:
    def one(table: Json, expect: Json) -> Json:
        facts = {key: value for key, value in source.table.items() if key in ("season", "centres", "points")}
        facts |= {key: value for key, value in table.items() if key in ("centres", "centres_count", "points")}
        if "centres_count" in facts:
            free = sorted(source.rules.board.centres)
            facts["centres"] = {}
            for power, count in facts["centres_count"].items():
                facts["centres"][power], free = free[:count], free[count:]
        facts.setdefault("centres", {})
        kind = PhaseKind.DRAWS if source.by_hand else PhaseKind.MOVEMENT
        new = source.position(source.before_ownership(kind, facts.get("season")), facts)
        if source.by_hand:
            new["orders"] = {GAME_MASTER: nothing_much(source, new)}
        held, source.expect = source.expect, expect
        new["expect"] = expected(source, facts, expect)
        source.expect = held
        return new

    new = one(source.table, source.expect)
    also = source.table.get("also")
    further = [one(item, item["expect"]) for item in also] if isinstance(also, list) else []
    same = [{key: value for key, value in item.items() if key == "expect" or value != new.get(key)} for item in further]
    return {**new, **({"alternatives": same} if same else {})}


def home_choice(source: Source) -> Json:
    table = source.table
    season = table.get("season")
    new: Json = {"phase": str(source.phase(PhaseKind.CHOICE, season))} if season and "units" in table else {}
    rows = table.get("orders_in_time")
    order_sets = [orders_of(table.get("orders") or {})] if "orders" in table else []
    order_sets += [orders_of([row]) for row in rows or ()]
    together: list[dict[str, list[str]]] = []
    for order_set in order_sets:  # one mapping, as long as no power writes again
        if together and not set(order_set) & set(together[-1]):
            together[-1] |= order_set
        else:
            together.append(order_set)
    new["orders"] = together[0] if len(together) == 1 else together
    new["expect"] = chosen(source, table, together, table.get("late") or {})
    if "late" in table:
        late = orders_of(table["late"])
        void = {power: dict.fromkeys(texts, "void") for power, texts in late.items()}
        after = {key: value for key, value in source.expect.items() if key in ("homes", "centres")}
        new["steps"] = [{"orders": late, "expect": {"orders": void, **expected(source, {}, after)}}]
    return new


def chosen(source: Source, table: Json, order_sets: list[dict[str, list[str]]], late: Json) -> Json:
    """Return the expectations of a choice phase."""
    expect = dict(source.expect)
    handed: Json = {}
    for key, name in (("accepted", "accepted"), ("waiting_for", "waiting_for")):
        if key in expect:
            handed[name] = expect.pop(key)
    if "visible_to_others_before_reveal" in expect:
        handed["visible"] = expect.pop("visible_to_others_before_reveal")
    complete = expect.pop("phase_complete", None)
    if complete is not None and complete is not (not handed.get("waiting_for", [] if complete else [""])):
        raise InvalidCase("key 'phase_complete': who is waited for has not chosen.")
    if expect.get("late", "refused") != "refused":
        raise InvalidCase("key 'late' must be 'refused'.")
    if complete is not None and "waiting_for" not in handed:
        handed["waiting_for"] = [] if complete else {"$not": []}
    expect.pop("late", None)
    for power, orders in expect.pop("refused", {}).items():
        if power not in late:  # a text only gives the reason
            every = [text for order_set in order_sets for text in order_set.get(power, [])]
            handed.setdefault("refused", {})[power] = every if isinstance(orders, str) else orders
    return {**({"submissions": handed} if handed else {}), **expected(source, table, expect)}


def still(source: Source) -> Json:
    """Convert facts about the board, the calendar and the words: no phase is played."""
    board: Json = {}
    expect = source.expect
    for row in expect.get("moves") or ():
        board = merged(board, contact(source, row))
    if "centres_total" in expect:
        board = merged(board, {"centres": {"$count": expect["centres_total"]}})
    corners = [{"$count": expect["corners"]}] if "corners" in expect else []
    kinds = {"army_only": "army", "fleet_only": "fleet", "either": "either"}
    corners += [{"$matching": {"takes": kinds[k]}, "$count": expect[k]} for k in kinds if k in expect]
    touching = dict(expect.get("corners_of") or {})
    if "touching_switzerland" in expect:
        touching = merged(touching, {"SWI": expect["touching_switzerland"]})
    corners += [
        {"$matching": {"touches": {"$contains": [{"$has": source.code(name)}]}}, "$count": number}
        for name, number in touching.items()
    ]
    if corners:
        board["corners"] = {"$all": corners} if len(corners) > 1 else corners[0]
    before: Json = {"board": board} if board else {}
    if "phases" in expect:
        words = {"moves": "movement", "builds": "adjustments", "home choice": "choice"}
        phases = list(expect["phases"])
        for old, usual in words.items():
            phases = [f"{p.removesuffix(old)}{usual}" if p.endswith(f" {old}") else p for p in phases]
        before["calendar"] = {"$begins": phases}
    if "accept" in expect:
        before["readings"] = {text: {"$contains": [meaning]} for text, meaning in expect["accept"].items()}
    if "refuse" in expect:
        before["readings"] = {**before.get("readings", {}), **{text: [] for text in expect["refuse"]}}
    return {**source.board(), "before": before}


def contact(source: Source, row: Json) -> Json:
    """Convert a row of `unit`, `from`, `to` and `adjacent`."""
    board = source.rules.board
    notation = notation_of(source.rules, source.rules.opening)
    start, end = (notation.location(row[key]) for key in ("from", "to"))
    way = "armies" if row["unit"].upper() == "A" else "fleets"
    here = str(start.space) if way == "armies" else str(start)
    many = way == "fleets" and not end.coast and bool(board.spaces[end.space].coasts)
    operator = "$contains" if row["adjacent"] else "$lacks"
    if not board.can_stand(UnitKind("A" if way == "armies" else "F"), start) and not row["adjacent"]:
        operator = "$lacks"
    return {way: {here: {operator: [{"$has": str(end.space)} if many else str(end)]}}}


def script(source: Source) -> Json:
    table = source.table
    steps = [
        {
            "phase": str(source.rules.calendar.read(str(step["season"]))),
            **({"orders": orders_of(step["orders"])} if "orders" in step else {}),
            "expect": expected(source, table, step.get("expect") or {}, step.get("orders")),
        }
        for step in table["steps"]
    ]
    for step in steps:
        if not step["expect"]:
            step.pop("expect")
            step.setdefault("orders", {})
    if set(table) & {"season", "units", "centres", "homes", "initial_homes", "anarchic", "walkers"}:
        new = source.position(source.rules.calendar.read(str(table.get("season", table["steps"][0]["season"]))))
        if "units" not in table:
            del new["units"]
        if new["phase"] == steps[0]["phase"]:
            return {**new, **steps[0], "steps": steps[1:]} if steps[1:] else {**new, **steps[0]}
        return {**new, "steps": steps}
    first = str(source.rules.opening.phase)
    if steps[0]["phase"] == first:
        del steps[0]["phase"]
        return {**steps[0], "steps": steps[1:]} if steps[1:] else steps[0]
    return {"steps": steps}


# The opening


def setup(source: Source) -> Json:
    table, expect = source.table, source.expect
    if unplayed := [source.power(power) for power in table.get("unplayed") or ()]:
        for module in source.rules.modules:
            for name in ("majors", "minors") if module.name == "closed_countries" else ():
                powers = getattr(module, name)
                if set(powers) & set(unplayed):
                    source.options[name] = ", ".join(power for power in powers if power not in unplayed)
    source.rules = load(source.variant, source.options)
    conditions: dict[str, Json] = {}
    for key, value in expect.items():
        condition_of_key = next((c for c in sorted(CONDITIONS, key=len) if key.endswith(f"_{c}")), "")
        conditions.setdefault(condition_of_key if CONDITIONS.get(condition_of_key) else "", {})[
            key.removesuffix(f"_{condition_of_key}" if condition_of_key else "")
        ] = value
    orders = orders_of(table.get("orders") or {})
    choosing = source.rules.opening.phase.kind is PhaseKind.CHOICE
    new: Json = {"orders": orders} if orders or choosing else {}
    facts, steps = opening_facts(source, conditions.get("", {}), [orders])
    new["expect" if choosing else "before"] = facts
    further: list[Json] = []
    for condition, keys in conditions.items():
        if condition:
            facts, _ = opening_facts(source, keys, [])
            options = {"options": CONDITIONS[condition], "orders": {}}
            if all(
                load(source.variant, {**source.options, **CONDITIONS[condition]}).options.get(k) == str(v).lower()
                for k, v in CONDITIONS[condition].items()
            ):
                pass
            further.append({**options, "expect": facts})
    for example in table.get("refused_examples") or ():
        order_sets = orders_of({power: texts for power, texts in example.items() if power not in NOTES})
        why = {"why": example["why"]} if "why" in example else {}
        further.append(
            {**why, "orders": order_sets, "expect": {"submissions": {"accepted": [], "refused": order_sets}}}
        )
    return {**new, **({"steps": steps} if steps else {}), **({"alternatives": further} if further else {})}


def opening_facts(source: Source, keys: Json, order_sets: list[dict[str, list[str]]]) -> tuple[Json, list[Json]]:
    """Return the expectations of an opening, and steps for expectations about later phases."""
    rules = source.rules
    regular = load("standard", {})
    to = Expected(source, source.table, keys)
    handed: Json = {key: keys[key] for key in ("accepted", "refused") if key in keys}
    held, source.expect = source.expect, handed
    new = chosen(source, {}, order_sets, {}) if handed else {}
    source.expect = held
    steps: list[Json] = []
    owner = {code: power for power in rules.names for code in rules.opening.homes_of(power)}
    for key, value in keys.items():
        if key == "pieces_by_power":
            to.add("units", {power: {"$count": count} if count else [] for power, count in value.items()})
        elif key == "pieces" and isinstance(value, dict):
            to.add("units", value)
        elif key == "pieces":
            to.add("unit_count", value)
        elif key in ("centres", "homes"):
            to.add(key, value)
        elif key == "centres_total":
            to.add("board", {"centres": {"$count": value}})
        elif key == "victory":
            to.add("board", {"to_win": value})
        elif key in ("neutral_centres", "unowned_at_start"):
            to.add("unowned", value)
        elif key == "not_centres":
            to.add("board", {"centres": {"$lacks": value}})
        elif key in ("powers", "powers_max"):
            to.add("board", {"powers": {"$keys": value} if isinstance(value, list) else {"$count": value}})
        elif key == "majors":
            to.add("board", {"powers": {power: {"$not": None} if power in value else None for power in regular.names}})
        elif key == "minors":
            to.add("board", {"powers": {"$count": len(value) + len(set(rules.names) & set(regular.names))}})
            to.add("homes", {owner[code]: [code] for code in value})
        elif key in ("minors_with_regular_centre", "minors_receiving_a_centre"):
            old = {"$one_of": sorted(regular.board.centres)}
            ours = {
                "$one_of": sorted(
                    code for power in set(rules.names) - set(regular.names) for code in rules.opening.homes_of(power)
                )
            }
            which = [ours, old if key == "minors_with_regular_centre" else {"$not": old}]
            to.add("board", {"centres": {"$all": [{"$matching": {"$all": which}, "$is": value}]}})
            to.add("homes", {owner[code]: [code] for code in value})
        elif key == "major_pieces":
            other = load(str(value), {}).opening
            to.add("units", {p: [str(u) for u in other.units_of(p)] for p in rules.names if p in regular.names})
        elif key == "closed":
            to.add("board", {"spaces": {"$all": [{"$matching": {"impassable": True}, "$keys": value}]}})
        elif key == "multi_coast_provinces":
            to.add("board", {"spaces": {"$all": [{"$matching": {"coasts": {"$not": []}}, "$keys": value}]}})
        elif key in ("fleet_moves_to", "army_moves_to"):
            to.add("board", {{"fleet": "fleets", "army": "armies"}[key.partition("_")[0]]: value})
        elif key == "units_at_start_absent":
            gone = [u for u in value if re.match(r"[AF] ", u)]
            to.add("units", {"$each": {"$lacks": gone}} if gone else {power: [] for power in value})
        elif key == "legal_builds":
            legal: Json = {}
            for power, items in value.items():
                plain = [re.sub(r"^build\s+|\s+b$", "", item, flags=re.IGNORECASE) for item in items]
                codes = sorted({source.code(item.partition(" ")[2]) for item in plain})
                within = {"$one_of": [{"$has": f" {code}"} for code in codes]} if plain else {"$has": " B"}
                legal[power] = {"$matching": within, "$is": [f"{item} B" for item in plain]}
            phase = source.phase(PhaseKind.ADJUSTMENTS)
            steps.append({"phase": str(phase), "units": {}, "before": {"legal": legal}})
        elif key not in handed:
            raise InvalidCase(f"key '{key}' of 'expect' is not known.")
    return {**new, **to.done()}, steps


# Boards that change


def board_of(source: Source, new: Json) -> tuple[Position, Any]:
    """Return the position that the keys of a new case describe, and its board."""
    there = played(source, {key: value for key, value in new.items() if key not in ("orders", "expect", "steps")})
    return there.position, source.rules.board_at(there.position)


def nothing_much(source: Source, new: Json, draws: Json | None = None) -> list[str]:
    """Return the game master's entries: the draws of a case, and harmless ones for those it leaves out."""
    draws = dict(draws or {})
    position, board = board_of(source, new)
    hot = set(re.findall(r"\b[A-Z]{3}\b", str({**source.table, "rules": "", "id": "", "title": ""})))
    near = {code: {other for other in board.borders.get(code, ()) if other is not None} for code in board.spaces}
    calm = [
        code
        for code in provinces(source.rules, position)
        if not (near[code] | {code}) & hot
        and not board.spaces[code].centre
        and code[:3] not in hot
        and not any(board.borders[code].count(other) > 1 for other in near[code])
    ]
    entered = [f"un-hole: {draws['unblack']}"] if "unblack" in draws else []
    hole = draws.get("black_hole") or calm[0]
    entered.append(f"black hole: {hole}")
    calm = [code for code in calm if code != calm[0] and calm[0] not in near[code]]
    slips = [*draws.get("split_draws", ()), *([draws["split"]] if "split" in draws else [])]
    for n, slip in enumerate(slips or calm[:1], 1):
        entered.append(f"split: {slip}" if n == 1 else f"split {n}: {slip}")
    last = source.code(slips[-1], position) if slips else calm[0]
    cards = draws.get("cards")
    ends = list(dict.fromkeys(other for other in board.borders[last] if other is not None))
    result = (
        ", ".join(f"{name} {card}" for name, card in cards.items()) if cards else f"{ends[0]}, {ends[len(ends) // 2]}"
    )
    entered.append(f"cards of {last}: {result}")
    for name, which in (draws.get("contact_card") or {}).items():
        code = source.code(name)
        boards = source.rules.changed_boards
        heights = [point[1] for point in (boards.middles(position.changes, Code(last), Code(code)) if boards else ())]
        best = heights.index({"north": max, "south": min}[which](heights)) + 1 if which in ("north", "south") else which
        entered.append(f"border of {last} with {code}: {best}")
    return [f"DRAW {entry}" for entry in entered]


def draw_effect(source: Source) -> Json:
    table = source.table
    season = table.get("season")
    draws = table.get("draws") or {}
    phase = source.phase(PhaseKind.DRAWS, season)
    expect = expected(source, table, source.expect)
    if table.get("dislodged"):
        new = source.position(source.phase(PhaseKind.RETREATS, season))
        new["orders"] = orders_of(table.get("orders"))
        steps = [{"phase": str(phase), "orders": {GAME_MASTER: nothing_much(source, new, draws)}, "expect": expect}]
    else:
        new = source.position(phase)
        new["orders"] = {GAME_MASTER: nothing_much(source, new, draws)}
        new["expect"] = expect
        steps = []
    if "next_turn" in table:
        later = table["next_turn"]
        step = {"units": later.get("units") or {}, "orders": orders_of(later.get("orders"))}
        later_phase = next(p for p in source.rules.calendar.after(phase) if p.kind is PhaseKind.MOVEMENT)
        steps.append(
            {"phase": str(later_phase), **step, "expect": expected(source, later, later["expect"], later["orders"])}
        )
    return {**new, **({"steps": steps} if steps else {})}


def naming(source: Source) -> Json:
    """Convert splits one after the other, each in a phase of draws."""
    steps: list[Json] = []
    new = {**source.position(source.phase(PhaseKind.DRAWS)), "centres": {}}
    for item in source.table["steps"]:
        code = item["split"]
        phase = str(source.phase(PhaseKind.DRAWS))
        position, board = replayed(source, new, steps)
        around = [other for other in board.borders[code] if other is not None and board.borders[code].count(other) == 1]
        calm = [
            c
            for c in provinces(source.rules, position)
            if c != code
            and not board.spaces[c].impassable
            and not {c, *board.borders[c]} & {code, *around, *hot_codes(source)}
        ]
        entered = [
            f"black hole: {calm[0]}",
            f"split: {code}",
            f"cards of {code}: {around[0]}, {around[len(around) // 2]}",
        ]
        expect = {"changes": {"$contains": [{"split": code, "halves": {"$in_order": item["becomes"]}}]}}
        steps.append(
            {"phase": phase, "units": {}, "orders": {GAME_MASTER: [f"DRAW {e}" for e in entered]}, "expect": expect}
        )
    return {**new, **{k: v for k, v in steps[0].items() if k not in new}, "steps": steps[1:]}


def hot_codes(source: Source) -> set[str]:
    return set(re.findall(r"\b[A-Z]{3}\b", str(source.table["steps"])))


def replayed(source: Source, new: Json, steps: list[Json]) -> tuple[Position, Any]:
    """Return the position after `steps`, and its board."""
    if not steps:
        return board_of(source, new)
    first = {**new, **{key: value for key, value in steps[0].items() if key not in new}}
    there = played(source, {**first, "steps": steps[1:]})
    return there.position, source.rules.board_at(there.position)


def draw_schedule(source: Source) -> Json:
    """Convert the holes of a game turn by turn from its beginning, as the dice draw them."""
    steps = []
    for item in source.table["steps"]:
        season = source.phase(PhaseKind.DRAWS, item["end_of"])
        drawn = [{"$matching": {"label": {"$has": "|un-hole"}}, "$count": item["unblack"]}] if "unblack" in item else []
        drawn += (
            [{"$matching": {"label": {"$has": "|black hole"}}, "$count": item["new_hole"]}]
            if "new_hole" in item
            else []
        )
        holes = {"slots": {"black_holes": {"$count": item["holes_after"]}}} if "holes_after" in item else {}
        movement_phase = f"{season.season} {season.year} movement"
        steps.append({"phase": movement_phase, "expect": {**({"draws": {"$all": drawn}} if drawn else {}), **holes}})
    new = {**source.position(source.phase(PhaseKind.MOVEMENT)), "centres": {}}
    if steps[0]["phase"] == new["phase"]:
        return {**new, **steps[0], "steps": steps[1:]}
    return {**new, "steps": steps}


def walkers(source: Source) -> Json:
    table = source.table
    if "steps" in table:
        steps = []
        for step in table["steps"]:
            held, source.table = source.table, {**step, "kind": "walkers"}
            source.expect = step["expect"]
            steps.append(movement(source))
            source.table = held
        return {**steps[0], "steps": steps[1:]}
    if "cards" in table:
        new = source.position(source.phase(PhaseKind.MOVEMENT))
        ((name, _),) = table["walkers"].items()
        cards = ", ".join(f"{code} {card}" for code, card in table["cards"].items())
        new["orders"] = {GAME_MASTER: [f"DRAW {name}: {cards}"]}
        expect: Json = {}
        if "moves_to" in source.expect:
            expect["slots"] = {"walkers": {"places": {name: source.expect["moves_to"]}}}
        if "no_card_for" in source.expect:
            others = {"$matching": {"$not": {"$one_of": [*table["cards"], None]}}, "$is": source.expect["no_card_for"]}
            ((_, place),) = table["walkers"].items()
            new["before"] = {"board": {"borders": {place: others}}}
            expect["draws"] = [
                {
                    "label": {"$has": name},
                    "slips": {"$is": list(table["cards"]), "$lacks": source.expect["no_card_for"]},
                }
            ]
        return {**new, "expect": expect}
    if "draws" in source.expect:
        return landing(source)
    return movement(source)


def landing(source: Source) -> Json:
    """Convert the first places of the walkers, drawn by dice."""
    expect = source.expect
    source.options.pop("draws", None)
    size = expect["draw_list_size"]
    last = size if expect["with_replacement"] else size - expect["draws"] + 1
    ours = {"$one_of": [{"$has": "|IRISH "}, {"$has": "|PSYCHIATRIST "}]}
    slips = {"slips": {"$all": [{"$count": size}, *([{"$lacks": expect["excluded"]}] if "excluded" in expect else [])]}}
    drawn: list[Json] = [{"$matching": {"label": ours}, "$count": expect["draws"]}]
    if expect["with_replacement"]:
        drawn.append({"$matching": {"label": ours}, "$each": slips})
    else:
        drawn.append({"$matching": {"label": ours, **slips}, "$count": 1})
        drawn.append({"$matching": {"label": ours, "slips": {"$count": last}}, "$count": 1})
    new = source.position(source.phase(PhaseKind.MOVEMENT))
    new.get("slots", {}).pop("walkers", None)
    return {**new, "orders": {}, "expect": {"draws": {"$all": drawn}}}


# Points and promises, and chance


def points(source: Source) -> Json:
    table = source.table

    def one(facts: Json, expect: Json) -> Json:
        if "promises" not in facts:
            kind = PhaseKind.DRAWS
            new = source.position(source.before_ownership(kind, facts.get("season")), facts)
            new.setdefault("centres", {})
            return {
                **new,
                "orders": {GAME_MASTER: nothing_much(source, new)},
                "expect": expected(source, facts, expect),
            }
        new = source.position(source.phase(PhaseKind.MOVEMENT, facts.get("season")), facts)
        new["orders"] = orders_of(facts.get("orders") or {})
        for power, said in facts["promises"].items():
            new["orders"].setdefault(power, []).extend(f"PROMISE {text}" for text in said)
        return {**new, "expect": expected(source, facts, expect)}

    if "cases" not in table:
        return one(table, source.expect)
    every = [one({**table, **item}, item["expect"]) for item in table["cases"]]
    for new, item in zip(every, table["cases"], strict=True):
        new |= {key: value for key, value in item.items() if key in NOTES}
    first, rest = every[0], every[1:]
    return {**first, "alternatives": [{k: v for k, v in n.items() if k == "expect" or v != first.get(k)} for n in rest]}


def promise_text(source: Source) -> Json:
    power = source.power(source.table["power"])
    texts = {key: source.expect.get(key) or [] for key in ("accept", "for_gm")}
    orders = [f"PROMISE {text}" for key in texts for text in texts[key]]
    fates: Json = {f"PROMISE {text}": {"$one_of": ["paid", "unpaid"]} for text in texts["accept"]}
    fates |= {f"PROMISE {text}": "referred" for text in texts["for_gm"]}
    new = source.position(source.phase(PhaseKind.MOVEMENT))
    del new["units"]
    return {**new, "orders": {power: orders}, "expect": {"orders": {power: fates}}}


def randomness(source: Source) -> Json:
    expect = source.expect
    names = {"commitment": "commitment", "replay_equal": "repeats", "tampered_log_detected": "changes_found"}
    chance = {names[key]: value for key, value in expect.items()}
    source.options.pop("draws", None)
    step = {"phase": str(source.phase(PhaseKind.MOVEMENT)), "expect": {"chance": chance, "draws": {"$not": []}}}
    return {"seed": source.table["seed_hex"], "orders": {}, "steps": [step]}


def property_(source: Source) -> Json:
    reason = "a property is held by a property test, not by a worked case"
    return {
        "skip": source.table.get("skip", reason),
        "for_all": source.table.get("for_all", source.expect.get("for_all")),
    }


def turn_sequence(source: Source) -> Json:
    """Convert a sequence of turns: the units are placed as the case says and hold, and centres change hands."""
    table, rules = source.table, source.rules
    power = source.power(table["power"])
    other = next(name for name in rules.names if name != power)
    aside = [
        c
        for c in sorted(set(rules.board.spaces) - rules.board.centres)
        if not rules.board.spaces[c].impassable and str(rules.board.spaces[c].terrain) != "sea"
    ]
    steps: list[Json] = []
    standing: set[str] = set()
    taken: set[str] = set()
    pieces = turn = 0
    phase = next(turns(rules, source.phase(PhaseKind.MOVEMENT, table["steps"][0].get("season"))))
    walk = turns(rules, phase)
    for item in table["steps"]:
        number = item.get("turn", turn + 1)
        while turn < number:
            turn, phase = turn + 1, next(walk)
        captures, loses = ({source.code(c) for c in item.get(key) or ()} for key in ("captures", "loses"))
        left = item.get("unit_leaves", [])
        gone = standing if left is True else {source.code(c) for c in ([left] if isinstance(left, str) else left)}
        pieces = item.get("pieces", pieces) - item.get("loses_pieces", 0)
        standing = (standing | captures) - gone - loses
        taken = (taken | loses) - captures
        mine = [*sorted(standing), *aside[: pieces - len(standing)]]
        expect = item.get("expect") or {}
        facts = {
            "builds": expect.get("pieces_allowed_for_builds"),
            "keeps": expect.get("pieces_allowed_before_removal"),
        }
        if expect.get("removals_due") or expect.get("builds_due"):
            facts["due"] = expect.get("builds_due") or -expect["removals_due"]
        elif "removals_due" in expect and "builds_due" in expect:
            facts["due"] = 0
        elif "builds_due" in expect:
            facts["due"] = {"$max": 0}
        new: Json = {
            "phase": str(phase),
            "units": {power: [f"A {c}" for c in mine], other: [f"A {c}" for c in sorted(taken)]},
        }
        if not steps:
            owned = {source.code(c) for c in item["owned_before"]}
            theirs = {p: [c for c in rules.opening.centres_of(p) if c not in owned] for p in rules.names if p != power}
            new["centres"] = {power: sorted(owned), **theirs}
        elif "owned_before" in item:
            new["before"] = {"centres": {power: item["owned_before"]}}
        facts = {key: value for key, value in facts.items() if value is not None}
        new["expect"] = {"centres": {power: expect["owned"]}} if "owned" in expect else {}
        new["expect"] |= {"adjustments": {power: facts}} if facts else {}
        notes = {key: item[key] for key in ("captures", "loses", "nobody_enters") if item.get(key)}
        if notes:
            new["note"] = "; ".join(f"{key}: {value}" for key, value in notes.items())
        steps.append(new)
        pieces -= max(0, expect.get("removals_due", 0))
    return {**steps[0], "steps": steps[1:]}


def turns(rules: Rules, phase: Phase) -> Iterator[Phase]:
    """Yield the last movement of each turn, from that of `phase` on."""
    last = phase
    for later in chain([phase], rules.calendar.after(phase)):
        if later.kind is PhaseKind.MOVEMENT:
            last = later
        elif later.kind is PhaseKind.OWNERSHIP:
            yield last


KINDS: dict[str, Callable[[Source], Json]] = {
    **dict.fromkeys(("movement", "movement_rule", "movement+retreat"), movement),
    "retreat": retreat,
    "adjustment": adjustment,
    **dict.fromkeys(("ownership", "homes", "elimination"), ownership),
    "victory": victory,
    "home_choice": home_choice,
    **dict.fromkeys(("adjacency", "map", "calendar", "parse"), still),
    "setup": setup,
    "script": script,
    **dict.fromkeys(("draw_effect", "split"), draw_effect),
    "naming": naming,
    "draw_schedule": draw_schedule,
    "walkers": walkers,
    "points": points,
    "promise_text": promise_text,
    "randomness": randomness,
    "property": property_,
    "turn_sequence": turn_sequence,
}

STILL = frozenset({"adjacency", "map", "calendar", "parse", "setup", "draw_schedule", "randomness", "property"})
"""Kinds of case without draws, or with dice alone."""


# Alternatives: the same case under other options

WORDS: dict[tuple[str, str], str] = {
    ("4.A.1", "a"): "any",
    ("4.A.1", "b"): "all",
    ("4.A.4", "a"): "no-cut",
    ("4.A.4", "b"): "cut",
    ("4.A.5", "a"): "forbidden",
    ("4.A.5", "b"): "allowed",
    ("4.A.7", "a"): "no-effect",
    ("4.A.7", "b"): "bounces",
    ("4.B.2", "strict"): "void",
    ("4.B.3", "lenient"): "corrected",
    ("4.B.4", "strict"): "required",
    ("4.B.5", "strict"): "void",
    ("4.B.6", "strict"): "void",
    ("4.C.1", "strict"): "void",
    ("4.C.2", "strict"): "void",
}
"""The meaning of a letter or a word under each number of the DATC."""

PHRASES = {
    "explicit adjacent convoy": {"4.A.3": "explicit"},
    "fall-back to the land route allowed": {"4.A.3": "intent-or-land"},
}
"""Whole phrases, without additions in brackets or after a colon."""


def choices_meant(when: str) -> list[Json]:
    """Return the options that a condition in prose stands for; several if it names several rulebooks or readings."""
    plain = " ".join(re.sub(r"\([^()]*\)", " ", when).split(":")[0].split())
    ways: list[Json] = []
    for way in plain.split(", or "):
        combined: list[Json] = [{}]
        for part in way.split(" with "):
            combined = [{**one, **other} for one in combined for other in _part(part)]
        ways += combined
    return [options for i, options in enumerate(ways) if options not in ways[:i]]


def _part(part: str) -> list[Json]:
    if part.casefold() in PHRASES:
        return [dict(PHRASES[part.casefold()])]
    if policy := re.fullmatch(r"(4\.[A-E]\.\d+) (?:choice |rule of |rulebook rules? |policy )?(\S+)", part):
        key, name = policy.groups()
        if (key, name) in WORDS:
            return [{key: WORDS[key, name]}]
        return [{key: POLICIES[key].editions[EDITIONS.index(year)]} for year in name.split("/")]
    if before := re.fullmatch(r"rulebooks? before (\d+)", part):
        return [{"rulebook": edition} for edition in EDITIONS if edition.isdigit() and edition < before.group(1)]
    if several := re.fullmatch(r"rulebooks? (?:of )?(\S+)", part):
        return [{"rulebook": year} for year in several.group(1).split("/")]
    raise InvalidCase(f"key 'when': '{part}' names no option.")


def alternative(table: Json, other: Json, new: Json) -> Json:
    """Return an alternative: the case converted anew with its options and expectations, where it differs."""
    standing = {
        key: value for key, value in table.items() if key not in ("alternatives", "expect", "retreat", "phase", "kind")
    }
    kind = str(table.get("kind", table.get("phase"))).removesuffix("+retreat")
    own = {key: value for key, value in other.items() if key not in {*NOTES, "when", "options", "expect", "skip"}}
    expect = {**(other.get("expect") or {}), **own}
    ways = other["options"] if "options" in other else choices_meant(other["when"])
    ways = [ways] if isinstance(ways, dict) else ways
    first = {**(table.get("options") or {}), **ways[0]}
    again = play({**standing, "kind": kind, "options": first, "expect": expect, "_again": True})
    said = {key: value for key, value in other.items() if key in {*NOTES, "when", "skip"}}
    rest = {
        k: v for k, v in again.items() if k in ("expect", "before", "steps") or (k != "options" and v != new.get(k))
    }
    return {**said, "options": ways[0] if len(ways) == 1 else ways, **rest}


def play(table: Json) -> Json:
    """Return the keys of a converted case that are played, its options among them."""
    source = Source(dict(table))
    if source.kind not in KINDS:
        raise InvalidCase(f"kind '{source.kind}' is not known.")
    new = KINDS[source.kind](source)
    return {**({"options": source.options} if source.options else {}), **new}


def converted(table: Json) -> Json:
    """Return a whole case in the present format."""
    new = play(table)
    head = {key: table[key] for key in ("id", "title", *table) if key in {"id", *NOTES} and key in table}
    if not isinstance(head.get("also", ""), str):
        del head["also"]
    also = (table.get("expect") or {}).get("also")
    if isinstance(also, str):
        head["also"] = also
    tail: Json = {
        key: head.pop(key)
        for key in ("note", "given", "why", "also", "cross_checked", "depends_on", "differs", "setup_filled_in")
        if key in head
    }
    further = [
        *new.pop("alternatives", []),
        *(alternative(table, other, new) for other in table.get("alternatives") or ()),
    ]
    if "variant" in table:
        head["variant"] = table["variant"]
    if "skip" in table:
        new["skip"] = table["skip"]
    if new.get("options") and "rulebook" in new["options"] and "edition" in table:
        head["edition"] = new["options"].pop("rulebook")
    new = {key: value for key, value in new.items() if value or key in ("units", "orders", "centres")}
    return {**head, **new, **({"alternatives": further} if further else {}), **tail}


# Writing

WIDTH = 118


def flow(value: Any) -> str:
    """Return a value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    return yaml.safe_dump([value], default_flow_style=True, width=10**6, allow_unicode=True).strip()[1:-1]


def wrapped(text: str, space: str) -> list[str]:
    """Return a text over several lines, which YAML reads as one."""
    indent = f"{space}  "
    return textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def block(value: Any, indent: int) -> Iterator[str]:
    """Yield the lines of a mapping or a list, each piece on one line where it fits."""
    space = " " * indent
    for key, item in value.items() if isinstance(value, dict) else ((None, item) for item in value):
        lead = f"{space}{flow(key)}:" if key is not None else f"{space}-"
        line = f"{lead} {flow(item)}"
        several = (key is None and not indent) or key == "steps" or (key in ("expect", "before") and len(item) > 1)
        if not item or (len(line) <= WIDTH and not several):
            yield line
        elif isinstance(item, str):
            yield f"{lead} >-"
            yield from wrapped(item, space)
        elif isinstance(item, list) and not any(isinstance(one, dict | list) for one in item) and key is not None:
            yield f"{lead} ["
            yield from wrapped(flow(item)[1:-1], space)
            yield f"{space}]"
        elif key is None:
            lines = list(block(item, indent + 2))
            yield f"{space}- {lines[0].lstrip()}"
            yield from lines[1:]
        else:
            yield lead
            yield from block(item, indent + (0 if isinstance(item, list) else 2))


def convert(text: str) -> str:
    """Return a file in the present format, with its comments between cases."""
    items = list(entries(text, HEADINGS))
    lines = text.splitlines()
    top = next((i for i, line in enumerate(lines) if line.startswith("cases:")), -1)
    out = lines[: top + 1]
    starts = [entry.line - 1 for entry in items]
    for n, entry in enumerate(items):
        if entry.fault:
            raise InvalidCase(entry.fault)
        above = starts[n]
        while above > top + 1 and (not lines[above - 1].strip() or lines[above - 1].lstrip().startswith("#")):
            above -= 1
        comments = lines[above : starts[n]]
        out += comments if comments or n == 0 else [""]
        table = entry.value if isinstance(entry.value, dict) else {"id": entry.value}
        try:
            out += block([converted(table)], 0)
        except (PlenipoError, KeyError, StopIteration, TypeError) as error:
            raise InvalidCase(f"case '{table.get('id')}' cannot be converted: {error}") from error
    return "\n".join(out) + "\n"


def main() -> None:
    """Convert the file named first into the one named second."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    old, new = map(Path, sys.argv[1:])
    try:
        new.write_text(convert(old.read_text(encoding="utf-8")), encoding="utf-8")
    except (OSError, PlenipoError) as error:
        sys.exit(f"'{old}' cannot be converted: {error}")


if __name__ == "__main__":
    main()
