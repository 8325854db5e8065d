"""A reader of gettext `.po` files that uses nothing but the standard library, and the checks of their entries."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["CatalogueError", "PoEntry", "find_faults", "find_placeholders", "parse_po"]

_PLACEHOLDER = re.compile(r"%\((\w+)\)s|\{(\w+)(?:![rs])?(?::[^{}]*)?\}")
_LINE = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d+)\])?)\s*)?"((?:[^"\\]|\\.)*)"\s*')
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}


class CatalogueError(ValueError):
    """A language is unknown, or a `.po` file cannot be read; the message is a sentence with file and line."""


@dataclass(slots=True)
class PoEntry:
    """An entry of a `.po` file: an English message and its translations, one for each plural form."""

    line: int
    context: str = ""
    message: str = ""
    plural: str | None = None
    forms: dict[int, str] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()
    sources: tuple[str, ...] = ()
    """The files of the program that have the message, from the `#:` lines of a template."""

    @property
    def translations(self) -> tuple[str, ...]:
        """The texts of all plural forms in order."""
        return tuple(self.forms[form] for form in sorted(self.forms))

    @property
    def is_translated(self) -> bool:
        """True if the entry can be used: every form has a text, and none is marked as fuzzy."""
        return "fuzzy" not in self.flags and bool(self.forms) and all(self.forms.values())


def find_placeholders(text: str) -> frozenset[str]:
    """Return the names of the placeholders of a text, of the forms `{name}` and `%(name)s`.

    >>> sorted(find_placeholders("{unit} moved to %(place)s"))
    ['place', 'unit']
    """
    return frozenset(brace or percent for percent, brace in _PLACEHOLDER.findall(text))


def find_faults(entry: PoEntry, forms: int) -> Iterator[str]:
    """Yield a sentence for everything that makes a translated entry unusable."""
    if not entry.is_translated:
        return
    message = _quote(entry.message)
    wanted = 1 if entry.plural is None else forms
    if sorted(entry.forms) != list(range(wanted)):
        yield f"the translation of {message} has {len(entry.forms)} plural forms instead of {wanted}."
        return
    known = find_placeholders(entry.message) | find_placeholders(entry.plural or "")
    required = known if entry.plural is None else find_placeholders(entry.message) & find_placeholders(entry.plural)
    for text in entry.translations:
        has = find_placeholders(text)
        if missing := sorted(required - has):
            yield f"the translation of {message} lacks the placeholder {', '.join(missing)}."
        if surplus := sorted(has - known):
            yield f"the translation of {message} has the unknown placeholder {', '.join(surplus)}."
        rest, original = _PLACEHOLDER.sub("", text), _PLACEHOLDER.sub("", entry.message)
        if any(mark in rest and mark not in original for mark in ("{", "}", "%(")):
            yield f"the translation of {message} has a broken placeholder."
        if other := sorted(_formats(text) - _formats(entry.message) - _formats(entry.plural or "")):
            yield f"the translation of {message} formats a placeholder in another way, {', '.join(other)}."
        if "%(" in entry.message and "%" in _PLACEHOLDER.sub("", text.replace("%%", "")):
            yield f"the translation of {message} has a single %; write %% for it."


def _formats(text: str) -> frozenset[str]:
    """Return the placeholders of a text that say how their value is written, such as `{number:.1f}`."""
    found = (match[0] for match in _PLACEHOLDER.finditer(text))
    return frozenset(one for one in found if one.startswith("{") and ("!" in one or ":" in one))


def parse_po(text: str, file: Path) -> tuple[list[PoEntry], dict[str, str]]:
    """Parse a `.po` file into its entries and the headers of its first entry.

    Obsolete entries are skipped. Raises `CatalogueError` with file and line for a line that cannot be read and for a
    message that stands there twice.
    """
    entries: list[PoEntry] = []
    headers: dict[str, str] = {}
    seen: dict[tuple[str, str], int] = {}
    for entry in _read_entries(text.removeprefix("\ufeff").split("\n"), file):
        key = entry.context, entry.message
        if key in seen:
            raise CatalogueError(
                f"{file}:{entry.line}: the message {_quote(entry.message)} stands already in line {seen[key]}."
            )
        seen[key] = entry.line
        if entry.message:
            entries.append(entry)
        else:
            pairs = (line.partition(":") for line in entry.forms.get(0, "").split("\n"))
            headers |= {name.strip(): value.strip() for name, colon, value in pairs if colon}
    return entries, headers


def _read_entries(lines: Iterable[str], file: Path) -> Iterator[PoEntry]:
    entry: PoEntry | None = None
    flags: frozenset[str] = frozenset()
    sources: tuple[str, ...] = ()
    part, form = "", 0
    for number, raw in enumerate(lines, 1):
        line = raw.strip()
        if line.startswith("#,"):
            flags |= frozenset(flag.strip() for flag in line[2:].split(","))
        elif line.startswith("#:"):
            sources += tuple(line[2:].split())
        if not line or line.startswith("#"):
            continue
        matched = _LINE.fullmatch(line)
        if not matched:
            raise CatalogueError(f"{file}:{number}: cannot read {_quote(line)}; expected a keyword and a quoted text.")
        keyword, index, quoted = matched.groups()
        if keyword:
            starts = keyword == "msgctxt" or (keyword == "msgid" and part != "msgctxt")
            if starts:
                if entry is not None:
                    yield _complete(entry, part, file)
                entry, flags, sources = PoEntry(number, flags=flags, sources=sources), frozenset(), ()
            elif entry is None or not _may_follow(part, keyword):
                raise CatalogueError(f"{file}:{number}: '{keyword}' cannot follow '{part or 'nothing'}'.")
            part, form = keyword.partition("[")[0], int(index or 0)
            if part == "msgid_plural":
                entry.plural = ""
            if part == "msgstr":
                if form in entry.forms:
                    raise CatalogueError(f"{file}:{number}: '{keyword}' stands there twice.")
                entry.forms[form] = ""
        if entry is None:
            raise CatalogueError(f"{file}:{number}: the text {_quote(line)} has no keyword.")
        _append(entry, part, form, _unescape(quoted, file, number))
    if entry is not None:
        yield _complete(entry, part, file)


def _may_follow(part: str, keyword: str) -> bool:
    if keyword == "msgid":
        return part == "msgctxt"
    if keyword == "msgid_plural":
        return part == "msgid"
    return part in ("msgid", "msgid_plural", "msgstr")


def _append(entry: PoEntry, part: str, form: int, text: str) -> None:
    if part == "msgctxt":
        entry.context += text
    elif part == "msgid":
        entry.message += text
    elif part == "msgid_plural":
        entry.plural = (entry.plural or "") + text
    else:
        entry.forms[form] += text


def _complete(entry: PoEntry, part: str, file: Path) -> PoEntry:
    """Return the entry, which must have ended with a translation."""
    if part != "msgstr":
        raise CatalogueError(f"{file}:{entry.line}: the message {_quote(entry.message)} has no msgstr.")
    return entry


def _unescape(text: str, file: Path, line: int) -> str:
    def character(matched: re.Match[str]) -> str:
        if matched[1] not in _ESCAPES:
            raise CatalogueError(f"{file}:{line}: unknown escape '\\{matched[1]}'; write \\\\ for a backslash.")
        return _ESCAPES[matched[1]]

    return _ESCAPE.sub(character, text)


def _quote(text: str) -> str:
    return f"'{text if len(text) <= 60 else text[:59] + '…'}'"
