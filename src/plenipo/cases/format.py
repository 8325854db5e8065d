"""From the text of a file to cases, each complete in itself.

A case with alternatives becomes several cases, one for each, so that each is run and counted.
Nothing here knows a variant or a map.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plenipo.cases.entries import CaseEntry, entries
from plenipo.engine.history.record import Json
from plenipo.engine.sentences import say
from plenipo.engine.wording import hint
from plenipo.errors import InvalidCase

__all__ = ["NOTES", "POSITION", "Case", "CaseStep", "Json", "Unreadable", "read"]


HEADINGS = frozenset({"about", "format", "licence", "meta", "note", "notice", "source"})
"""The keys with which a file may describe itself, besides its cases."""

NOTES = frozenset(
    "title note given also rules source cross_checked depends_on differs setup_filled_in why when for_all".split()
)
"""Keys that tell a reader something and are not run."""

POSITION = ("phase", "units", "dislodged", "contested", "centres", "homes", "changes", "slots", "balances")
"""Keys that describe a position: those of a line of JSON lines, and how much money or how many points powers have."""

_STEP = frozenset({*POSITION, "orders", "before", "expect"})

_CASE = _STEP | {"id", "variant", "options", "edition", "seed", "steps", "alternatives", "skip"}


@dataclass(frozen=True)
class CaseStep:
    """A phase of a case: what it says of the position, the orders, and what it expects before and after them.

    `played` says whether the phase is played at all: with orders, or to see what comes without any.
    """

    position: Json
    orders: tuple[Mapping[str, list[str]], ...]
    before: Json
    expect: Json
    played: bool


@dataclass(frozen=True)
class Case:
    """One case with one set of options; `line` is where it begins in its `file`. With a reason to `skip` it is not run.

    `notes` are the keys for readers, `alternative` says whether it stands under `alternatives`.
    """

    id: str
    file: str
    line: int
    variant: str
    options: Mapping[str, str]
    steps: tuple[CaseStep, ...]
    notes: Json
    seed: str = ""
    skip: str = ""
    alternative: bool = False


@dataclass(frozen=True)
class Unreadable:
    """A piece of a file that is not a case, and the sentence that says why; its id is the file's if that is all."""

    id: str
    file: str
    line: int
    message: str


def read(content: str, file: str) -> Iterator[Case | Unreadable]:
    """Every case in `content`, alternatives as cases of their own; what cannot be read is said and left.

    `file` is the name used in messages.
    """
    names: set[str] = set()
    try:
        items = list(entries(content, HEADINGS))
    except InvalidCase as error:
        yield Unreadable(file, file, 1, error.sentence)
        return
    for number, entry in enumerate(items, 1):
        for case in _cases(entry, _name(entry, number), file):
            if isinstance(case, Case) and case.id in names:
                again = "key 'id' stands in the file already; an id names one case."
                yield Unreadable(case.id, file, entry.line, again)
            else:
                names.add(case.id)
                yield case


def _name(entry: CaseEntry, number: int) -> str:
    identity = entry.value.get("id") if isinstance(entry.value, dict) else None
    return str(identity) if isinstance(identity, str | int) and str(identity) else f"number {number}"


def _cases(entry: CaseEntry, name: str, file: str) -> Iterator[Case | Unreadable]:
    try:
        table = _table(entry)
        yield _case(table, file, entry.line)
        alternatives = _list(table.pop("alternatives", []), "alternatives")
    except InvalidCase as error:
        yield Unreadable(name, file, entry.line, error.sentence)
        return
    for number, alternative in enumerate(alternatives, 1):
        try:
            yield from _alternative(
                table, _mapping(alternative, "alternatives", _CASE | NOTES), file, entry.line, number
            )
        except InvalidCase as error:
            yield Unreadable(f"{name} (alternative {number})", file, entry.line, error.sentence)


