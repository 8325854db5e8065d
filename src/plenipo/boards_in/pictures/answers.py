"""The answers beside an imported picture, in `import.toml`: what it does not say, asked once and read again.

Spaces are found again by a point inside of them, so that answers outlast changes of their borders.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from plenipo.boards_in.source_files import fault_at
from plenipo.boards_in.values import OpenQuestion
from plenipo.boards_in.variant_files import ANSWERS
from plenipo.engine.sentences import say
from plenipo.errors import InvalidBoardFile

__all__ = ["CoastPoints", "PictureAnswers", "PowerAnswer", "SpaceAnswer", "add_answer", "read_answers", "write_answers"]

KINDS = ("land", "sea", "impassable", "off")
"""The kinds of a space: `off` is drawn and is no part of the board."""

COASTS = ("one", "several")
"""The answers about a space with several shores: ships pass through it, or each shore is a coast of its own."""

HEAD = """\
# The answers that the picture does not give. Change them and import it again: nothing is asked twice.
# A space is found by the point `at` in it; `kind` is land, sea, impassable or off (no part of the board).
# `coasts = "one"` lets ships pass through a space with several shores, "several" gives each a coast of its own,
# and `coasts = { NC = [120, 80], SC = [130, 210] }` also says what the one near each point is called.
"""


COAST = re.compile(r"[A-Z][A-Z0-9]{0,3}")
"""The name of a coast."""

CoastPoints = tuple[tuple[str, tuple[float, float]], ...]
"""The names of coasts, each with a point near its shore."""


class SpaceAnswer(NamedTuple):
    """An answer about a space; empty where there is none. `shores` names its coasts where there are several."""

    at: tuple[float, float]
    name: str = ""
    kind: str = ""
    centre: bool = False
    coasts: str = ""
    shores: CoastPoints = ()


class PowerAnswer(NamedTuple):
    """A power with its homes and units."""

    homes: tuple[str, ...] = ()
    units: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PictureAnswers:
    """All answers; `areas` and `ignore` choose layers, `spaces` are by code, `powers` by name."""

    areas: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    spaces: Mapping[str, SpaceAnswer] = field(default_factory=dict)
    powers: Mapping[str, PowerAnswer] = field(default_factory=dict)


def read_answers(text: str) -> PictureAnswers:
    """Return the answers in the text of a file; raise `InvalidBoardFile`."""
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        line = re.search(r"at line (\d+)", str(fault))
        raise fault_at(ANSWERS, int(line[1]) if line else 0, say("this is not TOML.")) from fault
    picture = _table(table, "picture")
    spaces = {code: _space(code, _table(_table(table, "spaces"), code)) for code in _table(table, "spaces")}
    powers = {}
    for name in _table(table, "powers"):
        said = _table(_table(table, "powers"), name)
        powers[name] = PowerAnswer(_texts(said, "homes"), _texts(said, "units"))
    return PictureAnswers(_texts(picture, "areas"), _texts(picture, "ignore"), spaces, powers)


def _table(table: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise fault_at(ANSWERS, 0, say("'{key}' must be a table.", key=key))
    return value


def _texts(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise fault_at(ANSWERS, 0, say("'{key}' must be a list of texts.", key=key))
    return tuple(value)


def _space(code: str, said: Mapping[str, Any]) -> SpaceAnswer:
    match said.get("at"):
        case [int() | float() as x, int() | float() as y]:
            at = (float(x), float(y))
        case _:
            raise fault_at(ANSWERS, 0, say("'{code}' needs a point in it, such as at = [120, 80].", code=code))
    kind, coasts = said.get("kind", ""), said.get("coasts", "")
    if kind not in ("", *KINDS):
        raise fault_at(
            ANSWERS,
            0,
            say("'{kind}' is no kind of '{code}'; write land, sea, impassable or off.", kind=str(kind)[:40], code=code),
        )
    shores = _shores(code, coasts) if isinstance(coasts, dict) else ()
    coasts = "several" if isinstance(coasts, dict) else coasts
    if coasts not in ("", *COASTS):
        raise _wrong_coasts(code)
    return SpaceAnswer(at, str(said.get("name", ""))[:60], kind, said.get("centre") is True, coasts, shores)


def _shores(code: str, said: Mapping[str, Any]) -> CoastPoints:
    shores = []
    for coast, at in said.items():
        match at:
            case [int() | float() as x, int() | float() as y] if COAST.fullmatch(coast):
                shores.append((coast, (float(x), float(y))))
            case _:
                raise _wrong_coasts(code)
    return tuple(shores)


def _wrong_coasts(code: str) -> InvalidBoardFile:
    said = say("the coasts of '{code}' are 'one', 'several', or a point at each, such as NC = [120, 80].", code=code)
    return fault_at(ANSWERS, 0, said)


def write_answers(answers: PictureAnswers) -> str:
    """Return the text of the file."""
    return HEAD + "\n".join(_lines(answers)) + "\n"


def add_answer(text: str, question: OpenQuestion, answer: str) -> str:
    """Return the text of the answers with that to a question."""
    answers = read_answers(text)
    spaces = dict(answers.spaces)
    for code in question.space.split():
        if code in spaces:
            said = spaces[code]
            spaces[code] = (
                said._replace(kind=answer) if question.key == "kind" else said._replace(coasts=answer, shores=())
            )
    return write_answers(replace(answers, spaces=spaces))


def _lines(answers: PictureAnswers) -> Iterator[str]:
    if answers.areas or answers.ignore:
        yield from ("", "[picture]", f"areas = {_list(answers.areas)}", f"ignore = {_list(answers.ignore)}")
    yield from ("", "[spaces]")
    for code, space in answers.spaces.items():
        said = [
            f"at = [{space.at[0]:g}, {space.at[1]:g}]",
            f"name = {_text(space.name)}",
            f"kind = {_text(space.kind)}",
        ]
        if space.centre:
            said.append("centre = true")
        if space.shores:
            at = (f"{coast} = [{x:g}, {y:g}]" for coast, (x, y) in space.shores)
            said.append(f"coasts = {{ {', '.join(at)} }}")
        elif space.coasts:
            said.append(f"coasts = {_text(space.coasts)}")
        yield f"{code if code.isalnum() else _text(code)} = {{ {', '.join(said)} }}"
    yield from ("", "[powers]")
    for name, power in answers.powers.items():
        yield f"{_text(name)} = {{ homes = {_list(power.homes)}, units = {_list(power.units)} }}"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _list(texts: Iterable[str]) -> str:
    return json.dumps(list(texts), ensure_ascii=False)
