"""From the text of a file to cases, each complete in itself: one form, however the file writes it.

A case with alternatives becomes several cases, one for each set of options, so that each is run and counted.
Nothing here knows a variant or a map; what the keys of a case mean is the business of `plenipo.cases.kinds`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plenipo.cases.editions import Options, choices_meant
from plenipo.cases.entries import Entry, entries
from plenipo.cases.values import PROSE, mapping, sequence, text
from plenipo.errors import InvalidCase

__all__ = ["DEFAULT_VARIANT", "Case", "Unreadable", "read"]

DEFAULT_VARIANT = "standard"
"""The variant of a case that names none."""

_HEADINGS = frozenset({"about", "format", "licence", "meta", "note", "notice", "source"})
"""What a file may say about itself besides its cases."""

_ALIASES = {"phase": "kind", "centers": "centres", "edition": "rulebook"}
"""Other spellings of keys that are understood."""


@dataclass(frozen=True)
class Case:
    """One case with one set of options.

    `given` holds the keys that describe the situation, `expect` what must come of it, both as they were written.
    In an `alternative` the words beside the orders are not checked: they belong to the first set of options.
    `line` is where the case begins in its `file`. A case with a reason to `skip` is not run.
    """

    id: str
    file: str
    line: int
    variant: str
    kind: str
    options: Mapping[str, str]
    given: Mapping[str, object]
    expect: Mapping[str, object]
    title: str = ""
    skip: str = ""
    alternative: bool = False


@dataclass(frozen=True)
class Unreadable:
    """A piece of a file that is no case, and the sentence that says why; its id is the file's name if that is all."""

    id: str
    file: str
    line: int
    message: str


def read(content: str, file: str) -> Iterator[Case | Unreadable]:
    """Every case in `content`, alternatives as cases of their own; what cannot be read is told and left.

    `file` is the name used in messages.
    """
    seen: set[str] = set()
    try:
        found = list(entries(content, _HEADINGS))
    except InvalidCase as error:
        yield Unreadable(file, file, 1, str(error))
        return
    for number, entry in enumerate(found, 1):
        name = _name(entry, number)
        for case in _cases(entry, name, file):
            if case.id in seen:
                yield Unreadable(
                    case.id, file, entry.line, "key 'id' stands in the file already; an id names one case."
                )
            else:
                seen.add(case.id)
                yield case


def _name(entry: Entry, number: int) -> str:
    identity = entry.value.get("id") if isinstance(entry.value, dict) else None
    return str(identity) if isinstance(identity, str | int) and str(identity) else f"number {number}"


def _cases(entry: Entry, name: str, file: str) -> Iterator[Case | Unreadable]:
    def unreadable(error: object, which: str = name) -> Unreadable:
        return Unreadable(which, file, entry.line, str(error))

    if entry.fault:
        yield unreadable(entry.fault)
        return
    try:
        table = _spelt(mapping(entry.value, "cases"))
        case = _case(table, file, entry.line)
        alternatives = sequence(table.get("alternatives"), "alternatives")
    except InvalidCase as error:
        yield unreadable(error)
        return
    yield case
    for number, alternative in enumerate(alternatives, 1):
        try:
            yield from _alternative(case, mapping(alternative, "alternatives"))
        except InvalidCase as error:
            yield unreadable(error, f"{name} (alternative {number})")


def _spelt(table: dict[str, object]) -> dict[str, object]:
    """`table` with the usual spelling of its keys, also inside `expect`."""
    spelt: dict[str, object] = {}
    for key, value in table.items():
        usual = _ALIASES.get(key, key)
        if usual in spelt:
            raise InvalidCase(f"key '{key}' says the same as another key of this case; write one of them.")
        spelt[usual] = value
    if isinstance(spelt.get("expect"), dict):
        spelt["expect"] = _spelt(mapping(spelt["expect"], "expect"))
    return spelt


def _case(table: dict[str, object], file: str, line: int) -> Case:
    if "id" not in table:
        raise InvalidCase("key 'id' is missing; every case has a name of its own.")
    if "kind" not in table:
        raise InvalidCase("key 'kind' is missing; it says what sort of case this is, such as 'movement'.")
    options = _options(table.get("options"))
    if "rulebook" in table:
        if "rulebook" in options:
            raise InvalidCase("key 'edition' and the option 'rulebook' both name a rulebook; write one of them.")
        options = {"rulebook": text(table["rulebook"], "edition"), **options}
    own = {"id", "variant", "kind", "title", "options", "rulebook", "expect", "alternatives", "skip"}
    return Case(
        id=text(table["id"], "id"),
        file=file,
        line=line,
        variant=text(table.get("variant", DEFAULT_VARIANT), "variant"),
        kind=text(table["kind"], "kind"),
        options=options,
        given={key: value for key, value in table.items() if key not in own},
        expect=mapping(table.get("expect"), "expect"),
        title=text(table.get("title", ""), "title"),
        skip=_skip(table),
    )


def _skip(table: dict[str, object]) -> str:
    """Why the case is not run, empty if it is."""
    reason = text(table.get("skip", ""), "skip").strip()
    if "skip" in table and not reason:
        raise InvalidCase("key 'skip' must say why the case is not run.")
    return reason


def _options(value: object) -> Options:
    options: Options = {}
    for key, choice in mapping(value, "options").items():
        word = str(choice).lower() if isinstance(choice, bool) else text(choice, f"options, {key}")
        options[key] = word
    return options


def _alternative(case: Case, table: dict[str, object]) -> Iterator[Case]:
    """`case` once more for each set of options the alternative names, with the alternative's expectations."""
    expect = mapping(table.get("expect"), "alternatives, expect")
    for key, value in table.items():
        if key in expect:
            raise InvalidCase(f"key '{key}' stands in the alternative and in its 'expect'; write it once.")
        if key not in PROSE | {"when", "options", "expect", "skip"}:
            expect[key] = value
    expect = _spelt(expect)
    if "options" in table:
        value = table["options"]
        ways = [_options(item) for item in value] if isinstance(value, list) else [_options(value)]
    elif "when" in table:
        ways = choices_meant(text(table["when"], "when"))
    else:
        raise InvalidCase("key 'options' is missing in an alternative; it says under which options it holds.")
    if not ways or not all(ways):
        raise InvalidCase("key 'options' of an alternative is empty; it must differ from the case.")
    given = {key: value for key, value in case.given.items() if key != "retreat"}
    for options in ways:
        label = ", ".join(f"{key}={value}" for key, value in options.items())
        yield Case(
            id=f"{case.id} ({label})",
            file=case.file,
            line=case.line,
            variant=case.variant,
            kind=case.kind.removesuffix("+retreat"),
            options={**case.options, **options},
            given=given,
            expect=expect,
            title=case.title,
            skip=case.skip or _skip(table),
            alternative=True,
        )
