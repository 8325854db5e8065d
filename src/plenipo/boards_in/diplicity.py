"""Boards of diplicity-react: JSON files of variants.

Some files have the contacts of their provinces; those of others stand in a table `ADJACENCIES` of a Python file in the
same checkout, which is read as data and never run.
"""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from plenipo.boards_in.drafts import BoardDraft, DraftPower, DraftSpace, coast_of
from plenipo.boards_in.source_files import SourceFiles, fault_at, shorten
from plenipo.boards_in.values import BoardFormat, BoardSource, BoardSpot, ImportedBoard
from plenipo.engine.sentences import say
from plenipo.errors import InvalidBoardFile

__all__ = ["READER"]

KINDS = {"sea": "sea", "land": "inland", "inland": "inland", "coastal": "coast", "coast": "coast"}


def find(files: SourceFiles) -> list[str]:
    """Return the JSON files with provinces and nations; `path#number` for each in a list of several."""
    found = []
    for path in files.find("*.json"):
        try:
            text = files.text(path)
        except InvalidBoardFile:
            continue
        if '"provinces"' not in text or '"nations"' not in text:
            continue
        value = _json(files, path) if text.lstrip().startswith("[") else {}
        if isinstance(value, list):
            found += [f"{path}#{i}" for i, one in enumerate(value) if isinstance(one, dict) and one.get("provinces")]
        else:
            found.append(path)
    return found


def _json(files: SourceFiles, path: str) -> Any:
    try:
        return json.loads(files.text(path))
    except json.JSONDecodeError as fault:
        raise fault_at(path, fault.lineno, say("this is not JSON.")) from fault
    except RecursionError as fault:
        raise fault_at(path, 0, say("this is not JSON.")) from fault


def _texts(value: object, *keys: str) -> str:
    """Return the first text among some keys of an object."""
    found = (value.get(key) for key in keys) if isinstance(value, dict) else ()
    return next((text for text in found if isinstance(text, str) and text), "")


