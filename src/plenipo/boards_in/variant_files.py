"""An imported board as the files of a variant: a table of contacts, a `variant.toml`, and a page about its source."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from plenipo.boards_in.values import BoardSpot, ImportedBoard, Steps

__all__ = ["ANSWERS", "folder_name", "variant_files"]

CYCLE = (
    ("Spring", "movement"),
    ("Spring", "retreats"),
    ("Fall", "movement"),
    ("Fall", "retreats"),
    ("Winter", "ownership"),
    ("Winter", "adjustments"),
)
"""The year of every imported board."""

ANSWERS = "import.toml"
"""The file with the answers of the import of a picture."""

FREE = ("MIT", "BSD", "Apache", "CC0", "public domain")
"""Words of licences that let others pass a board on."""


def folder_name(name: str) -> str:
    """Return a name for the folder of a board: lower case, digits and hyphens.

    >>> folder_name("South Sahara (v2)")
    'south-sahara-v2'
    """
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name)
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:60] or "board"


def variant_files(board: ImportedBoard) -> dict[str, str]:
    """Return the texts of the files of a variant with this board, by their names."""
    files = {"contacts.toml": "\n".join(_contacts(board)) + "\n"}
    if board.figure is not None:
        files = {"figure.json": board.figure.to_json(), ANSWERS: board.answers}
    return files | {
        "variant.toml": "\n".join(_variant(board)) + "\n",
        "README.md": "\n".join(_page(board)) + "\n",
    }


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _list(texts: Iterable[str]) -> str:
    return json.dumps(list(texts), ensure_ascii=False)


def _contacts(board: ImportedBoard) -> Iterator[str]:
    yield "[spaces]"
    for code, space in board.spaces.items():
        said = [f"kind = {_text(space.kind)}"]
        if len(space.coasts) > 1:
            said.append(f"coasts = {_list(space.coasts)}")
        if space.impassable:
            said.append("impassable = true")
        if space.at is not None:
            said.append(f"at = [{space.at[0]:g}, {space.at[1]:g}]")
        yield f"{_key(code)} = {{ {', '.join(said)} }}"
    one_way: dict[str, Mapping[str, Sequence[str]]] = {}
    for key, steps in (("armies", board.armies), ("fleets", board.fleets)):
        both = {pair for pair in steps if pair[::-1] in steps}
        yield from ("", f"[{key}]", *_table(pair for pair in both if pair[0] < pair[1]))
        one_way[key] = dict(_group_steps(steps - both))
    for key, table in one_way.items():
        if table:
            yield from ("", f"[one_way.{key}]", *(f"{_key(one)} = {_list(others)}" for one, others in table.items()))


def _key(text: str) -> str:
    return text if re.fullmatch(r"[A-Z0-9]+", text) else _text(text)


def _table(pairs: Iterable[tuple[BoardSpot, BoardSpot]]) -> Iterator[str]:
    for one, others in _group_steps(pairs):
        yield f"{_key(one)} = {_list(others)}"


def _group_steps(pairs: Iterable[tuple[BoardSpot, BoardSpot]] | Steps) -> Iterator[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for one, other in sorted(pairs):
        found.setdefault(str(one), []).append(str(other))
    yield from found.items()


def _variant(board: ImportedBoard) -> Iterator[str]:
    centres = board.centres
    yield f"title = {_text(board.title)}"
    yield 'contacts = "contacts.toml"' if board.figure is None else 'figure = "figure.json"'
    yield f"victory = {board.victory if 0 < board.victory <= len(centres) else len(centres) // 2 + 1}"
    yield from ("", "[about]")
    if board.origin.author:
        yield f"designer = {_text(board.origin.author[:100])}"
    yield f"source = {_text(f'{board.origin.project}, {board.origin.file}')}"
    yield f"licence = {_text(_licence_of(board))}"
    if not _may_be_passed_on(board):
        yield "only_here = true"
    yield from ("", "[calendar]", f"start = {_year(board.year)}")
    at = CYCLE.index(board.first_phase) if board.first_phase in CYCLE else 0
    if at:
        yield f"first_year = {_year(board.year + 1 + (board.year == -1))}"
        yield f"opening = {json.dumps(CYCLE[at:])}"
    yield f"cycle = {json.dumps(CYCLE)}"
    yield from ("", "[powers]")
    for power in board.powers:
        said = [f"units = {_list(power.units)}"]
        if power.homes or power.owned is not None:
            said.append(f"homes = {_list(power.homes)}")
        if power.adjective and power.adjective != power.name:
            said.append(f"adjective = {_text(power.adjective)}")
        if power.owned is not None:
            said.append(f"owned = {_list(power.owned)}")
        if not power.played:
            said.append("played = false")
        if (joined := re.sub(r"\W", "", power.name)) != power.name:
            said.append(f"aliases = {_list([joined])}")
        yield f"{_text(power.name)} = {{ {', '.join(said)} }}"
    yield from ("", "[spaces]")
    for code, space in board.spaces.items():
        said = [f"name = {_text(space.name)}"]
        if space.centre:
            said.append("centre = true")
        if space.aliases:
            said.append(f"aliases = {_list(space.aliases)}")
        yield f"{_key(code)} = {{ {', '.join(said)} }}"
    yield from _modules(board)


def _modules(board: ImportedBoard) -> Iterator[str]:
    if board.build == "owned":
        yield from ("", "[modules.builds]", 'sites = [{ where = "owned" }]')
    ports = [code for code, space in board.spaces.items() if space.port and space.kind == "coast"]
    if ports:
        yield from ("", "[modules.convoys]", f"ports = {_list(ports)}")
    if board.neutral_units:
        yield from ("", "[modules.garrisons]", f"units = {_list(board.neutral_units)}")

    for contact in board.declared:
        yield from ("", f"[[modules.contacts.{'drop' if contact.drop else 'add'}]]")
        yield f"between = {_list(contact.between)}"
        yield f"units = {_list(contact.units)}"
        yield f"reason = {_text(contact.reason)}"


def _year(year: int) -> str:
    return str(year) if year > 0 else _text(f"{-year or 1} BC")


def _page(board: ImportedBoard) -> Iterator[str]:
    """Yield the page of the variant: what its source says of it, whose it is, and what was left out."""
    origin = board.origin
    yield from (f"# {board.title}", "")
    if origin.description:
        yield from (_plain(origin.description), "")
    yield from ("## Source", "")
    yield f"Imported from {origin.project}, file `{_plain(origin.file)}`."
    yield f"Author: {_plain(origin.author) or 'not named there'}."
    yield f"Licence as found: {_licence_of(board)}."
    if not _may_be_passed_on(board):
        yield "Keep it on this machine only: the licence found does not say that you may pass it on."
    if board.left_out:
        yield from ("", "## Left out", "")
        yield from (f"- {str(sentence)[:1].upper()}{str(sentence)[1:]}" for sentence in board.left_out)


def _licence_of(board: ImportedBoard) -> str:
    return _plain(board.origin.licence) or "none named there"


def _may_be_passed_on(board: ImportedBoard) -> bool:
    return any(word in board.origin.licence for word in FREE)


def _plain(text: str) -> str:
    """Return a text of a stranger without markup."""
    return " ".join(re.sub(r"[<>`\[\]|*_#\\]+", " ", text).split())[:600]
