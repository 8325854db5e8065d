"""The names of one board: the spaces, coasts and powers that pieces of text mean.

A `Lexicon` is built once from a `Board` and then only read. It contains nothing about orders;
`plenipo.engine.reading.notation` uses it for the names inside them.

Names are compared as keys: small letters and digits only, so that `St. Petersburg`, `st petersburg` and
`St.Petersburg` are one name. A space is found by its code, its name and its aliases, in this order of rank, and else by
a beginning of at least three letters that no other space shares. A text that fits several spaces is refused, never
guessed.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate, islice, takewhile
from typing import NamedTuple

from plenipo.engine.board import Board, Coast, Code, Location, UnitKind
from plenipo.engine.orders import Ref
from plenipo.engine.position import Power, PowerInfo
from plenipo.engine.reading import reading_sentences as say
from plenipo.engine.reading.vocabulary import Vocabulary, spell
from plenipo.engine.reading.words import FILLERS, LEFT_OUT, PREAMBLES, TOWARDS, UNIT_WORDS, VERB_WORDS
from plenipo.engine.sentences import Either, Quoted
from plenipo.engine.wording import nearest
from plenipo.errors import AmbiguousOrder, InvalidOrder

__all__ = ["DIRECTIONS", "Lexicon", "excerpt", "key_of", "plain"]

DIRECTIONS: Mapping[str, Coast] = {
    word: Coast(f"{word[0].upper()}C")
    for way in ("north", "south", "east", "west")
    for word in (way, f"{way}ern", way[0])
}
"""The words that name a coast when `coast` follows, or on their own after a slash or in parentheses."""

_WORD = re.compile(r"[\w.']+")
_DIGITS_AND_LETTERS = re.compile(r"[^\W_]+")
_HYPHENS = "\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{FIGURE DASH}\N{EN DASH}\N{EM DASH}\N{HORIZONTAL BAR}\N{MINUS SIGN}"
_HYPHENS += "\N{SMALL EM DASH}\N{SMALL HYPHEN-MINUS}\N{FULLWIDTH HYPHEN-MINUS}"
_ARROWS = "→⇒⟶⟹➔➙➜➝➞➡⇨►▶»"
_BLANKS = "\N{SOFT HYPHEN}\N{ZERO WIDTH SPACE}\N{WORD JOINER}\N{ZERO WIDTH NO-BREAK SPACE}\N{VARIATION SELECTOR-16}"
_APOSTROPHES = "\N{RIGHT SINGLE QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}\N{MODIFIER LETTER APOSTROPHE}`"
_PLAIN = str.maketrans(
    dict.fromkeys(_HYPHENS, "-")
    | dict.fromkeys(_ARROWS, ">")
    | dict.fromkeys(_BLANKS, " ")
    | dict.fromkeys(_APOSTROPHES, "'")
)
_SHORTEST_BEGINNING = 3
_LONGEST_EXCERPT = 40


def excerpt(text: str) -> str:
    """`text` fit to be quoted in one line of at most about forty characters, unprintable characters replaced."""
    short = " ".join(text[: 4 * _LONGEST_EXCERPT].split())
    if len(short) > _LONGEST_EXCERPT or len(text) > 4 * _LONGEST_EXCERPT:
        short = f"{short[:_LONGEST_EXCERPT].rstrip()}…"
    return "".join(char if char.isprintable() else "�" for char in short)


def plain(text: str) -> str:
    """`text` with one hyphen, one arrow, one apostrophe and one blank for the many kinds; places stay the same."""
    return text if text.isascii() else text.translate(_PLAIN)


def key_of(word: str) -> str:
    """Return the letters and digits of `word` in small letters without accents; empty if it has none."""
    if word.isascii():
        return word.lower() if word.isalnum() else "".join(filter(str.isalnum, word.lower()))
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", word.casefold()).casefold()))


class _Corner(NamedTuple):
    """A space named by the areas that meet in it: their keys, each with its coast, and the space.

    They are in clockwise order if the space is `turned`: another has the same areas the other way round.
    """

    areas: Mapping[str, str]
    location: Location
    turned: bool = False


class Lexicon:
    """Every spelling of the spaces, coasts and powers of one board; immutable once built.

    The names and words of a `vocabulary` are understood in addition to the English ones.
    """

    def __init__(self, board: Board, powers: Iterable[PowerInfo] = (), vocabulary: Vocabulary | None = None) -> None:
        self.board = board
        self.vocabulary = vocabulary
        self._spellings: Mapping[str, tuple[str, ...]] = {
            name: tuple(other for text in texts for other in spell(text))
            for name, texts in (vocabulary.names.items() if vocabulary else ())
        }
        self.names = _table(board, self._spellings)
        """The locations that each key may mean; keys of several words have one blank between words."""
        self.openers = _beginnings(self.names)
        """The beginnings, in whole words, of the keys of several words."""
        self.openers_and_names = self.openers.union(key for key in self.names if " " in key)
        self.inner_words = frozenset(word for key in self.names if " " in key for word in key.split())
        """Every word of a spelling of several words."""
        self.coasts: Mapping[str, Coast] = _coasts(board)
        """The coast that each key names, whether or not a given space has it."""
        infos = tuple(powers)
        self.power_names: tuple[Power, ...] = tuple(info.name for info in infos)
        self.powers: Mapping[str, Power] = {
            key: info.name
            for info in reversed(infos)
            for text in (*self._spellings.get(info.name, ()), *info.aliases, info.adjective, info.name)
            for key in _keys(text)
        }
        """The power of each key of a name, adjective or alias."""
        self.short_powers, self.initials = _short_powers(self.powers)
        self.longest_power = max((key.count(" ") + 1 for key in self.powers), default=0)
        self._stems = sorted(
            {(key_of(text), Location(code)) for code in board.spaces for text in self._plain_texts(code)}
        )
        self._nearest = lru_cache(maxsize=512)(partial(_nearest, self._stems))  # the same slips are made again
        self.kinds: Mapping[str, UnitKind] = _kinds(board)
        """The unit type of each key of a letter or word for a unit."""
        self.long_kinds = frozenset(
            key_of(name)
            for traits in board.units
            for name in (traits.name, traits.plural, *traits.words)
            if " " in name
        )
        """Keys of unit types with names of two words."""
        self.rivals = self._rivals()
        """The other spaces whose spellings begin with a key of one word: `tyr` is Tyrolia, and begins another."""
        self.endings: Mapping[Code, str] = {
            code: key_of(space.name.split()[-1]) for code, space in board.spaces.items() if " " in space.name.strip()
        }
        """The last word of each name of several words, which may follow an abbreviation: `Adr Sea`."""
        slashed = {w: traits.kind for traits in board.units for w in traits.words if "/" in w}
        self.slashed = (
            re.compile(rf"(?<!\w)({'|'.join(map(re.escape, slashed))})(?=[\s(])", re.IGNORECASE) if slashed else None
        )
        """The words for a unit that have a slash in them, such as `A/F`, at which they must not be split."""
        self.slashed_kinds: Mapping[str, UnitKind] = {word.casefold(): kind for word, kind in slashed.items()}
        self.corners = _corners(board)
        self._areas = {area for corner in self.corners for area in corner.areas}

    def _plain_texts(self, code: Code) -> tuple[str, ...]:
        """Return code, name and aliases of a space that is not named by the areas round it."""
        space = self.board.spaces[code]
        return () if space.corner else (code, space.name, *space.aliases, *self._spellings.get(space.name, ()))

    def _rivals(self) -> Mapping[str, tuple[Location, ...]]:
        found: dict[str, tuple[Location, ...]] = {}
        codes = {key_of(code) for code in self.board.spaces}  # which are what they are
        for key, locations in self.names.items():
            spaces = {location.space for location in locations}
            others = tuple(other for other in self.beginning(key) if other.space not in spaces)
            if others and " " not in key and key not in codes:
                found[key] = others
        return found

    def describe(self, location: Location) -> str:
        """Return the location as messages name it: `PAR (Paris)`, `STP/NC (St Petersburg)`."""
        name = self.board.spaces[location.space].name
        return str(location) if name in {"", location.space} else say.PLACE_NAMED(place=location, name=name)

    def beginning(self, key: str) -> tuple[Location, ...]:
        """Return the spaces with a spelling that begins with `key`, none if it is shorter than three characters."""
        if len(key) < _SHORTEST_BEGINNING:
            return ()
        start = bisect_left(self._stems, (key,))
        same = takewhile(lambda entry: entry[0].startswith(key), islice(self._stems, start, None))
        return tuple(sorted({location for _, location in same}))

    def one(self, locations: tuple[Location, ...], piece: str) -> Location:
        """Return the only one of `locations`, which is not empty.

        Raises `AmbiguousOrder` quoting `piece` if it has more.
        """
        if len(locations) == 1:
            return locations[0]
        ways = Either(map(self.describe, locations))
        raise AmbiguousOrder(
            say.MAY_BE(piece=Quoted(excerpt(piece)), ways=ways),
            piece=excerpt(piece),
            suggestions=tuple(str(location) for location in locations),
        )

    def unknown(self, piece: str) -> InvalidOrder:
        """Return the exception for a `piece` that is no space, with the most similar names."""
        near = self._nearest(key_of(piece))
        quoted = Quoted(excerpt(piece))
        if near:
            why = say.NO_SPACE_NEAREST(piece=quoted, nearest=tuple(map(self.describe, near)))
        else:
            example = next((Location(s.code) for s in self.board.spaces.values() if not s.corner), None)
            why = (
                say.NO_SPACE_EXAMPLE(piece=quoted, example=self.describe(example))
                if example
                else say.NO_SPACE(piece=quoted)
            )
        return InvalidOrder(why, piece=excerpt(piece), suggestions=tuple(str(location) for location in near))

    # -- names made of the areas that meet ------------------------------------------------------------------

    def corner(self, text: str) -> tuple[Location, ...]:
        """Return the spaces that a bracketed name may mean: several if a coast that distinguishes them is missing.

        The areas are between the brackets in any order and spelling, with coasts where wanted. With `>` between them
        they are read clockwise, from any of them on; this distinguishes two spaces of the same areas. Raises
        `InvalidOrder` if no space of the board has this name.
        """
        inner = plain(text).strip()[1:-1]
        parts = re.split(r"[/,;|>]", inner)
        if len(parts) == 1:
            parts = inner.split("-")
        wanted = self._areas_of(parts, text)
        fitting = [corner for corner in self.corners if _fits(corner, wanted)]
        if ">" in inner:
            fitting = [corner for corner in fitting if _runs(corner, wanted)]
        locations = tuple(
            sorted(corner.location for corner in fitting if all(_has_coast(corner, area) for area in wanted))
        )
        if locations:
            return locations
        near = fitting or [corner for corner in self.corners if _shares(corner, wanted) == len(corner.areas) - 1][:3]
        codes = tuple(str(corner.location) for corner in near)
        quoted = Quoted(excerpt(text))
        why = say.NO_SPACE_NEAREST(piece=quoted, nearest=codes) if codes else say.NO_MEETING(piece=quoted)
        raise InvalidOrder(why, piece=excerpt(text), suggestions=codes)

    def _areas_of(self, parts: Iterable[str], text: str) -> list[tuple[frozenset[str], str]]:
        """Return the keys of the areas that each part of a bracketed name may mean, and the coast it names or ''."""
        wanted: list[tuple[frozenset[str], str]] = []
        for part in parts:
            words = [key for key in map(key_of, _WORD.findall(plain(part))) if key]
            words, coast = self._without_coast(words, loose="(" in part)
            if words:
                wanted.append((self._area(words, part), coast))
            elif coast and wanted and not wanted[-1][1]:
                wanted[-1] = (wanted[-1][0], coast)
            else:
                raise self.unknown(part.strip() or text)
        return wanted

    def _without_coast(self, words: list[str], *, loose: bool) -> tuple[list[str], str]:
        """Return the words before a coast at their end, and that coast or ''.

        `loose` accepts a bare direction as a coast.
        """
        if words and words[-1] in self.coasts:
            return words[:-1], self.coasts[words[-1]]
        if len(words) > 1 and words[-1] == "coast" and words[-2] in DIRECTIONS:
            return words[:-2], DIRECTIONS[words[-2]]
        if loose and words and words[-1] in DIRECTIONS:
            return words[:-1], DIRECTIONS[words[-1]]
        return words, ""

    def _area(self, words: list[str], part: str) -> frozenset[str]:
        key = "".join(words)
        if key in self._areas:
            return frozenset((key,))
        locations = self.names.get(" ".join(words)) or self.names.get(key) or self.beginning(key)
        locations += self.rivals.get(key, ())
        if not locations:
            raise self.unknown(part.strip())
        return frozenset(key_of(location.space) for location in locations)

    def narrow_by_reach(self, locations: tuple[Location, ...], near: Iterable[Ref]) -> tuple[Location, ...]:
        """Return those of `locations` that the units in `near` can step to.

        A unit that reaches none of them excludes none.

        In this way a corner without its coast is understood where only one of its readings is possible.
        """
        for ref in near:
            if len(locations) == 1:
                break
            reach = self.reach(ref)
            locations = tuple(location for location in locations if location.space in reach) or locations
        return locations

    def reach(self, ref: Ref) -> set[Code]:
        """Return the spaces a unit may step to, by any letter and coast that the order leaves open."""
        space, coast = ref.location
        places = {ref.location} if coast else {Location(space), *self.board.spaces[space].locations}
        kinds = (ref.kind,) if ref.kind else self.board.kinds
        return {code for kind in kinds for place in places for code in self.board.reach(kind, place)}


def _nearest(stems: Sequence[tuple[str, Location]], key: str) -> tuple[Location, ...]:
    """Return the spaces that `key` was most likely meant for, by any of their spellings."""
    near = set(nearest(key, dict(stems), most=len(stems)))
    return tuple(dict.fromkeys(location for spelling, location in stems if spelling in near))[:3]


def _short_powers(powers: Mapping[str, Power]) -> tuple[Mapping[str, Power], Mapping[str, Power]]:
    """Return the beginnings of three letters and more, and those of one or two, that names of one power alone have."""
    starts: dict[str, set[Power]] = {}
    for key, power in powers.items():
        if " " not in key:
            for length in (1, 2, *range(_SHORTEST_BEGINNING, len(key))):
                starts.setdefault(key[:length], set()).add(power)
    alone = {start: power for start, found in starts.items() if len(found) == 1 for power in found}
    short = {
        start: power for start, power in alone.items() if len(start) >= _SHORTEST_BEGINNING and start not in powers
    }
    unread = {*FILLERS, *TOWARDS, *VERB_WORDS, *PREAMBLES, *LEFT_OUT, "by", "no", "or", "if"}
    return short, {
        start: power
        for start, power in alone.items()
        if len(start) == 1 or (len(start) < _SHORTEST_BEGINNING and start not in unread)
    }


def _keys(text: str) -> set[str]:
    """Return the keys by which a spelling is found: of its separate words, and of one word."""
    coarse = [key for key in map(key_of, _WORD.findall(plain(text))) if key]
    fine = [key for key in map(key_of, _DIGITS_AND_LETTERS.findall(plain(text).replace("'", ""))) if key]
    return {" ".join(coarse), " ".join(fine), "".join(fine)} - {""}


def _with_initial(name: str) -> str:
    """Return a name like `Gulf of Bothnia` with the initial of its first word, `G of Bothnia`."""
    first, rest = name.split(" of ", 1)
    return f"{first[0]} of {rest}"


def _table(board: Board, spellings: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[Location, ...]]:
    """Return the meanings of each key; a code outranks a name and a name an alias, and equals are listed together."""
    table: dict[str, tuple[Location, ...]] = {}

    def enter(pairs: Iterable[tuple[str, Location]]) -> None:
        rank: dict[str, set[Location]] = {}
        for text, location in pairs:
            for key in _keys(text):
                rank.setdefault(key, set()).add(location)
        for key, locations in rank.items():
            table.setdefault(key, tuple(sorted(locations)))

    # a key omits marks, and two corners of the same areas differ only in their marks
    spaces = [space for space in board.spaces.values() if not (space.corner and space.corner.clockwise)]
    enter((space.code, Location(space.code)) for space in spaces)
    enter((space.name, Location(space.code)) for space in spaces)
    enter((alias, Location(space.code)) for space in spaces for alias in space.aliases)
    enter((_with_initial(space.name), Location(space.code)) for space in spaces if " of " in space.name)
    enter((f"{space.code} {coast}", Location(space.code, coast)) for space in spaces for coast in space.coasts)
    enter(
        (f"{space.code} {other}", Location(space.code, coast))
        for space in spaces
        for other, coast in space.coast_aliases
    )
    enter((text, Location(space.code)) for space in spaces for text in spellings.get(space.name, ()))
    return table


def _beginnings(names: Iterable[str]) -> frozenset[str]:
    return frozenset(
        start for name in names if " " in name for start in list(accumulate(name.split(), "{} {}".format))[:-1]
    )


def _coasts(board: Board) -> dict[str, Coast]:
    """Return `NC` and the like, in all usual spellings (`NCS`, `northcoast`), and other coasts of this board."""
    coasts = {key_of(coast): coast for space in board.spaces.values() for coast in space.coasts}
    coasts |= {key_of(other): other for space in board.spaces.values() for other, _ in space.coast_aliases}
    for word, coast in DIRECTIONS.items():
        if len(word) > 1:
            coasts[f"{word}coast"] = coast
        else:
            coasts[f"{word}c"] = coasts[f"{word}cs"] = coast
    return coasts


def _kinds(board: Board) -> dict[str, UnitKind]:
    """Return the unit type of each key; the words of the board precede those that are usual for a unit's name."""
    usual = {word: traits.kind for traits in reversed(board.units) for word in UNIT_WORDS.get(traits.name, ())}
    return usual | {
        key_of(word): traits.kind
        for traits in reversed(board.units)
        for word in (*traits.words, traits.plural, traits.name, traits.kind)
    }


