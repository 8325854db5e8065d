"""Pages of Backstabbr: each shows a turn of a game, and several of them are one game.

A page has the address `/game/NAME/ID/YEAR/SEASON`, and its script the data of the turn: `orders`
(`{"France": {"Par": {"type": "MOVE", "to": "Bur", "result": "SUCCEEDS"}}}`), `unitsByPlayer` and `territories`, both as
they were before the orders, and `retreatOptions` while retreats are awaited. A retreat stands in the order of the
dislodged unit. A page may be a saved file, the source of a page, or text that was copied from one; a line with the
address, or with the turn alone (`Spring 1901`), may stand before each.
"""

import html
import json
import re
from base64 import urlsafe_b64decode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from plenipo.engine.history.game import Game
from plenipo.engine.sentences import say
from plenipo.engine.wording import in_quotes
from plenipo.errors import InvalidRecord
from plenipo.formats.base import Format, GamePart, LoadRules
from plenipo.formats.playback import play_back
from plenipo.formats.transcript import StatedPhase, StatedPosition, StatedUnit, Transcript
from plenipo.formats.words import FIELD_CODES

__all__ = ["BACKSTABBR"]

VARIANT, START = "standard", 1901

SEASONS = ("spring", "fall", "winter")

EXAMPLE = "https://www.backstabbr.com/game/NAME/ID/1901/spring"

MOST_PAGES = 2000
"""The most pages of a game."""

LONGEST = 1 << 18
"""The most characters of the data of a page under one name; those of a real page have fewer than 10,000."""

_NAMES = ("orders", "unitsByPlayer", "territories", "retreatOptions")
_HEAD = 1 << 16
_SHOWN = 60
_TURN = r"(?P<season>spring|fall|winter)[ ](?P<year>\d{3,4})"
_PATH = r"/(?P<game>(?:game|sandbox)/[^\s\"'<>?#]{1,200}?)/(?P<year>\d{3,4})/(?P<season>spring|fall|winter)\b"
_HOST = r"(?:https?://[\w.:-]{1,80})?"
_OWN_LINE = (
    rf"^[ \t]{{0,80}}(?:(?:view-source:|url:[ ]?)?{_HOST}{_PATH}/?|{_TURN.replace('season', 's').replace('year', 'y')})"
    rf"[ \t]{{0,80}}$"
)
_LINE = re.compile(_OWN_LINE, re.IGNORECASE | re.MULTILINE)
_BOUNDARY = re.compile(rf"{_OWN_LINE}|<!doctype\b|</?html\b", re.IGNORECASE | re.MULTILINE)
_ADDRESS = re.compile(
    r"(?:saved from url=\(\d{1,9}\)|rel=[\"']canonical[\"'] href=[\"']|property=[\"']og:url[\"'] content=[\"'])"
    rf"{_HOST}{_PATH}",
    re.IGNORECASE,
)
_KEY = re.compile(r"name=[\"']state_key[\"'][^>]{0,100}value=[\"']([\w+/=-]{1,400})[\"']", re.IGNORECASE)
_PLACE = re.compile(r"(?P<season>spring|fall|winter)/(?P<year>\d{3,4})", re.IGNORECASE)
_HEADING = re.compile(
    rf"id=[\"'](?:map-season|history_current_season)[\"'][^>]{{0,200}}>\s{{0,80}}(?:<[^>]{{0,200}}>\s{{0,80}}){{0,4}}{_TURN}",
    re.IGNORECASE,
)
_TITLE = re.compile(rf"(?:<title>|og:title[\"'] content=[\"'])[^<\"]{{0,300}}\({_TURN}\)", re.IGNORECASE)
_DATA = re.compile(
    rf"(?:\b(?:var|let|const)\s{{1,20}}|\bwindow\.)(?P<name>{'|'.join(_NAMES)})\s{{0,20}}=\s{{0,20}}(?=\{{)"
)
_ESCAPED = re.compile(rf"{_DATA.pattern}\{{\s{{0,20}}&quot;")
_BASE = re.compile(r"\bbase_url\s{0,20}=\s{0,20}[\"']/(?P<game>(?:game|sandbox)/[^\s\"'<>?#]{1,200})[\"']")
_TAG = re.compile(r"<[^<>]{0,2000}>")
_CODES = {there: here for here, there in FIELD_CODES.items()}
_MARKED_PLACE = re.compile(r"([A-Za-z]{3})(?:[./ ]?([news]c))?", re.IGNORECASE)
_DECODER = json.JSONDecoder()


# Pages


