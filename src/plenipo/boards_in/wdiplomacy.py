"""Boards of webDiplomacy and vDiplomacy: PHP files, read as text and never run.

`install.php` lists territories and borders in arrays, `variant.php` the countries and texts, and
`classes/adjudicatorPreGame.php` the units of the opening. A coast is a territory whose name ends with `(North Coast)`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from plenipo.boards_in.drafts import BoardDraft, DraftPower, DraftSpace, coast_of
from plenipo.boards_in.source_files import SourceFiles, fault_at, shorten
from plenipo.boards_in.values import BoardFormat, BoardSource, BoardSpot, ImportedBoard
from plenipo.engine.sentences import say
from plenipo.errors import InvalidBoardFile

__all__ = ["READER"]

TOKEN = re.compile(
    r"""//[^\n]*|\#[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|=>|[\[\](),;=]|-?\d+(?:\.\d+)?|\$?[\w:>-]+""",
    re.DOTALL,
)
"""The tokens of PHP that arrays are made of; everything else is passed over."""

DEEPEST = 6
"""The deepest array that is read."""

COAST = re.compile(r"(.*\S)\s*\(\s*((?:north|south|east|west)\w*)\s*coasts?\s*\)\s*", re.IGNORECASE)

NEUTRAL = {"neutral", "neutral units", ""}

BASE = "adjudicatorPreGame"
"""The class whose name a variant's own opening has at its end."""

ADJUDICATES = ("adjudicatorDiplomacy", "adjDependencyNode", "userOrderDiplomacy", "userOrderBuilds", "processGame")
"""Classes by which a variant has rules of its own."""


class PhpToken(NamedTuple):
    """A word of a PHP text, and the line on which it stands."""

    text: str
    line: int


def _tokens(text: str) -> Iterator[PhpToken]:
    line, at = 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        if not match[0].startswith(("//", "#", "/*")):
            yield PhpToken(match[0], line)


def _value(token: PhpToken) -> str:
    text = token.text
    # names are escaped once for PHP and once for the database
    return re.sub(r"\\+(.)", r"\1", text[1:-1]) if text[:1] in "'\"" else text


Row = tuple[int, list[tuple[str, object]]]
"""An array: its line, and its keys with values; a key is '' where there is none."""


def _array(tokens: list[PhpToken], start: int, path: str, depth: int = 0) -> tuple[Row, int]:
    """Return the array that opens at `start`, and where it ends."""
    if depth > DEEPEST:
        raise fault_at(path, tokens[start].line, say("arrays stand too deeply in one another."))
    items: list[tuple[str, object]] = []
    key: str = ""
    value: object = None
    at, line = start + 1, tokens[start].line
    while at < len(tokens):
        text = tokens[at].text
        if text in (")", "]", ","):
            if value is not None:
                items.append((key, value))
            key, value = "", None
            if text != ",":
                return (line, items), at + 1
        elif text == "=>":
            key, value = str(value or ""), None
        elif text in ("(", "["):
            value, at = _array(tokens, at, path, depth + 1)
            continue
        elif text == "array" and at + 1 < len(tokens) and tokens[at + 1].text == "(":
            value, at = _array(tokens, at + 1, path, depth + 1)
            continue
        elif text == ";":
            raise fault_at(path, tokens[at].line, say("an array does not end."))
        else:
            value = _value(tokens[at]) if value is None or not isinstance(value, str) else value + _value(tokens[at])
        at += 1
    raise fault_at(path, line, say("an array does not end."))


def _find_arrays(text: str, path: str) -> dict[str, Row]:
    """Return the arrays that are assigned to variables in a PHP text, by their names."""
    tokens = list(_tokens(text))
    found: dict[str, Row] = {}
    at = 0
    while at < len(tokens) - 2:
        name = tokens[at].text
        opens = at + 3 if tokens[at + 2].text == "array" else at + 2
        if name.startswith("$") and tokens[at + 1].text == "=" and opens < len(tokens) and tokens[opens].text in "([":
            row, at = _array(tokens, opens, path)
            before = found.get(name[1:], (row[0], []))
            if name.endswith("RawData"):
                found[name[1:]] = (before[0], before[1] + row[1])  # a long list may come in several pieces
            elif len(row[1]) >= len(before[1]):
                found[name[1:]] = row
            continue
        at += 1
    return found


def _text_of(text: str, name: str) -> str:
    match = re.search(rf"\${name}\s*=\s*('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")", text)
    return re.sub(r"\\(.)", r"\1", match[1][1:-1]) if match else ""


def find(files: SourceFiles) -> list[str]:
    """Return the folders of variants, each by its `install.php` or its `variant.php`."""
    folders = dict.fromkeys(
        path.rpartition("/")[0]
        for path in files.find("install.php", "variant.php")
        if files.beside(path, "variant.php")
    )
    return [
        files.beside(f"{folder}/x" if folder else "x", "variant.php")
        for folder in folders
        if _is_variant(files, folder)
    ]


