"""The `.map` files of the Python package `diplomacy`, as the files of a variant.

A map file lists in lines the places, their terrain and neighbours, the powers, and what these begin with; the package
describes the format in `README_MAPS.txt`. The case of a place among the neighbours of another tells which units pass:
`BUR` all, `bur` armies alone, `Bur` fleets alone.

The file becomes a variant that has its board by contacts. `DUMMY` powers have no player, `PORT` is a coast in which
fleets convoy, `RULE BUILD_ANY` lets powers build in every centre of theirs; other rules are left out, and so are
places that no unit passes into or out of. Of several numbers under `VICTORY`, one for each year, the last counts.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from plenipo.engine.sentences import say
from plenipo.errors import InvalidVariant

__all__ = ["SUFFIX", "MapFile", "read_map", "variant_files"]

SUFFIX = ".map"

TERRAINS = {"WATER": "sea", "COAST": "coast", "PORT": "coast", "LAND": "inland", "SHUT": "inland"}
"""The kinds of terrain in a map file, each with Plenipo's name for it."""

MODULES = {"BUILD_ANY": '[modules.builds]\nsites = [{ where = "owned" }]'}
"""The tables of rule modules for the rules of the package that have one."""

CYCLE = [
    ("Spring", "movement"),
    ("Spring", "retreats"),
    ("Fall", "movement"),
    ("Fall", "retreats"),
    ("Winter", "ownership"),
    ("Winter", "adjustments"),
]
"""The year of every map of the package."""

DEEPEST = 8
"""The largest depth to which files may name one another with USE or MAP."""


@dataclass
class MapPower:
    """A power while its lines are read; `owned` is None until it is said apart from its homes."""

    adjective: str = ""
    homes: list[str] = field(default_factory=list)
    owned: list[str] | None = None
    units: dict[str, str] = field(default_factory=dict)
    dummy: bool = False


@dataclass
class MapFilePlace:
    """A place or a coast of one as its line says it; `lower` if no fleet stands there, `beside` as written."""

    terrain: str
    lower: bool
    beside: list[str]


@dataclass
class MapFile:
    """All that a map file says, so far as it is read."""

    begin: tuple[str, int, str] = ("SPRING", 1901, "MOVEMENT")
    victory: int | None = None
    names: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    places: dict[str, MapFilePlace] = field(default_factory=dict)
    powers: dict[str, MapPower] = field(default_factory=dict)
    centres: dict[str, None] = field(default_factory=dict)
    rules: list[str] = field(default_factory=list)
    current: str | None = None


def read_map(text: str, include: Callable[[str], str], depth: int = 0) -> MapFile:
    """Return the map of a file; `include` gives the text of another file that it names.

    Raises `InvalidVariant` with the number of the line that cannot be read, and what `include` raises.
    """
    found = MapFile()
    _read_into(found, text, include, depth)
    return found


def _read_into(found: MapFile, text: str, include: Callable[[str], str], depth: int) -> None:
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            _read_line(found, line, words, include, depth)
        except InvalidVariant:
            raise
        except (ValueError, IndexError) as fault:
            raise InvalidVariant(
                say("line {number}: '{line}' is not a line of a map.", number=number, line=line.strip())
            ) from fault


def _read_line(found: MapFile, line: str, words: Sequence[str], include: Callable[[str], str], depth: int) -> None:
    head, rest = words[0].upper(), words[1:]
    power = found.powers.get(found.current or "")
    if "=" in words:
        name, _, said = line.partition("=")
        code, *aliases = said.split()
        found.names[code.upper()] = (name.strip(), [alias.rstrip("?").replace("+", " ") for alias in aliases])
    elif head in ("USE", "USES", "MAP"):
        if depth >= DEEPEST:
            raise InvalidVariant(say("The files of this map name one another in a circle."))
        for file in rest:
            _read_into(found, include(file if "." in file else file + SUFFIX), include, depth + 1)
    elif head == "BEGIN":
        found.begin = (rest[0].upper(), int(rest[1]), rest[2].upper())
        CYCLE.index((found.begin[0].capitalize(), found.begin[2].lower()))
    elif head == "VICTORY":
        found.victory = int(rest[-1])
    elif head in ("RULE", "RULES"):
        for rule in map(str.upper, rest):
            found.rules = [other for other in found.rules if other != rule.lstrip("!")]
            found.rules += [] if rule.startswith("!") else [rule]
    elif head in (*TERRAINS, "AMEND"):
        _read_place(found, head, rest)
    elif head == "DROP":
        for code in map(str.upper, rest):
            _drop(found, code)
    elif head in ("DUMMY", "DUMMIES", "UNPLAYED"):
        for name in _list_named_powers(found, rest):
            if head == "UNPLAYED":
                del found.powers[name]
            else:
                found.powers[name].dummy = True
    elif head in ("A", "F") and power is not None and len(rest) == 1:
        power.units[rest[0].upper().partition("/")[0]] = f"{head} {rest[0].upper()}"
    elif head in ("OWNS", "CENTERS", "INHABITS", "HOME", "HOMES", "UNITS") and power is not None:
        _read_holdings(found, power, head, [word.upper() for word in rest])
    else:
        _read_power(found, head, rest)


