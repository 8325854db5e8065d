"""Names of people and games: which are valid, and which could be mistaken for another's."""

import re
import unicodedata
from collections.abc import Collection
from functools import cache

from plenipo.engine.position import GAME_MASTER
from plenipo.engine.sentences import SentenceKind
from plenipo.server.errors import SeatRefused

__all__ = ["LEFT", "LONGEST", "name_of", "require_title"]

_NAME_EMPTY = SentenceKind("server-name-empty", "Write a name to join.")
_NAME_TOO_LONG = SentenceKind("server-name-too-long", "'{name}…' is too long; a name has at most {most} characters.")
_NAME_INVISIBLE = SentenceKind("server-name-invisible", "The name has invisible characters; write it with letters.")
_NAME_RESERVED = SentenceKind("server-name-reserved", "'{name}' is reserved; choose another name.")
_NAME_SCRIPTS = SentenceKind("server-name-scripts", "'{name}' mixes letters of several scripts; use only one.")
_NAME_TAKEN = SentenceKind("server-name-taken", "The name '{name}' is taken here; choose another name.")

LONGEST = 40
"""The most characters of a name."""

LEFT = "a player who left"
"""The name shown for a deleted account."""

OFFICES = frozenset(
    {
        GAME_MASTER,
        LEFT,
        "admin",
        "administrator",
        "computer",
        "game master",
        "host",
        "mod",
        "moderator",
        "operator",
        "plenipo",
        "server",
        "staff",
        "support",
        "system",
    }
)
"""Names under which a person or a game would pretend to speak for the server or the game."""

ADDRESSES = frozenset({"all", "everybody", "everyone", "nobody", "observer", "spectator"})
"""Names that stand for groups of readers or viewers, not for a person."""

_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {chr(code) for code in range(0xFE00, 0xFE10)}
"""Characters that Unicode calls printable but that are invisible."""

_LOOKS = {
    "a": "a4@",
    "b": "b8",
    "e": "e3",
    "g": "g69",
    "i": "i1!|l",
    "l": "l1!|",
    "m": "(?:m|rn)",
    "o": "o0",
    "s": "s5$",
    "t": "t7+",
    "w": "(?:w|vv)",
    "z": "z2",
}
"""The characters that look like a letter. A capital I looks like an l only where it does not stand among capitals."""

_EMPHASIS = re.compile(r"^(?:the|official|real)+|(?:official|team|[0-9]+)$")
"""Words before or after the name of an office that make it look genuine."""


def name_of(text: str, reserved: Collection[str] = (), others: Collection[str] = ()) -> str:
    """Return a name as it is shown: normalised, in letters of one script.

    `reserved` are more names forbidden here than those of offices, such as the powers; `others` are the
    names of the other people. Raise `SeatRefused` for a name that is empty, too long, invisible, reserved or taken,
    or that looks like one that is.
    """
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    if not name:
        raise SeatRefused(_NAME_EMPTY())
    if len(name) > LONGEST:
        raise SeatRefused(_NAME_TOO_LONG(name=name[:LONGEST], most=LONGEST))
    if not name.isprintable() or _BLANK & set(name):
        raise SeatRefused(_NAME_INVISIBLE())
    if _pretends(name, OFFICES) or _resembles(name, ADDRESSES) or _resembles(name, reserved):
        raise SeatRefused(_NAME_RESERVED(name=name))
    scripts = {unicodedata.name(letter, "?").partition(" ")[0] for letter in name if letter.isalpha()}
    if len(scripts) > 1:
        raise SeatRefused(_NAME_SCRIPTS(name=name))
    if _resembles(name, others):
        raise SeatRefused(_NAME_TAKEN(name=name))
    return name


def require_title(text: str) -> str:
    """Return the name of a game without surrounding space; raise `SeatRefused` for one that pretends to an office."""
    title = text.strip()
    if title and _pretends(title, OFFICES):
        raise SeatRefused(_NAME_RESERVED(name=title[:LONGEST]))
    return title


def _resembles(name: str, others: Collection[str]) -> bool:
    """Return whether a name looks like one of `others`."""
    plain = _plain(name)
    return any(_pattern(other).fullmatch(plain) for other in others)


def _pretends(name: str, offices: Collection[str]) -> bool:
    """Return whether a name looks like one of `offices`, perhaps with a word or number that makes it look genuine."""
    plain = _plain(name)
    return any(_pattern(office).fullmatch(part) for office in offices for part in {plain, _EMPHASIS.sub("", plain)})


@cache
def _pattern(name: str) -> re.Pattern[str]:
    """Return a pattern that matches every name that looks like this one, as `_plain` writes them."""
    return re.compile("".join(_class(letter) for letter in _plain(name)))


def _class(letter: str) -> str:
    looks = _LOOKS.get(letter) or next((one for one in _LOOKS.values() if letter in one and one[0] != "("), letter)
    return looks if looks.startswith("(") else f"[{re.escape(looks)}]"


def _plain(name: str) -> str:
    """Return a name without spaces, marks and accents, in lower-case Latin letters where its letters look like them."""
    decomposed = unicodedata.normalize("NFKD", name)
    shouted = name == name.upper()
    letters = ("l" if letter == "I" and not shouted else _latin(letter).casefold() for letter in decomposed)
    kept = "".join(letter for letter in "".join(letters) if letter.isalnum() or letter in "@!|$+")
    return kept or name.casefold()


@cache
def _latin(letter: str) -> str:
    """Return the Latin letters or digits that a letter looks like, or itself (Unicode Technical Standard 39)."""
    if letter.isascii():
        return letter
    if unicodedata.category(letter).startswith("M"):
        return ""
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415  # a table of 600 kB

    for shape in (letter, letter.upper()):
        for alike in confusables_data.get(shape, ()):
            if alike["c"].isascii() and alike["c"].isalnum():
                return str(alike["c"])
    words = unicodedata.name(letter, "").split()
    if words[:1] == ["LATIN"]:
        return next((word for word in words if len(word) == 1), letter)
    return letter