def _is_variant(files: SourceFiles, folder: str) -> bool:
    path = f"{folder}/variant.php" if folder else "variant.php"
    try:
        return re.search(r"class\s+\w+Variant\s+extends\s+\w+", files.text(path)) is not None
    except InvalidBoardFile:
        return False


def _parents(files: SourceFiles, path: str) -> list[str]:
    """Return the `variant.php` of a variant and of those it extends, its own first."""
    found = [path]
    while len(found) < DEEPEST:
        match = re.search(r"class\s+\w+Variant\s+extends\s+(\w+)Variant", files.text(found[-1]))
        parent = "" if match is None else _sibling(files, found[-1], match[1])
        if not parent or parent in found:
            break
        found.append(parent)
    return found


def _sibling(files: SourceFiles, path: str, name: str) -> str:
    above = path.rpartition("/")[0].rpartition("/")[0]
    wanted = f"{above}/{name}/variant.php" if above else f"{name}/variant.php"
    return wanted if wanted in files else ""


class _Install(NamedTuple):
    """The arrays of an `install.php`."""

    path: str
    territories: Row
    borders: Row
    columns: tuple[str, ...]
    both_ways: bool


def _install(files: SourceFiles, chain: list[str]) -> _Install:
    """Return the arrays of the nearest `install.php` that has them, or of the one that it includes."""
    queue = [files.beside(path, "install.php") for path in chain]
    seen: list[str] = []
    while queue:
        path = queue.pop(0)
        if not path or path in seen or len(seen) > DEEPEST * 2:
            continue
        seen.append(path)
        text = files.text(path)
        arrays = _find_arrays(text, path)
        if arrays.get("territoryRawData", (0, []))[1] and arrays.get("bordersRawData", (0, []))[1]:
            match = re.search(r"list\(([^)]*)\)\s*=\s*\$territoryRawRow", text)
            columns = tuple(re.findall(r"\$(\w+)", match[1])) if match else ()
            return _Install(
                path,
                arrays["territoryRawData"],
                arrays["bordersRawData"],
                columns or ("name", "type", "supply", "countryID", "x", "y"),
                re.search(r"\$from\s*\]\s*->\s*addBorder", text) is not None,
            )
        if "new InstallTerritory('" in text and "->addBorder(" in text:
            return _statements(text, path)
        for name in re.findall(r"variants/(\w+)/install\.php", text):
            queue.insert(0, _sibling(files, chain[0], name).replace("variant.php", "install.php"))
    raise fault_at(chain[0], 0, say("no install.php with territories and borders belongs to it."))


def _statements(text: str, path: str) -> _Install:
    """Return territories and borders that are made one by one, without arrays."""
    territories: list[tuple[str, object]] = []
    borders: list[tuple[str, object]] = []
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r"\s*new InstallTerritory\((.*)\)\s*;", line)
        ends = re.findall(r"\$Territories\[('(?:[^'\\]|\\.)*')\]", line) if "->addBorder(" in line else []
        if match:
            values = [_value(token) for token in _tokens(match[1]) if token.text != ","]
            territories.append(("", (number, [("", value) for value in values])))
        elif len(ends) == 2:
            passes = re.findall(r"'(Yes|No)'", line.rpartition("]")[2])
            values = [*(_value(PhpToken(end, number)) for end in ends), *passes]
            borders.append(("", (number, [("", value) for value in values])))
    columns = ("name", "type", "supply", "countryID", "x", "y", "sx", "sy")
    return _Install(path, (0, territories), (0, borders), columns, both_ways=False)


def _split(name: str) -> tuple[str, str]:
    match = COAST.fullmatch(name)
    return (match[1], coast_of(match[2])) if match else (name.strip(), "")


def _texts(row: object) -> list[str]:
    """Return the values of an array that are texts."""
    return [value if isinstance(value, str) else "" for _, value in row[1]] if isinstance(row, tuple) else []


def _line(row: object) -> int:
    return row[0] if isinstance(row, tuple) else 0


def _read_spaces(draft: BoardDraft, install: _Install, countries: list[str]) -> None:
    for _, row in install.territories[1]:
        said = dict(zip(install.columns, _texts(row), strict=False))
        if not said.get("name") or not isinstance(row, tuple):
            raise fault_at(install.path, _line(row), say("this is not a territory."))
        key, coast = _split(said["name"])
        if coast:
            continue
        kind = {"Sea": "sea", "Land": "inland", "Coast": "coast"}.get(said.get("type", ""), "")
        space = DraftSpace(key, kind, said.get("supply", "") == "Yes")
        if all(re.fullmatch(r"-?\d+(\.\d+)?", said.get(axis, "")) for axis in "xy"):
            space.at = (float(said["x"]), -float(said["y"]))
        draft.add_space(key, space, row[0])
        owner = said.get("country", "")
        if not owner and said.get("countryID", "").isdecimal():
            number = int(said["countryID"])
            owner = countries[number - 1] if 0 < number <= len(countries) else ""
        if space.centre and owner.lower() not in NEUTRAL and owner in draft.powers:
            draft.powers[owner].homes.append(key)