def _read_place(found: MapFile, head: str, rest: Sequence[str]) -> None:
    code, beside = rest[0], list(rest[2:])
    known = found.places.get(code.upper())
    if len(rest) > 1 and rest[1].upper() != "ABUTS":
        raise ValueError(rest[1])
    if head == "AMEND":
        if known is None:
            raise ValueError(code)
        less = {word[1:].upper() for word in beside if word.startswith("-")}
        kept = [word for word in known.beside if word.upper() not in less]
        known.beside = [*kept, *(word for word in beside if not word.startswith("-"))]
    else:
        kept = known.beside if known is not None and len(rest) == 1 else beside
        found.places[code.upper()] = MapFilePlace(head, code.islower(), kept)


def _read_holdings(found: MapFile, power: MapPower, head: str, codes: list[str]) -> None:
    if head == "UNITS":
        power.units = {}
    elif head in ("OWNS", "CENTERS"):
        power.owned = [*(power.owned or () if head == "OWNS" else ()), *codes]
        found.centres.update(dict.fromkeys(codes))
    else:
        power.homes = [*(power.homes if head == "INHABITS" and power.owned is None else ()), *codes]
        found.centres.update(dict.fromkeys(codes))


def _read_power(found: MapFile, head: str, rest: Sequence[str]) -> None:
    """Read a line that names a power and its homes, or the centres without an owner."""
    codes = [word.upper() for word in rest if not word.startswith("(")]
    taken, given = [code[1:] for code in codes if code[0] == "-"], [code for code in codes if code[0] != "-"]
    if head in ("UNOWNED", "NEUTRAL", "CENTERS"):
        found.current = None
        found.centres.update(dict.fromkeys(given))
        for code in taken:
            found.centres.pop(code, None)
        return
    if "->" in rest:
        raise ValueError(head)
    found.current = head
    power = found.powers.setdefault(head, MapPower())
    word = next((word[1:-1].partition(":")[0] for word in rest if word.startswith("(")), "")
    power.adjective = word.replace("+", " ").capitalize() or power.adjective
    power.homes = [home for home in power.homes if home not in taken and home not in given] + given
    found.centres.update(dict.fromkeys((*given, *taken)))


def _list_named_powers(found: MapFile, words: Sequence[str]) -> list[str]:
    """Return the powers that a line names, the one whose lines these are if it names none."""
    names = [word.upper().strip(",") for word in words]
    if not names:
        return [found.current] if found.current else []
    if names[0] != "ALL":
        return [name for name in names if name in found.powers]
    return [name for name in found.powers if name not in names[2:]]


def _drop(found: MapFile, code: str) -> None:
    gone = [key for key in found.places if key.startswith(code)]
    for key in gone:
        del found.places[key]
    for place in found.places.values():
        place.beside = [word for word in place.beside if not word.upper().startswith(code)]
    found.names = {key: name for key, name in found.names.items() if not key.startswith(code)}
    found.centres.pop(code, None)
    for power in found.powers.values():
        power.homes = [home for home in power.homes if home != code]
        power.owned = None if power.owned is None else [home for home in power.owned if home != code]
        power.units.pop(code, None)


# The contacts


def _passes(found: MapFile, army: bool) -> Iterator[tuple[str, str]]:  # noqa: FBT001  # of which of the two
    """Every step of armies or of fleets, from and to."""
    for code, place in found.places.items():
        if place.terrain in (("WATER", "SHUT") if army else ("LAND", "SHUT")) or (place.lower and not army):
            continue
        if army and "/" in code:
            continue
        for word in place.beside:
            to = word.upper().partition("/")[0] if army else word.upper()
            other = found.places.get(to)
            # a place whose every coast is listed apart has no line of its own that fleets could use
            if other is None or other.terrain in (("WATER", "SHUT") if army else ("LAND", "SHUT")):
                continue
            if army and (word == word.title() and len(word) > 1):
                continue
            if not army and (not word[0].isupper() or other.lower):
                continue
            yield code, to


