"""Message catalogues: the texts of the program in other languages, from gettext `.po` files.

`languages/<language>/<domain>.po` translates the texts of one domain: `rules` has the sentences of the engine, the rule
modules and the command line, `pages` those of the web pages. English is the language of the source and has no file.

>>> from plenipo.languages import gettext, ngettext
>>> gettext("en", "Orders are due."), ngettext("en", "{n} centre", "{n} centres", 2)
('Orders are due.', '{n} centres')

A text that a catalogue lacks, or has with a fault, appears in English. `check_catalogue` lists the faults.
"""

import logging
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from plenipo.languages.catalogues import Catalogue
from plenipo.languages.po_files import CatalogueError, PoEntry, find_placeholders, parse_po

__all__ = [
    "ENGLISH",
    "FOLDER",
    "Catalogue",
    "CatalogueError",
    "PoEntry",
    "available",
    "catalogue",
    "check_catalogue",
    "find_placeholders",
    "gettext",
    "mark",
    "native_name",
    "ngettext",
    "npgettext",
    "parse_po",
    "pgettext",
]

ENGLISH = "en"
"""The language of the source, which needs no catalogue."""

FOLDER = Path(os.environ.get("PLENIPO_CATALOGUES") or Path(__file__).parent)
"""The folder of the catalogues: one folder for each language, named by its BCP 47 tag.

Translators and tests name another folder in PLENIPO_CATALOGUES.
"""

_log = logging.getLogger(__name__)


@cache
def available(folder: Path = FOLDER, domain: str = "*") -> tuple[str, ...]:
    """Return the languages that have a catalogue of a domain, or any, English first, as BCP 47 tags such as `de`."""
    return (ENGLISH, *sorted({file.parent.name for file in folder.glob(f"*/{domain}.po")} - {ENGLISH}))


@cache
def catalogue(language: str, domain: str = "pages", folder: Path = FOLDER) -> Catalogue:
    """Return the catalogue of a language for a domain; it is empty for English and for a domain without a file.

    Entries with a fault are left out, and a warning is logged. Raises `CatalogueError` for an unknown language.
    """
    tags = {tag.casefold(): tag for tag in available(folder)}
    tag = tags.get(language.casefold())
    if tag is None:
        raise CatalogueError(f"Unknown language '{language}'. There are {', '.join(available(folder))}.")
    file = folder / tag / f"{domain}.po"
    if tag == ENGLISH or not file.is_file():
        return Catalogue(tag)
    try:
        entries, headers = parse_po(file.read_text(encoding="utf-8"), file)
        found = Catalogue(tag, entries, headers, file)
    except (CatalogueError, UnicodeDecodeError) as error:
        _log.warning("%s The texts appear in English.", error)
        return Catalogue(tag)
    for fault in found.faults:
        _log.warning("%s The text appears in English.", fault)
    return found


def check_catalogue(file: Path) -> tuple[str, ...]:
    """Return the faults of a `.po` file, each as a sentence with file and line."""
    try:
        entries, headers = parse_po(file.read_text(encoding="utf-8"), file)
        return Catalogue(file.parent.name, entries, headers, file).faults
    except CatalogueError as error:
        return (str(error),)
    except UnicodeDecodeError:
        return (f"{file}: the file is not UTF-8.",)


def mark(message: str) -> str:
    """Mark a text for the catalogue that is translated where it is shown."""
    return message


def gettext(language: str, message: str, domain: str = "pages") -> str:
    """Translate a message."""
    return catalogue(language, domain).gettext(message)


def ngettext(language: str, singular: str, plural: str, number: int, domain: str = "pages") -> str:
    """Translate a message that counts something."""
    return catalogue(language, domain).ngettext(singular, plural, number)


def pgettext(language: str, context: str, message: str, domain: str = "pages") -> str:
    """Translate a message that needs a context to be understood."""
    return catalogue(language, domain).pgettext(context, message)


def npgettext(language: str, context: str, singular: str, plural: str, number: int, domain: str = "pages") -> str:
    """Translate a message that counts something and needs a context to be understood."""
    return catalogue(language, domain).npgettext(context, singular, plural, number)


def native_name(language: str, folder: Path = FOLDER) -> str:
    """Return the name of a language in that language, such as `Deutsch`."""
    if language == ENGLISH:
        return "English"
    headers: list[Mapping[str, str]] = [catalogue(language, domain, folder).headers for domain in ("pages", "rules")]
    return next((one["X-Native-Name"] for one in headers if "X-Native-Name" in one), language)
