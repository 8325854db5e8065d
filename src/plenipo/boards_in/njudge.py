"""Boards of nJudge: `map.NAME` with spaces and moves, `seed.NAME` with the opening, `info.NAME` in words.

A map file has parts that end with a line `-1`: spaces (`Spain, x spa`), whose letter is land, water, a centre or the
power whose home it is, then moves (`spa-mv:` for armies, `-xc`, `-nc` … for fleets).
"""

import re
from collections import Counter

from plenipo.boards_in.drafts import BoardDraft, DraftPower, DraftSpace, coast_of, power_name
from plenipo.boards_in.source_files import SourceFiles, fault_at, shorten
from plenipo.boards_in.values import BoardFormat, BoardSource, BoardSpot, ImportedBoard
from plenipo.engine.sentences import say
from plenipo.errors import InvalidBoardFile

__all__ = ["READER"]

SPACE = re.compile(r"\s*([^,]+),\s*(\S+)\s+(\S.*)")
MOVES = re.compile(r"\s*([\w'-]+)-(mv|mx|xc|xv|nc|sc|ec|wc|cc)(?:\s*:|\s)(.*)", re.IGNORECASE)
UNIT = re.compile(r"\s*(\w)[:m]\s+([A-Z])\s+(\S.*)")

NAMES = tuple(
    "Austria Burgundy China England Florence France Germany Italy Japan Milan Naples Norway Papacy Poland Russia Spain "
    "Turkey Venice".split()
)
"""Names of powers that are looked for in the text about a map, where the program is not beside it."""

SPECIAL = {"r": say("railways"), "g": say("gateways"), "v": say("waters that freeze")}
"""The kinds of spaces with rules that are not kept."""

WEAK, CONDUITS = say("the weakness of some ways"), say("ways that a third space controls")

TABLES = ("variants", "powers", "owners", "pletter")
"""The tables of `variant.c` with the names of maps and powers, and the letter of each power on each map."""


def find(files: SourceFiles) -> list[str]:
    """Return the files `map.NAME` that have a list of spaces."""
    found = []
    for path in files.find("map.*", "map"):
        try:
            if re.search(r"(?m)^-1\s*$", files.text(path)) and re.search(r"(?mi)^\s*\S+-(mv|xc):", files.text(path)):
                found.append(path)
        except InvalidBoardFile:
            continue
    return found


def _read_spaces(draft: BoardDraft, lines: list[tuple[int, str]], spelt: dict[str, str]) -> dict[str, list[str]]:
    """Read the spaces, and return the homes by the initials of powers; `spelt` gets each spelling."""
    homes: dict[str, list[str]] = {}
    cities = 0
    for number, line in lines:
        match = SPACE.fullmatch(line)
        if match is None:
            raise fault_at(
                draft.origin.file, number, say("'{line}' is not a line of a map.", line=shorten(line.strip()))
            )
        name, letters, codes = match.groups()
        key, *others = codes.lower().split()
        letter = letters[0]
        water, land = letter in "whvg", letter in "lr"
        space = DraftSpace(name.strip(), "sea" if water else "", not water and not land, tuple(others))
        space.port = letters.endswith("w") and len(letters) > 1 and not water
        cities += len(letters) > 2 and letters[1].isdecimal()
        draft.add_space(key, space, number)
        for text in (key, *others):
            spelt.setdefault(text, key)
        spelt.setdefault(name.strip().lower(), key)
        if space.centre and letter not in "x&":
            homes.setdefault(letter, []).append(key)
        if letter in "rgv":
            draft.leave_out(say("not kept: {what}.", what=SPECIAL[letter]))
    if cities:
        draft.leave_out(say("not kept: {what}.", what=say("cities, incomes and garrisons of Machiavelli")))
    return homes


def _read_moves(draft: BoardDraft, lines: list[tuple[int, str]], spelt: dict[str, str]) -> None:
    for number, line in lines:
        match = MOVES.match(line)
        if match is None:
            raise fault_at(
                draft.origin.file, number, say("'{line}' is not a line of a map.", line=shorten(line.strip()))
            )
        start, way, rest = match[1].lower(), match[2].lower(), match[3].lower().split()
        draft.space(spelt.get(start, start), number)
        key = spelt[start]
        for word in rest:
            text, _, mark = word.partition("/")
            to = spelt.get(text, text)
            draft.space(to, number)
            if to == key:
                continue
            if mark and not coast_of(mark):
                draft.leave_out(say("not kept: the condition on the contact {one} - {other}.", one=start, other=word))
            if way in ("mv", "mx"):
                draft.armies.add((key, to))
            else:
                draft.fleets.add((BoardSpot(key, coast_of(way)), BoardSpot(to, coast_of(mark))))
        if way in ("mx", "cc"):
            draft.leave_out(say("not kept: {what}.", what=WEAK if way == "mx" else CONDUITS))


