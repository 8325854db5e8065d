r"""Compare a catalogue with its template: which entries are missing, which are surplus, and which cannot be used.

A catalogue that covers a part of the program names it in its first entry, as files or folders of `src/plenipo`:
`"X-Covers: engine cli/tables.py\n"`. Its entries from elsewhere may be missing; they appear in English.
"""

import re
from pathlib import Path

from plenipo.languages import check_catalogue
from plenipo.languages.po_files import CatalogueError, PoEntry, parse_po

__all__ = ["COVERS", "compare_catalogue"]

COVERS = "X-Covers"
"""The header of a catalogue that names the files and folders which it translates; without it, it translates all."""

_TAG = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?(-[a-z0-9]{5,8})*")
"""A BCP 47 tag: a language, and perhaps a script, a region and variants."""


def compare_catalogue(file: Path, template: Path) -> tuple[str, ...]:
    """Return the faults of a `.po` file and its differences from its template, each as a sentence with file and line.

    An entry of the names with a context is the name in one variant; the template need not have it.
    """
    faults = list(check_catalogue(file))
    try:
        entries, headers = parse_po(file.read_text(encoding="utf-8"), file)
        wanted, _ = parse_po(template.read_text(encoding="utf-8"), template)
    except (CatalogueError, UnicodeDecodeError):
        return tuple(faults)
    faults += _header_faults(file, headers)
    covered, unknown = _find_covered(wanted, headers.get(COVERS, ""))
    faults += [f"{file}:1: {COVERS} names '{one}', from which {template.name} has no entry." for one in unknown]
    found = {(entry.context, entry.message): entry for entry in entries}
    known = {(entry.context, entry.message): entry for entry in wanted}
    for key, entry in known.items():
        there = found.get(key)
        if there is None and key in covered:
            faults.append(f"{file}: the entry {_label(entry)} of {template.name}:{entry.line} is missing.")
        elif there is not None and not there.is_translated:
            faults.append(f"{file}:{there.line}: {_label(entry)} has no translation, or one that is marked as fuzzy.")
        elif there is not None and (there.plural is None) != (entry.plural is None):
            faults.append(
                f"{file}:{there.line}: {_label(entry)} needs the msgid_plural of {template.name}:{entry.line}."
            )
    for key, entry in found.items():
        if key not in known and not (entry.context and template.stem == "names"):
            faults.append(f"{file}:{entry.line}: {_label(entry)} is not in {template.name}; remove or renew the entry.")
    return tuple(faults)


def _header_faults(file: Path, headers: dict[str, str]) -> list[str]:
    language = file.parent.name
    faults = []
    if not _TAG.fullmatch(language):
        faults.append(f"{file}:1: the folder '{language}' is not named by the tag of a language, such as 'de'.")
    if headers.get("Language", language) != language:
        faults.append(f"{file}:1: the language '{headers['Language']}' is not that of the folder, '{language}'.")
    return faults


def _find_covered(entries: list[PoEntry], covers: str) -> tuple[set[tuple[str, str]], list[str]]:
    """Return the keys of the entries that a catalogue covers, and the parts that no entry comes from."""
    keys = [(entry, (entry.context, entry.message)) for entry in entries]
    if not covers.split():
        return {key for _, key in keys}, []
    found: set[tuple[str, str]] = set()
    unknown = []
    for part in covers.split():
        among = {key for entry, key in keys if any(f"{one}/".startswith(f"{part}/") for one in entry.sources)}
        found |= among
        unknown += [] if among else [part]
    return found, unknown


def _label(entry: PoEntry) -> str:
    text = entry.message if len(entry.message) <= 60 else f"{entry.message[:59]}…"
    return f"'{text}'" + (f" ({entry.context})" if entry.context else "")