def _corners(board: Board) -> tuple[_Corner, ...]:
    return tuple(
        _Corner(
            {key_of(touch.space): touch.coast for touch in space.corner.touches},
            Location(space.code),
            space.corner.clockwise,
        )
        for space in board.spaces.values()
        if space.corner
    )


def _shares(corner: _Corner, wanted: Iterable[tuple[frozenset[str], str]]) -> int:
    """Return how many areas of the corner are wanted."""
    return len({key for keys, _ in wanted for key in keys & corner.areas.keys()})


def _fits(corner: _Corner, wanted: Sequence[tuple[frozenset[str], str]]) -> bool:
    """Return whether the areas wanted are those of the corner, one for one."""
    return (
        len(wanted) == len(corner.areas)
        and all(keys & corner.areas.keys() for keys, _ in wanted)
        and _shares(corner, wanted) == len(corner.areas)
    )


def _runs(corner: _Corner, wanted: Sequence[tuple[frozenset[str], str]]) -> bool:
    """Return whether the areas wanted, clockwise from any of them on, are in the order of the corner, if it has one."""
    areas = list(corner.areas)
    turns = (areas[i:] + areas[:i] for i in range(len(areas)))
    return not corner.turned or any(
        all(area in keys for area, (keys, _) in zip(turn, wanted, strict=True)) for turn in turns
    )


def _has_coast(corner: _Corner, area: tuple[frozenset[str], str]) -> bool:
    """Return whether the coast written with an area, if any, is the one on which the corner is."""
    keys, coast = area
    return not coast or any(corner.areas.get(key) == coast for key in keys)
