"""The reports of the judges, nJudge and DPjudge, as mails and as pages: orders with their results, phase by phase.

Each part begins with a line such as `Movement results for Spring of 1901.` or, on a page, `Results for Spring of 1901`
and a heading. An order is `Austria: Army Vienna -> Galicia.  (*bounce*)`, and every unit has one; where units went
follows from the results. A game that began in another year is read as one from 1901. Parts may stand in any order, and
a part that is there twice counts once, one that says that it was voided not at all; so the mails or pages of a game may
be joined.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from plenipo.engine.history.game import Game
from plenipo.engine.sentences import say
from plenipo.errors import InvalidRecord
from plenipo.formats.base import Format, GamePart, LoadRules
from plenipo.formats.playback import play_back
from plenipo.formats.transcript import StatedPhase, StatedPosition, StatedUnit, Transcript

__all__ = ["JUDGE"]

VARIANT, START = "standard", 1901

LONGEST = 1000
"""The most characters of an order."""

_TITLE = re.compile(
    r"(?P<what>Movement|Retreat|Adjustment)?\s*(?:results|orders|Results) for "
    r"(?P<season>Spring|Summer|Fall|Autumn|Winter)(?: of)? (?P<year>\d{3,5})\b.*"
)
_HEADING = re.compile(r"(Movement|Retreat|Adjustment)s?\.?")
_LINE = re.compile(r"(?P<power>[A-Z][\w' -]{2,30}?)(?:\s?\(\*[^)]*\*\))?:\s+(?P<text>.+)")
_WORDS = re.compile(r"\(\*([a-z, ]+)\*\)\.?\s*$")
_UNIT = re.compile(r"(?P<unit>(?:Army|Fleet) .+?)\s+(?:SUPPORT|CONVOY|HOLD|DISBAND|=>|->|-|No ORDER)", re.IGNORECASE)
_GONE = re.compile(r"The \w+ (?P<unit>(?:Army|Fleet) in .+?) with no valid retreats was destroyed")
_CHANGE = re.compile(r"(?P<what>Builds?|Removes?|Defaults, removing|Build waived|Waives?)\b(?P<rest>.*)", re.IGNORECASE)
_LETTERS = {"Movement": "M", "Retreat": "R", "Adjustment": "A"}
_LETTER = {"Army": "A ", "Flee": "F "}
_ORDER = ("SM", "SR", "FM", "FR", "WA")
_VOIDED = re.compile(r"\b(?:version|turn) was voided\b", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,2000}>")
_BREAK = re.compile(r"<(?:br|p|/p|tr|h\d|/h\d)\b[^>]{0,200}>", re.IGNORECASE)


@dataclass
class _Part:
    """A phase while its lines are read."""

    units: dict[str, str] = field(default_factory=dict)
    orders: dict[str, list[str]] = field(default_factory=dict)
    results: dict[str, frozenset[str]] = field(default_factory=dict)


def _sniff(text: str) -> bool:
    return any(_TITLE.fullmatch(line) for line in _lines(text[: 1 << 16]))


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a mail or page, with an order in one line that was broken into several."""
    if "<html" in text[:2000].lower() or "<br" in text[:20000].lower():
        text = _BREAK.sub("\n", " ".join(text.split()))
        text = html.unescape(_TAG.sub("", text))
    kept = ""
    for line in text.split("\n"):
        clean = " ".join(line.split())
        if kept and clean and not _LINE.fullmatch(clean):
            kept = f"{kept} {clean}"
        else:
            if kept:
                yield kept
            kept = clean if len(clean) < LONGEST else ""
        if kept and (not clean or kept.endswith((".", ")")) or not _LINE.fullmatch(kept) or len(kept) > LONGEST):
            yield kept
            kept = ""
    if kept:
        yield kept


def _read(text: str, load: LoadRules) -> Game:
    parts: dict[tuple[int, int], _Part] = {}
    season, year, what = "", 0, ""
    known: set[tuple[int, int]] = set()
    part: _Part | None = None
    key: tuple[int, int] | None = None
    for line in _lines(text):
        title, heading = _TITLE.fullmatch(line), _HEADING.fullmatch(line)
        if title:
            season, year, what = title["season"], int(title["year"]), title["what"] or ""
        if title or (heading and season):
            what = heading[1] if heading else what
            key = _key(season, year, what) if what else None
            part = None
            if key and key not in known:
                known.add(key)
                part = parts.setdefault(key, _Part())
        elif part is not None and key is not None and _VOIDED.search(line):
            del parts[key]
            known.remove(key)
            part = None
        elif part is not None:
            _take(part, line, what)
    if not any(part.orders or part.units for part in parts.values()):
        raise InvalidRecord(
            say("The report has no part such as 'Movement results for Spring of 1901', so it is no game.")
        )
    phases = []
    first = min(parts)[0]
    for (at, place), one in sorted(parts.items()):
        code = _ORDER[place]
        orders = {power: tuple(texts) for power, texts in one.orders.items()}
        moved = code.endswith("M")
        units = tuple(
            StatedUnit(power, _LETTER[unit[:4]] + unit.partition(" ")[2]) for unit, power in one.units.items()
        )
        position = StatedPosition(units) if moved else None
        name = f"{code[0]}{at - first + START}{code[1]}"
        phases.append(StatedPhase(name, position, orders, one.results if moved else None))
    return play_back(Transcript(VARIANT, tuple(phases)), load)


def _key(season: str, year: int, what: str) -> tuple[int, int]:
    letter = _LETTERS[what]
    if letter == "A":
        return year, _ORDER.index("WA")
    return year, _ORDER.index(("S" if season in ("Spring", "Summer") else "F") + letter)


def _take(part: _Part, line: str, what: str) -> None:
    """Take a line of a part: an order with its result, a build or removal, or a unit that was destroyed."""
    if gone := _GONE.search(line):
        unit = gone["unit"].replace(" in the ", " ").replace(" in ", " ")
        part.results[unit] = part.results.get(unit, frozenset()) | {"destroyed"}
        return
    found = _LINE.fullmatch(line)
    if found is None:
        return
    power, text = found["power"], found["text"].strip()
    if what == "Adjustment":
        change = _CHANGE.match(text)
        if change and change["what"].lower().startswith("defaults"):
            part.orders.setdefault(power, []).append(f"remove {change['rest'].strip(' .')}")
        elif change and "waive" not in change["what"].lower() and "waived" not in text:
            part.orders.setdefault(power, []).append(text.rstrip("."))
        elif change:
            part.orders.setdefault(power, []).append("WAIVE")
        return
    unit = _UNIT.match(text)
    if unit is None:
        return
    words = _WORDS.search(text)
    said = frozenset(word.strip() for word in words[1].split(",")) if words else frozenset()
    order = _WORDS.sub("", text).strip().rstrip(".")
    part.units[unit["unit"]] = power
    part.results[unit["unit"]] = said | part.results.get(unit["unit"], frozenset())
    if "no order" not in order.lower():
        part.orders.setdefault(power, []).append(order)


JUDGE = Format(
    "judge",
    "the reports of the judges, as mails or pages",
    _sniff,
    _read,
    preserves=frozenset({GamePart.ORDERS, GamePart.RESULTS}),
)
