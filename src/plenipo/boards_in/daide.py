"""Boards of DAIDE: an `MDF` message as text, with `NOW` and `SCO` beside it, or a `.cfg` file of the program Parlance.

Both list for each province who passes where: `(BUL (AMY GRE) ((FLT SCS) AEG GRE))`, or `BUL=AMY GRE, (FLT SCS) AEG`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from plenipo.boards_in.drafts import BoardDraft, DraftPower, DraftSpace, coast_of, power_name
from plenipo.boards_in.source_files import SourceFiles, fault_at, shorten
from plenipo.boards_in.values import BoardFormat, BoardSource, BoardSpot, ImportedBoard
from plenipo.engine.sentences import say
from plenipo.errors import InvalidBoardFile

__all__ = ["READER"]

DEEPEST = 8
"""The deepest list that is read."""

SEASONS = {"SPR": "Spring", "SUM": "Spring", "FAL": "Fall", "AUT": "Fall", "WIN": "Winter"}

Tree = list["str | Tree"]
"""Words in brackets."""


class _Word(NamedTuple):
    text: str
    line: int


def _words(text: str, line: int = 1) -> Iterator[_Word]:
    at = 0
    for match in re.finditer(r"[()]|[^\s()',]+", text):
        line += text.count("\n", at, match.start())
        at = match.start()
        yield _Word(match[0].upper(), line)


def _tree(words: list[_Word], path: str) -> Tree:
    """Return words with brackets as lists in lists; raise `InvalidBoardFile` for brackets that do not close."""
    top: Tree = []
    stack = [top]
    for word in words:
        if word.text == "(":
            if len(stack) > DEEPEST:
                raise fault_at(path, word.line, say("brackets stand too deeply in one another."))
            inner: Tree = []
            stack[-1].append(inner)
            stack.append(inner)
        elif word.text == ")":
            if len(stack) == 1:
                raise fault_at(path, word.line, say("a bracket closes that was not open."))
            stack.pop()
        else:
            stack[-1].append(word.text)
    if len(stack) > 1:
        raise fault_at(path, words[-1].line, say("a bracket does not close."))
    return top


def _flat(tree: object) -> list[str]:
    if isinstance(tree, str):
        return [tree]
    return [word for part in tree for word in _flat(part)] if isinstance(tree, list) else []


def _coast(word: str) -> str:
    """Return a coast for `NCS` and the like."""
    return coast_of(word[:2]) if len(word) == 3 and word.endswith("S") else ""


def _spot(part: object) -> BoardSpot:
    words = _flat(part)
    return BoardSpot(words[0], _coast(words[1]) if len(words) > 1 else "") if words else BoardSpot("")


def find(files: SourceFiles) -> list[str]:
    """Return the files of Parlance with borders, or that name a map, and the text files with an `MDF` message."""
    found = []
    for path in files.find("*.cfg", "*.mdf", "*.MDF", "*.txt", "*.daide"):
        try:
            text = files.text(path)
        except InvalidBoardFile:
            continue
        cfg = (
            path.endswith(".cfg")
            and "[variant]" in text
            and ("[borders]" in text or re.search(r"(?m)^(map\w*|base)\s*=", text))
        )
        if cfg or re.match(r"\s*\(?\s*MDF\b\s*\)?\s*\(", text):
            found.append(path)
    return found


def read(files: SourceFiles, key: str) -> ImportedBoard:
    """Return the board of a file; raise `InvalidBoardFile`."""
    text = files.text(key)
    return (_read_cfg(files, key) if key.endswith(".cfg") else _read_mdf(text, key)).board()


# An MDF message


def _read_mdf(text: str, path: str) -> BoardDraft:
    tree = _tree(list(_words(text)), path)
    stem = path.rpartition("/")[2].rpartition(".")[0]
    draft = BoardDraft(stem, power_name(stem), BoardSource("DAIDE", path))
    parts: dict[str, Tree] = {}
    current: Tree = []
    for part in tree:
        word = _flat(part)[0] if _flat(part) else ""
        if word in ("MDF", "NOW", "SCO"):
            current = parts.setdefault(word, [])
        elif isinstance(part, list):
            current.append(part)
    said = parts.get("MDF", [])
    if len(said) < 3:
        raise fault_at(path, 0, say("an MDF has three lists: powers, provinces, borders."))
    for name in _flat(said[0]):
        draft.powers[name] = DraftPower(power_name(name))
    centres, others = (said[1][0], said[1][1]) if len(said[1]) > 1 else ([], [])
    for owned in centres if isinstance(centres, list) else []:
        _read_centres(draft, owned)
    for code in _flat(others):
        draft.add_space(code, DraftSpace(code))
    for border in said[2]:
        if isinstance(border, list) and border:
            _add_steps(draft, str(_flat(border[0])[0]) if _flat(border[0]) else "", border[1:])
    for owned in parts.get("SCO", []):
        words = _flat(owned)
        if words and words[0] in draft.powers:
            draft.powers[words[0]].owned = [code for code in words[1:] if draft.space(code)]
    _read_now(draft, parts.get("NOW", []))
    return draft


def _read_centres(draft: BoardDraft, owned: object) -> None:
    """Read a list of centres that begins with the power, or several, whose homes they are."""
    words = _flat(owned)
    homes = [word for word in words if word in draft.powers]
    for code in words:
        if code in draft.powers or code == "UNO":
            continue
        if code not in draft.spaces:
            draft.add_space(code, DraftSpace(code, centre=True))
        for power in homes:
            draft.powers[power].homes.append(code)


def _read_now(draft: BoardDraft, said: Tree) -> None:
    if not said:
        draft.leave_out(say("it has no file with an opening: every home centre has an army."))
        for power in draft.powers.values():
            power.units = [("A", code, "") for code in power.homes]
        return
    _read_date(draft, _flat(said[0]))
    for unit in said[1:]:
        if isinstance(unit, list) and len(unit) > 2:
            spot = _spot(unit[2])
            draft.space(spot.space)
            owner = draft.powers.get(str(unit[0]))
            if owner is not None:
                owner.units.append(({"AMY": "A", "FLT": "F"}.get(str(unit[1]), "W"), spot.space, spot.coast))


def _read_date(draft: BoardDraft, words: list[str]) -> None:
    if len(words) > 1 and re.fullmatch(r"-?\d+", words[1]):
        draft.year = int(words[1])
        season = SEASONS.get(words[0], "Spring")
        draft.first_phase = (season, "adjustments" if season == "Winter" else "movement")


def _add_steps(draft: BoardDraft, key: str, lists: list["str | Tree"], line: int = 0) -> None:
    draft.space(key, line)
    for said in lists:
        if not isinstance(said, list) or not said:
            continue
        who = _flat(said[0])
        coast = _coast(who[1]) if len(who) > 1 else ""
        for part in said[1:]:
            to = _spot(part)
            draft.space(to.space, line)
            if to.space == key:
                continue
            if who[:1] == ["AMY"]:
                draft.armies.add((key, to.space))
            else:
                draft.fleets.add((BoardSpot(key, coast), to))


# A file of Parlance


class _CfgSection(NamedTuple):
    path: str
    entries: dict[str, tuple[str, int]]


def _sections(files: SourceFiles, path: str, seen: tuple[str, ...] = ()) -> dict[str, _CfgSection]:
    """Return the sections of a file, on top of those of the map that it names."""
    if path in seen or len(seen) > DEEPEST:
        raise fault_at(path, 0, say("it names itself, over {files}.", files=seen[-1]))
    own: dict[str, _CfgSection] = {}
    current: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(files.text(path).split("\n"), 1):
        text = line.strip()
        if text.startswith("[") and text.endswith("]"):
            current = own.setdefault(text[1:-1].lower(), _CfgSection(path, {})).entries
        elif text and text[0] not in "#;":
            key, _, said = text.partition("=")
            current[key.strip()] = (said.strip(), number)
    base = next(
        (
            own["variant"].entries[name][0]
            for name in ("map", "mapname", "base")
            if name in own.get("variant", _CfgSection(path, {})).entries
        ),
        "",
    )
    if not base or "borders" in own:
        return own
    beside = files.beside(path, f"{base}.cfg")
    if not beside:
        beside = next((other for other in files.under("", f"/{base}.cfg")), "")
    if not beside:
        raise fault_at(path, 0, say("'{name}' is not beside it.", name=shorten(base)))
    return {**_sections(files, beside, (*seen, path)), **own}


def _entries(sections: dict[str, _CfgSection], name: str) -> dict[str, tuple[str, int]]:
    return sections[name].entries if name in sections else {}


def _codes(said: str) -> list[str]:
    return [word.text for word in _words(said)]


def _read_cfg(files: SourceFiles, path: str) -> BoardDraft:
    sections = _sections(files, path)
    about = _entries(sections, "variant")
    stem = path.rpartition("/")[2].removesuffix(".cfg")
    title = about.get("description", (stem, 0))[0]
    comments = [line.lstrip("# ") for line in files.text(path).split("\n") if line.startswith("#")]
    author = next((line.partition(" by ")[2] for line in comments if line.startswith("Designed by")), "")
    licence = next((line for line in comments if "may be" in line), "")
    draft = BoardDraft(stem, title.split(", ")[0][:60], BoardSource("Parlance and Parterre", path, author, licence))
    for code, (said, _) in _entries(sections, "powers").items():
        name, _, adjective = said.partition(",")
        draft.powers[code] = DraftPower(name.strip() or power_name(code), adjective.strip())
    for code, (said, line) in _entries(sections, "provinces").items():
        draft.add_space(code, DraftSpace(said), line)
    owned = _entries(sections, "ownership")
    homes = _entries(sections, "homes") or owned
    for table in (owned, homes):
        for said, line in table.values():
            for code in _codes(said):
                draft.space(code, line).centre = True
    for code, power in draft.powers.items():
        power.homes = _codes(homes.get(code, ("", 0))[0])
        power.owned = _codes(owned.get(code, ("", 0))[0])
        said, line = _entries(sections, "positions").get(code, ("", 0))
        for unit in said.split(","):
            words = _codes(unit)
            if len(words) > 1:
                draft.space(words[1], line)
                kind = {"AMY": "A", "FLT": "F"}.get(words[0], "W")
                power.units.append((kind, words[1], _coast(words[2]) if len(words) > 2 else ""))
    shared = {code for code in draft.spaces if sum(code in power.homes for power in draft.powers.values()) > 1}
    if shared:
        draft.build = "owned"
        for power in draft.powers.values():
            power.homes = [code for code in power.homes if code in (power.owned or ())]
    for code, (said, line) in _entries(sections, "borders").items():
        for part in re.split(r",(?![^()]*\))", said):
            tree = _tree(list(_words(part, line)), path)
            _add_steps(draft, code, [tree], line)
    _read_date(draft, _codes(about.get("start", ("", 0))[0]))
    return draft


READER = BoardFormat("daide", "DAIDE (MDF messages, and .cfg files of Parlance)", find, read)
"""The reader of the files of DAIDE."""