def _read_seed(draft: BoardDraft, text: str, file: str, spelt: dict[str, str]) -> None:
    lines = text.split("\n")
    start = next((line for line in lines if re.match(r"\s*[SFUW]-?\d+[A-Z]", line)), "")
    if match := re.match(r"\s*([SFUW])(-?\d+)([A-Z])", start):
        draft.year = int(match[2])
        season = {"S": "Spring", "U": "Spring", "F": "Fall", "W": "Winter"}[match[1]]
        draft.first_phase = (season, {"M": "movement", "B": "adjustments"}.get(match[3], "movement"))
    for number, line in enumerate(lines, 1):
        if line.strip().startswith("-1"):
            break
        match = UNIT.fullmatch(line)
        if match is None:
            continue
        letter, kind, where = match.groups()
        name, _, coast = where.strip().lower().partition("/")
        key = spelt.get(name.strip(), "") or next((spelt[one] for one in spelt if one.startswith(name.strip())), "")
        if not key:
            raise fault_at(file, number, say("'{name}' is not a space of this board.", name=shorten(where.strip())))
        unit = (kind, key, coast_of(coast))
        if letter in draft.powers:
            draft.powers[letter].units.append(unit)
        elif letter.isalnum() and letter != "x":
            draft.powers[letter] = DraftPower(letter, units=[unit])
        else:
            draft.neutral.append(unit)


def _strings(text: str, name: str) -> list[str]:
    """Return the strings of a table of a C file; the comments between them are passed over."""
    match = re.search(rf"char \*{name}\[\]\s*=\s*\{{(.*?)\n\}};", text, re.DOTALL)
    tokens = re.findall(r'/\*.*?\*/|//[^\n]*|"([^"\n]*)"|\b(NULL)\b', match[1] if match else "", re.DOTALL)
    return [string for string, null in tokens if string or null]  # NULL stands for the number that no map has


def _named_letters(files: SourceFiles, name: str) -> dict[str, tuple[str, str]]:
    """Return the name and the adjective of each power by its letter, from the program beside the map if it is there."""
    for path in files.find("variant.c") or files.under("", "variant.c"):
        known, powers, owners, letters = (_strings(files.text(path), table) for table in TABLES)
        names = [known_as for known_as in known if known_as]
        if name not in names or names.index(name) >= len(letters) - letters.count(""):
            continue
        row = [line for line in letters if line][names.index(name)]
        named = zip(row, powers, owners, strict=False)
        return {letter: (power, owner) for letter, power, owner in named if letter.isalnum() and letter not in "xOM"}
    return {}


def _name_powers(draft: BoardDraft, named: dict[str, tuple[str, str]], info: str) -> None:
    """Give powers their names: those of the program, or else a name in the text that begins with the letter alone."""
    words = Counter(re.findall(r"\b[A-Z][a-z]{3,}\b", info))
    for initial, power in draft.powers.items():
        line = re.search(rf"(?m)^\s*{initial}\s*[:=-]\s*([A-Z][a-z]{{2,}})\b", info)
        known = [word for word in NAMES if word[0] == initial and word in words]
        power.name, power.adjective = named.get(initial, ("", ""))
        power.name = power_name(power.name) or (line[1] if line else known[0] if known else f"Power {initial}")
    taken = Counter(power.name for power in draft.powers.values())
    for initial, power in draft.powers.items():
        if taken[power.name] > 1:
            power.name = f"Power {initial}"


def read(files: SourceFiles, key: str) -> ImportedBoard:
    """Return the board of a map file with its opening; raise `InvalidBoardFile`."""
    name = key.rpartition("/")[2].partition(".")[2] or "standard"
    draft = BoardDraft(name, power_name(name), BoardSource("nJudge", key))
    parts: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(files.text(key).split("\n"), 1):
        if line.strip().startswith("-1"):
            parts.append([])
        elif line.strip() and not line.lstrip().startswith("#"):
            parts[-1].append((number, line))
    if len(parts) < 3:
        raise fault_at(key, 0, say("it has no list of moves."))
    spelt: dict[str, str] = {}
    homes = _read_spaces(draft, parts[0], spelt)
    _read_moves(draft, parts[1], spelt)
    for letter, codes in homes.items():
        draft.powers[letter] = DraftPower(letter, homes=codes)
    seed = files.beside(key, f"seed.{name}")
    if seed:
        _read_seed(draft, files.text(seed), seed, spelt)
    else:
        draft.leave_out(say("it has no file with an opening: every home centre has an army."))
        for power in draft.powers.values():
            power.units = [("A", code, "") for code in power.homes]
    info = files.beside(key, f"info.{name}")
    _name_powers(draft, _named_letters(files, name), files.text(info) if info else "")
    return draft.board()


READER = BoardFormat("njudge", "nJudge (map.NAME, seed.NAME, info.NAME)", find, read)
"""The reader of the files of nJudge."""
