"""Boards of godip: Go files, read as text and never run.

A graph is a chain `Prov("bom").Conn("mad", godip.Coast...).Flag(...).SC(Russia)`; the opening is in maps of units and
centres. A variant without a graph of its own is on the classical map, and starts there unless it says otherwise.
"""

import re
from typing import NamedTuple

from plenipo.boards_in.drafts import BoardDraft, DraftPower, DraftSpace, coast_of
from plenipo.boards_in.source_files import SourceFiles, fault_at
from plenipo.boards_in.values import BoardFormat, BoardSource, BoardSpot, ImportedBoard
from plenipo.engine.sentences import say
from plenipo.errors import InvalidBoardFile

__all__ = ["READER"]

PART = re.compile(r"\b(Prov|Conn|Flag|SC)\(((?:\"[^\"\n]*\"|[^()\"])*)\)")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
NATION = re.compile(r"\b(\w+)\s+(?:godip\.)?Nation\s*=\s*\"([^\"\n]*)\"")
ARMIES = {"Land", "Coast", "Archipelago"}
FLEETS = {"Sea", "Coast", "Archipelago"}


def find(files: SourceFiles) -> list[str]:
    """Return the Go files that define a variant."""
    found = []
    for path in files.find("*.go"):
        if not _is_code(path):
            continue
        try:
            if re.search(r"=\s*common\.Variant\{", files.text(path)):
                found.append(path)
        except InvalidBoardFile:
            continue
    return found


class _Code(NamedTuple):
    """The text of a package, without comments: its own files, and those of the classical map where it builds on it."""

    own: str
    base: str


def _code(files: SourceFiles, path: str) -> _Code:
    folder = path.rpartition("/")[0]
    own = "\n".join(_without_comments(files, one) for one in (path, *_others(files, folder, path)))
    above = folder.rpartition("/")[0]
    base = ""
    if "classical." in own or "start." in own:
        for place in (f"{above}/classical", f"{above.rpartition('/')[0]}/classical"):
            texts = [_without_comments(files, one) for one in files.under(place, ".go") if _is_code(one)]
            base = base or "\n".join(texts)
    return _Code(own, "" if own in base else base)


def _is_code(path: str) -> bool:
    return not path.endswith(("_test.go", "bindata.go"))


def _others(files: SourceFiles, folder: str, path: str) -> list[str]:
    paths = files.under(folder, ".go") if folder else [path]
    return [
        one for one in paths if one != path and _is_code(one) and one.rpartition("/")[0] in (folder, f"{folder}/start")
    ]


def _without_comments(files: SourceFiles, path: str) -> str:
    text = files.text(path)
    return COMMENT.sub(lambda match: "" if match[0].startswith("//") and '"' not in match[0] else match[0], text)


def _read_graph(draft: BoardDraft, text: str) -> dict[str, str]:
    """Read the chain of provinces; return the nation of each centre that is a home, by the Go name of the nation."""
    homes: dict[str, str] = {}
    spot: BoardSpot | None = None
    steps: list[tuple[BoardSpot, BoardSpot, set[str]]] = []
    for match in PART.finditer(text):
        call, said = match[1], match[2]
        words = re.findall(r'"([^"]*)"', said)
        flags = set(re.findall(r"\bgodip\.(\w+)|\b(Land|Sea|Coast|Archipelago)\b", said))
        kinds = {word for pair in flags for word in pair if word}
        if call == "Prov" and words:
            key, _, coast = words[0].partition("/")
            spot = BoardSpot(key, coast_of(coast))
            if key not in draft.spaces:
                draft.add_space(key, DraftSpace(key))
        elif spot is None:
            continue
        elif call == "Conn" and words:
            key, _, coast = words[0].partition("/")
            steps.append((spot, BoardSpot(key, coast_of(coast)), kinds))
        elif call == "Flag" and not spot.coast:
            draft.spaces[spot.space].port = bool(kinds & {"Archipelago", "Convoyable"}) and "Sea" not in kinds
        elif call == "SC":
            draft.spaces[spot.space].centre = True
            nation = said.strip().rpartition(".")[2]
            if nation != "Neutral":
                homes[spot.space] = nation
    for start, end, kinds in steps:
        draft.space(start.space)
        draft.space(end.space)
        if kinds & ARMIES and start.space != end.space:
            draft.armies.add((start.space, end.space))
        if kinds & FLEETS and start.space != end.space:
            draft.fleets.add((start, end))
    return homes


def _nation(said: str, names: dict[str, str]) -> str:
    return names.get(said.rpartition(".")[2], said.rpartition(".")[2])