@dataclass(frozen=True)
class _TurnPage:
    """A page: its turn as year and number of the season, the game if it is known, and its data by their names."""

    year: int
    season: int
    game: str
    data: Mapping[str, Mapping[str, Any]]

    @property
    def turn(self) -> str:
        """The code of the phase of the orders: S1901M."""
        return f"{SEASONS[self.season][0].upper()}{self.year}{'A' if self.season == SEASONS.index('winter') else 'M'}"

    @property
    def orders(self) -> Mapping[str, Any]:
        """The orders by powers."""
        return self.data.get("orders", {})

    @property
    def has_results(self) -> bool:
        """True if the turn was adjudicated."""
        return any(
            _is_object(order) and order.get("result") for given in self.orders.values() for order in given.values()
        )


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _sniff(text: str) -> bool:
    head = text[:_HEAD]
    if head.lstrip("\ufeff \n\t").startswith(("{", "[")):
        return False
    names = {found["name"] for found in _DATA.finditer(head)}
    return bool(names - {"orders"}) or ("backstabbr" in head.lower() and bool(names or _BOUNDARY.search(head)))


def _list_pages(text: str) -> Iterator[str]:
    """Yield the text of each page that has data; what stands before it, such as its address, is a part of it."""
    starts, inside = [0], False
    for found in _BOUNDARY.finditer(text):
        word = found[0].lower()
        if word == "</html":
            inside = False
        elif word in ("<html", "<!doctype") or not inside:
            starts.append(found.start())
            inside = inside or word.startswith("<")
    begin = 0
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        if _DATA.search(text, start, end):
            yield text[begin:end]
            begin = end


def _read_page(text: str, number: int) -> _TurnPage:
    data: dict[str, Mapping[str, Any]] = {}
    where: dict[str, str] = {}
    for found in _DATA.finditer(text):
        name, piece = found["name"], text[found.end() : found.end() + LONGEST]
        if name in data:
            if not piece.startswith((where[name], "{}")):
                raise InvalidRecord(
                    say(
                        "Page {number} has different '{name}' twice; write the address of each turn, such as "
                        "{example}, in a line before it.",
                        number=number,
                        name=name,
                        example=EXAMPLE,
                    )
                )
            continue
        try:
            value, end = _DECODER.raw_decode(piece)
        except (ValueError, RecursionError) as fault:
            raise InvalidRecord(
                say("Page {number}: '{name}' is not valid JSON, or it was cut off.", number=number, name=name)
            ) from fault
        if not all(map(_is_object, value.values())) and name in ("orders", "unitsByPlayer"):
            raise InvalidRecord(
                say("Page {number}: '{name}' must have an object for each power.", number=number, name=name)
            )
        data[name], where[name] = value, piece[:end]
    year, season, game = _find_turn(text, number)
    return _TurnPage(year, season, game, data)


def _find_turn(text: str, number: int) -> tuple[int, int, str]:
    """Return the year, the season and the game of a page; what it says of itself goes before its address."""
    lines = list(_LINE.finditer(text))
    address = next((line for line in lines if line["game"]), None) or _ADDRESS.search(text)
    base = _BASE.search(text)
    game = base["game"] if base else address["game"] if address else ""
    asked = _place(address["year"], address["season"]) if address else None
    key = _KEY.search(text)
    shown = _PLACE.search(_decode_key(key[1])) if key else None
    if shown is not None:
        place = _place(shown["year"], shown["season"])
        if asked not in (None, place):
            raise InvalidRecord(
                say(
                    "Page {number} shows another turn, {shown}, than the one of its address, {asked}.",
                    number=number,
                    shown=f"{SEASONS[place[1]]} {place[0]}",
                    asked=f"{address['season'].lower()} {address['year']}" if address else "",
                )
            )
        return (*place, game)
    if asked is not None:
        return (*asked, game)
    heading = _HEADING.search(text) or _TITLE.search(text)
    if heading is not None:
        return (*_place(heading["year"], heading["season"]), game)
    for line in lines:
        return (*_place(line["y"], line["s"]), game)
    raise InvalidRecord(
        say(
            "Page {number} does not say which turn it shows; write its address, such as {example}, in a line before "
            "it.",
            number=number,
            example=EXAMPLE,
        )
    )


def _decode_key(text: str) -> str:
    """Return a key of the site as text; the turn stands in it in plain words."""
    try:
        return urlsafe_b64decode(text.replace("+", "-").replace("/", "_") + "==").decode("latin-1")
    except ValueError:
        return ""


def _place(year: str, season: str) -> tuple[int, int]:
    return int(year), SEASONS.index(season.lower())