def _objects(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _table(files: SourceFiles, name: str) -> Mapping[str, Any]:
    """Return the contacts of a variant in a table `ADJACENCIES`; empty if there is none."""
    for path in files.under("", ".py"):
        if "adjacenc" not in path:
            continue
        text = files.text(path)
        match = re.search(r"(?m)^ADJACENCIES\s*=\s*(\{.*?^\})", text, re.DOTALL)
        if match is None or f'"{name}"' not in match[1]:
            continue
        try:
            table = ast.literal_eval(match[1])
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        if isinstance(table, dict) and isinstance(table.get(name), dict):
            return {str(key): value for key, value in table[name].items()}
    return {}


def _spot(text: str) -> BoardSpot:
    key, _, coast = text.strip().lower().replace("-", "/").partition("/")
    return BoardSpot(key, coast_of(coast))


def _contacts(provinces: list[dict[str, Any]], table: Mapping[str, Any]) -> Iterator[tuple[BoardSpot, BoardSpot, str]]:
    """Yield each contact with the units that pass: `army`, `fleet`, `both`, or '' where nothing says it."""
    for province in provinces:
        key = _texts(province, "id")
        beside = province.get("adjacencies") or table.get(key)
        for one in beside if isinstance(beside, list) else ():
            if isinstance(one, str):
                yield _spot(key), _spot(one), ""
            elif isinstance(one, dict):
                yield _spot(key), _spot(_texts(one, "to", "id")), _texts(one, "pass")


def _read_spaces(draft: BoardDraft, provinces: list[dict[str, Any]], table: Mapping[str, Any]) -> None:
    for province in provinces:
        spot = _spot(_texts(province, "id"))
        if not spot.space:
            raise fault_at(draft.origin.file, 0, say("a province has no id."))
        if spot.coast or province.get("parent") or province.get("parent_id"):
            continue
        space = DraftSpace(_texts(province, "name"), KINDS.get(_texts(province, "type"), ""))
        space.centre = province.get("supply_center") is True or province.get("supplyCenter") is True
        position = province.get("unitPosition")
        if isinstance(position, dict) and all(isinstance(position.get(axis), (int, float)) for axis in "xy"):
            space.at = (float(position["x"]), -float(position["y"]))
        draft.add_space(spot.space, space)
    for start, end, who in _contacts(provinces, table):
        kinds = [draft.space(at.space).kind for at in (start, end)]
        if start.space == end.space:
            continue
        if who in ("army", "both") or (not who and "sea" not in kinds):
            draft.armies.add((start.space, end.space))
        if who in ("fleet", "both") or (not who and "inland" not in kinds and "sea" in kinds):
            draft.fleets.add((start, end))


def _read_opening(draft: BoardDraft, value: Mapping[str, Any]) -> None:
    ids: dict[str, str] = {}
    for nation in _objects(value.get("nations")):
        name = _texts(nation, "name")
        ids |= {_texts(nation, "id", "nation_id", "name"): name, name: name}
        draft.powers[name] = DraftPower(name, played=nation.get("non_playable") is not True, owned=[])

    def power_of(text: str) -> DraftPower:
        if ids.get(text, text) not in draft.powers:
            why = say("'{name}' is not a power of this board.", name=shorten(text))
            raise fault_at(draft.origin.file, 0, why)
        return draft.powers[ids.get(text, text)]

    for unit in _objects(value.get("initial_units")):
        spot, kind = _spot(_texts(unit, "province")), _texts(unit, "type")[:1].upper()
        draft.space(spot.space)
        if _texts(unit, "nation") == "Neutral" and "Neutral" not in ids:
            draft.neutral.append((kind, spot.space, spot.coast))
            continue
        power_of(_texts(unit, "nation")).units.append((kind, spot.space, spot.coast))
    for centre in _objects(value.get("initial_supply_centers")):
        key = _spot(_texts(centre, "province")).space
        draft.space(key).centre = True
        if _texts(centre, "nation") == "Neutral" and "Neutral" not in ids:
            continue
        owner = power_of(_texts(centre, "nation"))
        owner.homes.append(key)
        if owner.owned is not None:
            owner.owned.append(key)
    for province in _objects(value.get("provinces")):
        key, home = _spot(_texts(province, "id")).space, _texts(province, "homeNation", "home_nation")
        if home and key in draft.spaces and draft.spaces[key].centre:
            power_of(home).homes.append(key)
        starts = province.get("startingUnit")
        if home and isinstance(starts, dict):
            power_of(home).units.append((_texts(starts, "type")[:1].upper(), key, ""))


def read(files: SourceFiles, key: str) -> ImportedBoard:
    """Return the board of a JSON file, of its numbered variant if it has several; raise `InvalidBoardFile`."""
    path, _, number = key.partition("#")
    value = _json(files, path)
    if isinstance(value, list) and number.isdecimal() and int(number) < len(value):
        value = value[int(number)]
    if not isinstance(value, dict):
        raise fault_at(path, 0, say("this is not a variant."))
    provinces = _objects(value.get("provinces"))
    named = _texts(value, "id") or path.rpartition("/")[2].removesuffix(".json")
    origin = BoardSource("diplicity-react", path, _texts(value, "author"), "", _texts(value, "description")[:400])
    draft = BoardDraft(named, _texts(value, "name") or named, origin)
    _read_spaces(draft, provinces, _table(files, named))
    _read_opening(draft, value)
    phase: object = value.get("initial_phase")
    if isinstance(phase, dict) and isinstance(phase.get("year"), int):
        draft.year = phase["year"]
        draft.first_phase = (_texts(phase, "season") or "Spring", _texts(phase, "type").lower() or "movement")
    for name in ("soloVictorySCCount", "solo_victory_sc_count"):
        if isinstance(value.get(name), int):
            draft.victory = value[name]
    return draft.board()


READER = BoardFormat("diplicity", "diplicity-react (JSON of variants)", find, read)
"""The reader of JSON files of variants."""