def _read_borders(draft: BoardDraft, install: _Install) -> None:
    for _, row in install.borders[1]:
        texts = _texts(row)
        if len(texts) < 4:
            raise fault_at(install.path, _line(row), say("this is not a border."))
        (start, start_coast), (end, end_coast) = map(_split, texts[:2])
        for key in (start, end):
            draft.space(key, _line(row))
        if start == end:
            continue
        steps = [((start, start_coast), (end, end_coast))]
        # the row adds a border of the second to the first, which the game then walks from either end
        steps += [steps[0][::-1]] if install.both_ways else []
        for a, b in steps:
            if texts[3] == "Yes":
                draft.armies.add((a[0], b[0]))
            if texts[2] == "Yes":
                draft.fleets.add((BoardSpot(*a), BoardSpot(*b)))
    if not install.both_ways:
        draft.armies |= {(b, a) for a, b in draft.armies}
        draft.fleets |= {(b, a) for a, b in draft.fleets}


def _units_text(files: SourceFiles, chain: list[str]) -> tuple[str, Row] | None:
    """Return the file with the units of the opening, and its array; the nearest along the parents."""
    for path in chain:
        folder = path.rpartition("/")[0]
        for file in files.under(f"{folder}/classes" if folder else "classes", f"{BASE}.php"):
            units = _find_arrays(files.text(file), file).get("countryUnits")
            if units is not None and units[1]:
                return file, units
    return None


def _read_units(draft: BoardDraft, file: str, units: Row) -> None:
    for name, row in units[1]:
        if not isinstance(row, tuple):
            continue
        for place, said in row[1]:
            key, coast = _split(place)
            if not isinstance(said, str) or said.strip().lower() not in ("army", "fleet"):
                continue
            if key not in draft.spaces:
                raise fault_at(file, row[0], say("'{name}' is not a space of this board.", name=shorten(key)))
            unit = ("A" if said.strip().lower() == "army" else "F", key, coast)
            if name.lower() in NEUTRAL:
                draft.neutral.append(unit)
            elif name in draft.powers:
                draft.powers[name].units.append(unit)
            else:
                draft.leave_out(say("'{name}' is not a power of this board.", name=shorten(name)))


def _read_rules(draft: BoardDraft, files: SourceFiles, path: str, text: str) -> None:
    folder = path.rpartition("/")[0]
    classes = " ".join(files.under(f"{folder}/classes" if folder else "classes", ".php"))
    if match := re.search(r"supplyCenterTarget\s*=\s*(\d+)", text):
        draft.victory = int(match[1])
    if match := re.search(r"floor\(\s*\$turn\s*/\s*2\s*\)\s*\+\s*(\d+)", text):
        draft.year = int(match[1])
    if re.search(r"build\w*any|buildAnywhere|BuildAnywhere", text + classes):
        draft.build = "owned"
    if any(name in classes for name in ADJUDICATES) and draft.build == "home":
        draft.leave_out(say("not kept: {what}.", what=say("rules of its own, in PHP")))


def read(files: SourceFiles, key: str) -> ImportedBoard:
    """Return the board of a variant by its `variant.php`; raise `InvalidBoardFile`."""
    chain = _parents(files, key)
    text = files.text(key)
    name = _text_of(text, "name") or key.rpartition("/")[0].rpartition("/")[2]
    licence = "AGPL-3.0" if "Affero" in text else ""
    author = _text_of(text, "author")
    origin = BoardSource("webDiplomacy or vDiplomacy", key, author, licence, _text_of(text, "description"))
    draft = BoardDraft(name, _text_of(text, "fullName") or name, origin)
    rows = (_find_arrays(files.text(path), path).get("countries") for path in chain)
    countries = next((_texts(row) for row in rows if row is not None and row[1]), [])
    for country in countries:
        draft.powers[country] = DraftPower(country)
    install = _install(files, chain)
    draft.origin = BoardSource(origin.project, install.path)
    _read_spaces(draft, install, countries)
    _read_borders(draft, install)
    draft.origin = origin
    units = _units_text(files, chain)
    if units is not None:
        _read_units(draft, *units)
    if not any(power.units for power in draft.powers.values()):
        draft.leave_out(say("it has no units at the start: every home centre has an army."))
        for power in draft.powers.values():
            power.units = [("A", home, "") for home in power.homes]
    _read_rules(draft, files, key, text)
    return draft.board()


READER = BoardFormat("wdiplomacy", "webDiplomacy and vDiplomacy (install.php, variant.php)", find, read)
"""The reader of variants in PHP."""