def _sort_pages(pages: Sequence[_TurnPage]) -> list[_TurnPage]:
    """Return the pages in the order of their turns, each once; raise `InvalidRecord` if they are not of one game."""
    games = list(dict.fromkeys(page.game.rpartition("/")[2] for page in pages if page.game))
    if len(games) > 1:
        raise InvalidRecord(
            say("The pages are of different games, {one} and {other}; read each alone.", one=games[0], other=games[1])
        )
    known: dict[tuple[int, int], _TurnPage] = {}
    for page in sorted(pages, key=lambda page: (page.year, page.season, page.has_results)):
        other = known.get((page.year, page.season))
        if other is not None and other.has_results == page.has_results and other.data != page.data:
            raise InvalidRecord(say("{name}: two pages have different orders of this turn.", name=page.turn))
        known[page.year, page.season] = page
    found = list(known.values())
    for one, other in pairwise(found):
        year, season = one.year, one.season
        while (year, season) < (other.year, other.season):
            year, season = (year + 1, 0) if season == len(SEASONS) - 1 else (year, season + 1)
            # a winter without builds may have no page
            if (year, season) < (other.year, other.season) and SEASONS[season] != "winter":
                missing = f"{SEASONS[season]} {year}"
                raise InvalidRecord(
                    say("The page of {missing} is missing, so the game cannot be followed.", missing=missing)
                )
    return found


# Phases


def _not_understood(page: _TurnPage, value: object) -> InvalidRecord:
    text = in_quotes(json.dumps(value, ensure_ascii=False)[:_SHOWN])
    return InvalidRecord(
        say(
            "{name}: {text} is no unit, order or place as the pages of Backstabbr have them.", name=page.turn, text=text
        )
    )


def _write_place(page: _TurnPage, name: object, coast: object = None) -> str:
    """Return a place with our code: `STP/NC` for Stp and nc."""
    found = _MARKED_PLACE.fullmatch(name) if isinstance(name, str) else None
    if found is None or not (coast is None or isinstance(coast, str)):
        raise _not_understood(page, [name, coast] if coast else name)
    code, shore = found[1].upper(), (coast or found[2] or "").upper()
    return f"{_CODES.get(code, code)}{'/' if shore else ''}{shore}"


def _read_units(page: _TurnPage) -> dict[tuple[str, str], str]:
    """Return the units by their powers and spaces, as text: `F STP/SC`."""
    units: dict[tuple[str, str], str] = {}
    for power, placed in page.data.get("unitsByPlayer", {}).items():
        for name, unit in placed.items():
            kind, coast = (unit.get("type"), unit.get("coast")) if isinstance(unit, dict) else (unit, None)
            if kind not in ("A", "F"):
                raise _not_understood(page, {name: unit})
            units[power, _write_place(page, name)] = f"{kind} {_write_place(page, name, coast)}"
    return units


def _read_owners(page: _TurnPage) -> dict[str, str] | None:
    if "territories" not in page.data:
        return None
    owners = {}
    for name, power in page.data["territories"].items():
        if not isinstance(power, str | None):
            raise _not_understood(page, {name: power})
        if power:
            owners[_write_place(page, name)] = power
    return owners


def _state_phases(page: _TurnPage, *, first: bool, last: bool) -> Iterator[StatedPhase]:
    """Yield the phases of a page: the movement and its retreats, or the adjustments."""
    units, owners = _read_units(page), _read_owners(page)
    if not units and first and (page.year, page.season) != (START, 0):
        raise InvalidRecord(
            say("{name}: the page has no 'unitsByPlayer', so its position is not known.", name=page.turn)
        )
    placed = tuple(StatedUnit(power, text) for (power, _), text in units.items())
    position = StatedPosition(placed, (), owners) if units else None
    if page.turn.endswith("A"):
        changes = _read_changes(page, units)
        if units and _is_position_after(page, units):
            position = None
        yield StatedPhase(page.turn, position, changes, played=not last or any(changes.values()))
        return
    orders: dict[str, list[str]] = {}
    retreats: dict[str, list[str]] = {}
    results: dict[str, frozenset[str]] = {}
    awaited = {_write_place(page, name) for name in page.data.get("retreatOptions", {})}
    for power, name, order in _list_orders(page):
        space = _write_place(page, name)
        unit = units.get((power, space), "" if units else space)
        if not unit:
            raise InvalidRecord(
                say(
                    "{name}: {power} orders a unit in {place}, where 'unitsByPlayer' has none of its units.",
                    name=page.turn,
                    power=power,
                    place=in_quotes(name),
                )
            )
        orders.setdefault(power, []).append(_write_order(page, units, unit, order))
        results[unit] = _list_results(order, dislodged="retreat" in order or space in awaited)
        if (retreat := order.get("retreat")) is not None:
            retreats.setdefault(power, []).append(_write_retreat(page, unit, retreat))
    known = page.has_results
    powers = {power for power, _ in units}
    played = bool(orders) and (known or not last or first or powers <= orders.keys())
    given = {power: tuple(texts) for power, texts in orders.items()}
    yield StatedPhase(page.turn, position, given, results if known else None, played=played or not last)
    if known and (fallen := sum("dislodged" in words for words in results.values())):
        complete = fallen == sum(map(len, retreats.values()))
        if complete or not last:
            yield StatedPhase(f"{page.turn[:-1]}R", None, {power: tuple(texts) for power, texts in retreats.items()})


