"""Boards as plain CSV: a row for each space, with code, name, kind, centre, owner and what it touches.

The columns are named in the first row, in any order: `code`, `name`, `kind` (inland, coast, sea), `centre` (yes or
empty), `owner` (the power whose home it is), `unit` (A or F at the start), `touches` (codes, separated by spaces) and
optionally `x` and `y`. `touches` is for all units that can stand on both sides; `STP/NC` is a coast of `STP`.
"""

import csv
import re

from plenipo.boards_in.drafts import BoardDraft, DraftPower, DraftSpace, coast_of, power_name
from plenipo.boards_in.source_files import SourceFiles, fault_at
from plenipo.boards_in.values import BoardFormat, BoardSource, BoardSpot, ImportedBoard
from plenipo.engine.sentences import say
from plenipo.errors import InvalidBoardFile

__all__ = ["READER"]

COLUMNS = ("code", "name", "kind", "centre", "owner", "unit", "touches", "x", "y")
NEEDED = ("code", "kind", "touches")
KINDS = {"inland": "inland", "land": "inland", "coast": "coast", "coastal": "coast", "sea": "sea", "water": "sea"}
YES = ("yes", "y", "true", "1", "x")


def find(files: SourceFiles) -> list[str]:
    """Return the CSV files whose first row names the columns that are needed."""
    found = []
    for path in files.find("*.csv"):
        try:
            first = files.text(path).lstrip().partition("\n")[0].lower()
        except InvalidBoardFile:
            continue
        if files.only or all(re.search(rf"\b{column}\b", first) for column in NEEDED):
            found.append(path)
    return found


def _rows(files: SourceFiles, path: str) -> list[tuple[int, dict[str, str]]]:
    """Return the rows by the names of their columns, each with its line."""
    text = files.text(path).lstrip()
    skipped = files.text(path)[: len(files.text(path)) - len(text)].count("\n")
    separator = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.reader(text.split("\n"), delimiter=separator)
    rows: list[tuple[int, dict[str, str]]] = []
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        for column in NEEDED:
            if column not in names:
                raise fault_at(path, 1, say("there is no column '{name}'.", name=column))
        for values in reader:
            if any(value.strip() for value in values):
                row = dict(zip(names, (value.strip() for value in values), strict=False))
                rows.append((reader.line_num + skipped, row))
    except csv.Error as fault:
        raise fault_at(path, reader.line_num + skipped, say("this is not a row of a table.")) from fault
    return rows


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", text) else None


def read(files: SourceFiles, key: str) -> ImportedBoard:
    """Return the board of a CSV file; raise `InvalidBoardFile`."""
    stem = key.rpartition("/")[2].rpartition(".")[0]
    draft = BoardDraft(stem, power_name(stem), BoardSource("a table", key))
    rows = _rows(files, key)
    for line, row in rows:
        code = row.get("code", "").upper()
        kind = KINDS.get(row.get("kind", "").lower())
        if not code:
            raise fault_at(key, line, say("this row has no code."))
        if kind is None:
            why = say("'{kind}' is not a kind of space; write inland, coast or sea.", kind=row.get("kind", "")[:40])
            raise fault_at(key, line, why)
        space = DraftSpace(row.get("name", "") or code, kind, row.get("centre", "").lower() in YES)
        x, y = _number(row.get("x", "")), _number(row.get("y", ""))
        space.at = None if x is None or y is None else (x, y)
        draft.add_space(code, space, line)
    for line, row in rows:
        code = row["code"].upper()
        for word in row.get("touches", "").upper().split():
            _add_contact(draft, code, word, line)
        owner = row.get("owner", "")
        if owner:
            power = draft.powers.setdefault(owner, DraftPower(owner))
            if draft.spaces[code].centre:
                power.homes.append(code)
            if unit := row.get("unit", "").upper():
                kind, _, coast = unit.partition("/")
                power.units.append((kind.split()[0][:1], code, coast_of(coast)))
    return draft.board()


def _add_contact(draft: BoardDraft, code: str, word: str, line: int) -> None:
    """Add a contact, both ways, for all units that can stand on both sides."""
    own, _, rest = word.rpartition(">")
    key, _, coast = rest.partition("/")
    other = draft.space(key, line)
    kinds = {draft.space(code).kind, other.kind}
    if key == code:
        raise fault_at(draft.origin.file, line, say("'{name}' touches itself.", name=code))
    if "sea" not in kinds:
        draft.armies |= {(code, key), (key, code)}
    if "inland" not in kinds:
        here, there = BoardSpot(code, coast_of(own)), BoardSpot(key, coast_of(coast))
        draft.fleets |= {(here, there), (there, here)}


READER = BoardFormat("csv", "a table (CSV)", find, read)
"""The reader of tables."""