def _table(entry: CaseEntry) -> Json:
    """Return a case as a mapping."""
    if entry.fault:
        raise InvalidCase(entry.fault)
    table = _mapping(entry.value, "cases", _CASE | NOTES)
    if "id" not in table:
        raise InvalidCase(say("key 'id' is missing; every case has a name of its own."))
    return table


def _alternative(table: Json, other: Json, file: str, line: int, number: int) -> Iterator[Case]:
    """Yield the case again for each set of options of an alternative, whose other keys replace those of the case."""
    ways = other.get("options", {})
    for way in ways if isinstance(ways, list) else [ways]:
        options = _options(way)
        label = ", ".join(f"{key}={value}" for key, value in options.items()) or f"alternative {number}"
        inherited = {key: value for key, value in table.items() if key not in ("expect", "before", "steps")}
        merged = {**inherited, **other, "options": {**_options(table.get("options", {})), **options}}
        yield _case({**merged, "id": f"{table['id']} ({label})"}, file, line, alternative=True)


def _case(table: Json, file: str, line: int, *, alternative: bool = False) -> Case:
    options = _options(table.get("options", {}))
    if "edition" in table:
        options = {"rulebook": _text(table["edition"], "edition"), **options}
    steps = (
        _step(table),
        *(_step(_mapping(step, "steps", _STEP | NOTES)) for step in _list(table.get("steps", []), "steps")),
    )
    skip = _text(table.get("skip", ""), "skip").strip()
    if "skip" in table and not skip:
        raise InvalidCase(say("key 'skip' must say why the case is not run."))
    if not skip and not any(step.before or step.expect for step in steps):
        raise InvalidCase(say("key 'expect' says nothing, so the case could not fail."))
    return Case(
        _text(table["id"], "id"),
        file,
        line,
        _text(table.get("variant", "standard"), "variant"),
        options,
        steps,
        {key: value for key, value in table.items() if key in NOTES},
        _text(table.get("seed", ""), "seed"),
        skip,
        alternative,
    )


def _step(table: Json) -> CaseStep:
    orders = table.get("orders", {})
    order_sets = orders if isinstance(orders, list) else [orders]
    return CaseStep(
        {key: table[key] for key in POSITION if key in table},
        tuple(
            {power: _texts(texts, power) for power, texts in _mapping(order_set, "orders").items()}
            for order_set in order_sets
        ),
        _mapping(table.get("before", {}), "before"),
        _mapping(table.get("expect", {}), "expect"),
        "orders" in table or "expect" in table,
    )


def _options(value: object) -> dict[str, str]:
    return {
        key: str(choice).lower() if isinstance(choice, bool) else _text(choice, f"options, {key}")
        for key, choice in _mapping(value, "options").items()
    }


# Values with the type they must have; every error names the key


def _mapping(value: object, key: str, known: frozenset[str] | None = None) -> Json:
    """`value` as a mapping with text keys, all of them `known`."""
    if not isinstance(value, dict):
        raise InvalidCase(say("key '{key}': {value} must be a mapping.", key=key, value=_quote(value)))
    table = {_text(name, key): item for name, item in value.items()}
    unknown = next((name for name in table if known is not None and name not in known), None)
    if unknown is not None:
        raise InvalidCase(
            say(
                "key '{unknown}' is not known in '{key}'; {hint}",
                unknown=unknown,
                key=key,
                hint=hint(unknown, sorted((known or frozenset()) - NOTES)),
            )
        )
    return table


def _list(value: object, key: str) -> list[object]:
    if not isinstance(value, list):
        raise InvalidCase(say("key '{key}': {value} must be a list.", key=key, value=_quote(value)))
    return value


def _text(value: object, key: str) -> str:
    """`value` as text; a whole number is taken as written."""
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    raise InvalidCase(say("key '{key}': {value} must be text.", key=key, value=_quote(value)))


def _texts(value: object, key: str) -> list[str]:
    """Return a list of texts, or a text alone."""
    return [_text(item, key) for item in (_list(value, key) if not isinstance(value, str) else [value])]


def _quote(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