def _read_units(draft: BoardDraft, text: str, names: dict[str, str], *, more: bool) -> None:
    """Read units in map literals and single settings; `more` are those that change an opening read before."""
    for call, place, rest in re.findall(
        r"(RemoveUnit|SetUnit)?\(?(?:godip\.Province\()?\"([a-z/]+)\"\)?\s*[,:]?\s*((?:godip\.Unit)?\{[^{}]*\})?", text
    ):
        kind = re.search(r"\b(Army|Fleet)\b", rest)
        if call == "RemoveUnit" or (more and kind):
            key = place.partition("/")[0]
            for power in draft.powers.values():
                power.units = [unit for unit in power.units if unit[1] != key]
        if kind is None:
            continue
        nation = re.search(r"(?:Nation:\s*)?(?:godip\.)?(\w+)\s*,?\s*\}$", rest.replace("\n", " ").strip())
        key, _, coast = place.partition("/")
        name = _nation(nation[1], names) if nation else ""
        draft.space(key)
        unit = (kind[1][0], key, coast_of(coast))
        if name == "Neutral":
            draft.neutral.append(unit)
        else:
            draft.powers.setdefault(name, DraftPower(name)).units.append(unit)


def _owners(text: str, names: dict[str, str]) -> dict[str, str]:
    """Return the centres with the nation that owns each at the start."""
    blocks = re.findall(r"map\[(?:godip\.)?Province\](?:godip\.)?Nation\s*\{([^{}]*)\}", text)
    return {
        key: _nation(said, names)
        for block in blocks
        for key, said in re.findall(r"\"([a-z/]+)\"\s*:\s*([\w.]+)", block)
        if _nation(said, names) != "Neutral"
    }


def _long_names(text: str) -> dict[str, str]:
    blocks = re.findall(r"map\[(?:godip\.)?Province\]string\s*\{([^{}]*)\}", text)
    return {key: name for block in blocks for key, name in re.findall(r"\"([a-z/]+)\"\s*:\s*\"([^\"\n]*)\"", block)}


def _text_of(text: str, name: str) -> str:
    match = re.search(rf"\b{name}:\s*(?:\"([^\"\n]*)\"|`([^`]*)`)", text)
    return " ".join((match[1] or match[2] or "").split()) if match else ""


def read(files: SourceFiles, key: str) -> ImportedBoard:
    """Return the board of a variant by its Go file; raise `InvalidBoardFile`."""
    code = _code(files, key)
    named = _text_of(code.own, "Name") or key.rpartition("/")[2].removesuffix(".go")
    about = BoardSource("godip", key, _text_of(code.own, "CreatedBy"), "GPL-3.0", _text_of(code.own, "Description"))
    draft = BoardDraft(key.rpartition("/")[2].removesuffix(".go"), named, about)
    names = dict(NATION.findall(code.base)) | dict(NATION.findall(code.own))
    own_graph = '.Conn("' in code.own
    graph = code.own if own_graph else code.base
    if '.Conn("' not in graph:
        raise fault_at(key, 0, say("it has no contacts."))
    homes = _read_graph(draft, graph)
    long_names = _long_names(code.own) or _long_names(code.base)
    for space_key, space in draft.spaces.items():
        space.name = long_names.get(space_key, space_key.upper())
    listed = re.search(r"\bNations(?::|\s*=)\s*\[\]godip\.Nation\{([^{}]*)\}", code.own)
    played = [_nation(one, names) for one in re.findall(r"[\w.]+", listed[1])] if listed else []
    for name in played:
        draft.powers[name] = DraftPower(name)
    own_units = re.search(r"map\[godip\.Province\]godip\.Unit", code.own) is not None
    if not own_units and code.base:
        _read_units(draft, code.base, names, more=False)
    _read_units(draft, code.own, names, more=not own_units)
    owners = _owners(code.own, names) or ({} if own_graph else _owners(code.base, names))
    for space_key, nation in homes.items():
        name = _nation(nation, names)
        if (not played or name in played) and space_key in draft.spaces:
            draft.powers.setdefault(name, DraftPower(name)).homes.append(space_key)
    for name, power in draft.powers.items() if owners else ():
        power.owned = [space_key for space_key, owner in owners.items() if owner == name]
    if played:
        draft.powers = {name: power for name, power in draft.powers.items() if name in played}
    if match := re.search(r"\b(?:SCCountWinner|return)\(?\s*(\d+)", code.own):
        draft.victory = int(match[1])
    if match := re.search(r"Phase\((\d+),\s*godip\.(\w+),\s*godip\.(\w+)", code.own):
        draft.year = int(match[1])
        adjusts = match[3] == "Adjustment"
        draft.first_phase = ("Winter", "adjustments") if adjusts else (match[2], "movement")
    if re.search(r"BuildAnywhere", code.own):
        draft.build = "owned"
    return draft.board()


READER = BoardFormat("godip", "godip (Go files of variants)", find, read)
"""The reader of variants in Go."""
