"""Alternatives named in prose: which policies phrases such as `4.B.2 strict` or `rulebook of 1971` mean.

The tables here are the whole vocabulary. The texts of the DATC speak of rulebooks and of choices by letter; a case of
our own names its `options` instead.
"""

import re

from plenipo.engine.rulebook import EDITIONS, POLICIES
from plenipo.errors import InvalidCase

__all__ = ["Options", "choices_meant"]

Options = dict[str, str]
"""Options of a variant: `rulebook` with an edition, policies by their DATC number, or options of the variant's own."""

_WORDS: dict[tuple[str, str], str] = {
    ("4.A.1", "a"): "any",
    ("4.A.1", "b"): "all",
    ("4.A.4", "a"): "no-cut",
    ("4.A.4", "b"): "cut",
    ("4.A.5", "a"): "forbidden",
    ("4.A.5", "b"): "allowed",
    ("4.A.7", "a"): "no-effect",
    ("4.A.7", "b"): "bounces",
    ("4.B.2", "strict"): "void",
    ("4.B.3", "lenient"): "corrected",
    ("4.B.4", "strict"): "required",
    ("4.B.5", "strict"): "void",
    ("4.B.6", "strict"): "void",
    ("4.C.1", "strict"): "void",
    ("4.C.2", "strict"): "void",
}
"""What a letter or a word means under each number of the DATC."""

_PHRASES: dict[str, Options] = {
    "explicit adjacent convoy": {"4.A.3": "explicit"},
    "fall-back to the land route allowed": {"4.A.3": "intent-or-land"},
}
"""Whole phrases, without what they add in brackets or after a colon."""

_POLICY = re.compile(r"(4\.[A-E]\.\d+) (?:choice |rule of |rulebook rules? |policy )?(\S+)")
_RULEBOOKS = re.compile(r"rulebooks? (?:of )?(\S+)")
_BEFORE = re.compile(r"rulebooks? before (\d+)")


def choices_meant(when: str) -> list[Options]:
    """The options a prose condition stands for; several if it names several rulebooks or two ways, joined by `or`.

    >>> choices_meant("4.A.1 a with 4.A.2 1971, or 4.A.2 1982")
    [{'4.A.1': 'any', '4.A.2': '1971'}, {'4.A.2': '1982'}]
    >>> choices_meant("rulebooks before 2000")
    [{'rulebook': '1971'}, {'rulebook': '1982'}]

    Rulebooks that agree on the policy named are one way.
    Raises `InvalidCase` if a part of it is not understood.
    """
    plain = " ".join(re.sub(r"\([^()]*\)", " ", when).split(":")[0].split())
    ways = [options for way in plain.split(", or ") for options in _way(way, when)]
    return [options for i, options in enumerate(ways) if options not in ways[:i]]


def _way(way: str, when: str) -> list[Options]:
    ways: list[Options] = [{}]
    for part in way.split(" with "):
        ways = [{**one, **other} for one in ways for other in _part(part, when)]
    return ways


def _part(part: str, when: str) -> list[Options]:
    if part.casefold() in _PHRASES:
        return [dict(_PHRASES[part.casefold()])]
    if match := _POLICY.fullmatch(part):
        key, word = match.groups()
        if (key, word) in _WORDS:
            return [{key: _WORDS[key, word]}]
        if key in POLICIES and (years := _years(word)):
            return [{key: POLICIES[key].editions[EDITIONS.index(year)]} for year in years]
    if match := _BEFORE.fullmatch(part):
        earlier = [edition for edition in EDITIONS if edition.isdigit() and int(edition) < int(match.group(1))]
        if earlier:
            return [{"rulebook": edition} for edition in earlier]
    if (match := _RULEBOOKS.fullmatch(part)) and (years := _years(match.group(1))):
        return [{"rulebook": year} for year in years]
    named = f"'{part}'" if part == when else f"'{part}' in '{when}'"
    raise InvalidCase(
        f"key 'when': {named} names no option; write 'options', a phrase such as '4.B.2 strict', '4.A.1 choice a', "
        f"'4.A.2 rule of 1982', 'rulebook of 1971', or one of {', '.join(repr(phrase) for phrase in _PHRASES)}."
    )


def _years(word: str) -> list[str]:
    """The printed rulebooks in `1971/1982`, or nothing if one of them is not a rulebook."""
    years = word.split("/")
    return years if all(year in EDITIONS for year in years) else []