def _group_pairs(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one, other in sorted(pairs):
        found.setdefault(one, []).append(other)
    return found


def _contacts(found: MapFile) -> tuple[dict[str, str], Mapping[str, Mapping[str, Sequence[str]]]]:
    """Return the entry of each space, and the tables of contacts by their names."""
    tables: dict[str, Mapping[str, Sequence[str]]] = {}
    touched: set[str] = set()
    for key, army in (("armies", True), ("fleets", False)):
        pairs = set(_passes(found, army))
        touched |= {code.partition("/")[0] for pair in pairs for code in pair}
        both = {pair for pair in pairs if pair[::-1] in pairs}
        tables[key] = _group_pairs(pair for pair in both if pair[0] < pair[1])
        tables[f"one_way.{key}"] = _group_pairs(pairs - both)
    spaces = {}
    for code, place in found.places.items():
        if "/" in code:
            continue
        coasts = sorted(other.partition("/")[2] for other in found.places if other.startswith(f"{code}/"))
        said = [f'kind = "{TERRAINS[place.terrain]}"']
        said += [f"coasts = {json.dumps(coasts)}"] if coasts else []
        said += ["impassable = true"] if place.terrain == "SHUT" or code not in touched else []
        spaces[code] = "{ " + ", ".join(said) + " }"
    return spaces, tables


# The files


def variant_files(found: MapFile, name: str) -> dict[str, str]:
    """Return the files of a variant with this map, by their names; `name` is that of the map."""
    spaces, tables = _contacts(found)
    lines = ["[spaces]", *(f"{code} = {said}" for code, said in spaces.items())]
    for key, table in tables.items():
        lines += ["", f"[{key}]", *(f'"{one}" = {json.dumps(list(others))}' for one, others in table.items())]
    return {"contacts.toml": "\n".join(lines) + "\n", "variant.toml": "\n".join(_variant(found, name, spaces)) + "\n"}


def _variant(found: MapFile, name: str, spaces: Iterable[str]) -> Iterator[str]:
    centres = [code for code in found.centres if code in found.places]
    season, year, kind = found.begin
    first = CYCLE.index((season.capitalize(), kind.lower()))
    yield f"title = {_text(name.replace('_', ' ').capitalize() + ', a map of the package diplomacy')}"
    yield 'contacts = "contacts.toml"'
    yield f"victory = {found.victory or len(centres) // 2 + 1}"
    yield "[calendar]"
    yield f"start = {year}"
    if first:
        yield f"first_year = {year + 1}"
        yield f"opening = {json.dumps(CYCLE[first:])}"
    yield f"cycle = {json.dumps(CYCLE)}"
    yield "[powers]"
    for key, power in found.powers.items():
        shown = _format_power_name(key)
        said = [f"units = {json.dumps(list(power.units.values()))}", f"homes = {json.dumps(_of(power.homes, centres))}"]
        said += [f"adjective = {_text(power.adjective)}"] if power.adjective else []
        said += [f"owned = {json.dumps(_of(power.owned, centres))}"] if power.owned is not None else []
        said += ["played = false"] if power.dummy else []
        other = re.sub(r"\W", "", key)
        said += [f"aliases = [{_text(other)}]"] if other != shown.upper() else []
        yield f"{_text(shown)} = {{ {', '.join(said)} }}"
    yield "[spaces]"
    clear = _clear_aliases(found)
    for code in spaces:
        title = found.names.get(code, (code, []))[0]
        said = [f"name = {_text(title)}", *(["centre = true"] if code in found.centres else [])]
        said += [f"aliases = {json.dumps(clear[code], ensure_ascii=False)}"] if clear.get(code) else []
        yield f"{code} = {{ {', '.join(said)} }}"
    for rule in found.rules:
        if rule in MODULES:
            yield MODULES[rule]
    if ports := [code for code, place in found.places.items() if place.terrain == "PORT"]:
        yield "[modules.convoys]"
        yield f"ports = {json.dumps(ports)}"


def _of(codes: Iterable[str], centres: Sequence[str]) -> list[str]:
    return [code for code in dict.fromkeys(codes) if code in centres]


def _format_power_name(name: str) -> str:
    """Return the name of a power as people read it: `New York` for NEW-YORK."""
    return " ".join(part.capitalize() for part in re.split(r"[-_+]+", name) if part)


def _clear_aliases(found: MapFile) -> dict[str, list[str]]:
    """Return the other spellings of each space that are the name, code or spelling of no other one."""
    whose: dict[str, set[str]] = {}
    for code, (name, aliases) in found.names.items():
        for text in (code, name, *aliases):
            whose.setdefault(text.casefold(), set()).add(code)
    return {
        code: [alias for alias in aliases if len(whose[alias.casefold()]) == 1 and "/" not in alias]
        for code, (_, aliases) in found.names.items()
        if "/" not in code
    }


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