def _list_orders(page: _TurnPage) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield the power, the place and the order of each unit; orders that fail come last, so that others go first."""
    given = [(power, name, order) for power, orders in page.orders.items() for name, order in orders.items()]
    for _, name, order in given:
        if not isinstance(order, dict) or not isinstance(order.get("type"), str):
            raise _not_understood(page, {name: order})
    yield from sorted(given, key=lambda one: one[2].get("result") == "FAILS")


def _write_order(page: _TurnPage, units: Mapping[tuple[str, str], str], unit: str, order: Mapping[str, Any]) -> str:
    """Return an order of a movement as people write it."""
    kind, start, to = order["type"].upper(), order.get("from"), order.get("to")
    if kind == "HOLD":
        return f"{unit} H"
    if kind == "MOVE" and to:
        return f"{unit} - {_write_place(page, to, order.get('to_coast'))}"
    if kind in ("SUPPORT", "CONVOY") and start:
        space = _write_place(page, start).partition("/")[0]
        other = next((text for (_, place), text in units.items() if place == space), space)
        verb = kind[0]
        if not to or (kind == "SUPPORT" and to == start):
            return f"{unit} {verb} {other}"
        return f"{unit} {verb} {other} - {_write_place(page, to, order.get('to_coast'))}"
    raise _not_understood(page, order)


def _write_retreat(page: _TurnPage, unit: str, retreat: object) -> str:
    """Return the retreat of a dislodged unit, or that it is disbanded."""
    if isinstance(retreat, dict):
        if retreat.get("type") == "DISBAND":
            return f"{unit} D"
        if retreat.get("type") == "MOVE" and retreat.get("to"):
            return f"{unit} R {_write_place(page, retreat['to'], retreat.get('to_coast'))}"
    raise _not_understood(page, retreat)


def _read_changes(page: _TurnPage, units: Mapping[tuple[str, str], str]) -> dict[str, tuple[str, ...]]:
    """Return the builds and removals of each power."""
    orders: dict[str, list[str]] = {}
    for power, name, order in _list_orders(page):
        kind, letter = order["type"].upper(), order.get("unit_type")
        if kind == "WAIVE":
            text = "WAIVE"
        elif kind == "BUILD" and letter in ("A", "F"):
            text = f"{letter} {_write_place(page, name, order.get('coast'))} B"
        elif kind in ("DISBAND", "REMOVE"):
            space = _write_place(page, name).partition("/")[0]
            text = f"{units.get((power, space), space)} D"
        else:
            raise _not_understood(page, {name: order})
        orders.setdefault(power, []).append(text)
    return {power: tuple(texts) for power, texts in orders.items()}


def _is_position_after(page: _TurnPage, units: Mapping[tuple[str, str], str]) -> bool:
    """Return True if the units of a winter are those after its builds and removals."""
    done = [one for one in _list_orders(page) if one[2].get("result") == "SUCCEEDS"]
    there = {(power, name): (power, _write_place(page, name).partition("/")[0]) in units for power, name, _ in done}
    return any(there[power, name] == (order["type"].upper() == "BUILD") for power, name, order in done)


def _list_results(order: Mapping[str, Any], *, dislodged: bool) -> frozenset[str]:
    """Return the words about the result of an order."""
    words = {"dislodged"} if dislodged else set()
    if order["type"].upper() == "MOVE" and order.get("result") == "FAILS":
        words.add("void" if str(order.get("result_reason")).startswith("Invalid") else "bounce")
    return frozenset(words)


def _read(text: str, load: LoadRules) -> Game:
    if _ESCAPED.search(text):
        text = html.unescape(_TAG.sub("", text))  # a page that shows the source of another one
    pages: list[_TurnPage] = []
    for number, page in enumerate(_list_pages(text), 1):
        if number > MOST_PAGES:
            raise InvalidRecord(say("There are more than {most} pages, which is more than is read.", most=MOST_PAGES))
        pages.append(_read_page(page, number))
    if not any("orders" in page.data or "unitsByPlayer" in page.data for page in pages):
        raise InvalidRecord(
            say("No page has 'orders' or 'unitsByPlayer' in its script, so this is no turn of a game of Backstabbr.")
        )
    found = _sort_pages(pages)
    phases = [phase for page in found for phase in _state_phases(page, first=page is found[0], last=page is found[-1])]
    return play_back(Transcript(VARIANT, tuple(phases)), load)


BACKSTABBR = Format(
    "backstabbr",
    "pages of Backstabbr",
    _sniff,
    _read,
    preserves=frozenset({GamePart.ORDERS, GamePart.POSITIONS, GamePart.RESULTS}),
)
