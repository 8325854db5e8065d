"""The names inside a written order: powers, places and units, read from the words and marks of a text.

A `Lexicon` gives the meanings of the names. A name that may be one of several places is noted in `open` and read
as the first of them, or as the one in `picks`, so that a text can be read in each of its ways
(`plenipo.engine.reading.readings`).
"""

from collections.abc import Mapping
from typing import NamedTuple

from plenipo.engine.board import Coast, Location, UnitKind
from plenipo.engine.orders import Order, Ref
from plenipo.engine.position import Power
from plenipo.engine.reading import reading_sentences as say
from plenipo.engine.reading.lexicon import DIRECTIONS, Lexicon, excerpt, key_of, plain
from plenipo.engine.reading.tokens import TokenReader
from plenipo.engine.reading.words import (
    BY_SEA,
    ENDS_OF_NAMES,
    FILLERS,
    OUTCOMES,
    VERBS,
    Verb,
)
from plenipo.engine.sentences import Either, Quoted, SentenceKind
from plenipo.errors import AmbiguousOrder

__all__ = ["NameReader", "OpenName"]

_OPENING = frozenset(("(", "["))
_AREAS_OF_A_CORNER = 3
"""The smallest number of areas that meet in a corner."""

_OF_CONVOYS = frozenset((*BY_SEA, "via", "by", "convoyed", "not", "or", "and", "if"))


class OpenName(NamedTuple):
    """A name that may be one of several places: the piece of the text, its first meaning, and the other meanings."""

    piece: str
    first: tuple[Location, ...]
    others: tuple[Location, ...] = ()


class NameReader(TokenReader):
    """A text from which names are read.

    `open` are the names that may be several places, by their position; `picks` are the places to choose for them.
    """

    __slots__ = ("open", "picks")

    def __init__(self, lexicon: Lexicon, text: str, picks: Mapping[int, Location] | None = None) -> None:
        super().__init__(lexicon, text)
        self.open: dict[int, OpenName] = {}
        self.picks = picks or {}

    # -- other words at a place --------------------------------------------------------------------------------

    def next_unit(self) -> int:
        """Return the position of the unit that is named here by its type; 0 if none is."""
        named = self.word() in self.lexicon.kinds and self.begins_place(self.at + 1 + (self.word(1) in FILLERS))
        return self.spans[self.at][0] if named and self.at else 0

    def bare_verb(self) -> None:
        """Remove the parentheses round a verb: `(s)`, `(c)`, `(h)`."""
        if self.word() == "(" and self.verb(1) and self.word(2) == ")":
            self.drop(self.at, self.at + 2)

    def finish(self, surplus: SentenceKind, **parts: Order) -> None:
        """Raise `InvalidOrder` with a sentence of the kind `surplus` if anything follows the text read so far."""
        self.skip_outcome()
        if self.word() == "(" and self._is_remark():
            self.at = len(self.words)
        if not self.is_at_end:
            rest = self.text_between(self.at, len(self.words))
            raise self.fault(rest, surplus, (), **parts)

    def skip_outcome(self) -> None:
        """Remove results of an order, `(fails)`, `(dislodged)`."""
        while self.word() == "(" and self.word(1) in OUTCOMES and self.word(2) == ")":
            self.drop(*range(self.at, self.at + 3))

    def _is_remark(self) -> bool:
        """Return whether the rest is in parentheses, apart from the order, and no word of it is one of an order."""
        apart = self.at > 0 and self.spans[self.at][0] > self.spans[self.at - 1][1]
        inside = self.words[self.at + 1 : -1]
        known = (self.lexicon.names, VERBS, self.lexicon.coasts, DIRECTIONS, self.lexicon.kinds, _OF_CONVOYS)
        return (
            apart
            and bool(inside)
            and self.words[-1] == ")"
            and all(word[0].isalnum() and not any(word in words for words in known) for word in inside)
        )

    # -- powers ---------------------------------------------------------------------------------------------

    def _power(self) -> tuple[Power, int, bool] | None:
        """Return the power named here, the place after it, and whether as an owner (`Germany's`)."""
        powers, match, key = self.lexicon.powers, None, ""
        for index in range(self.at, len(self.words)):
            word = self.words[index]
            if word == "-" and self.tight(index):
                continue
            key = f"{key} {word}".strip()
            if key.count(" ") >= self.lexicon.longest_power:
                break
            if key in powers:
                match = powers[key], index + 1, False
            elif key[:-1] in powers and plain(self.text_between(index, index + 1)).endswith(("'s", "'S")):
                match = powers[key[:-1]], index + 1, True
        return match

    def _short_power(self) -> tuple[Power | None, int] | None:
        """Return the power whose name begins with the word here, `GER`, if a unit follows and it is no space."""
        power = self.lexicon.short_powers.get(self.word())
        end = self.at + 1
        brief = self.lexicon.initials.get(self.word())
        if end >= len(self.words):
            return None
        if self.words[end] in self.lexicon.kinds and (power or (brief and len(self.word()) > 1)):
            return power or brief, end
        if power is None:
            return None
        if self.words[end] in {"-", ">"} and self.word(2) in self.lexicon.kinds and self.begins_place(end + 2):
            return power, end
        place = self.exact(self.at) or self.lexicon.beginning(self.word())
        begins = self.exact(end) is not None or VERBS.get(self.words[end]) is Verb.WAIVE
        return (power, end) if begins and not place else None

    def _nationality(self, *, leading: bool = False) -> Power | None:
        """Return the power named before a unit; a word that is also a space is one only if a unit's letter follows."""
        if not self.lexicon.powers:
            return None
        named = self._power()
        if named is None:
            short = self._short_power()
            if short is None:
                return None
            power, self.at = short
            return power
        power, end, owner = named
        then = self.words[end] if end < len(self.words) else ""
        verb = VERBS.get(then) if leading else None
        if (
            owner
            or (then in self.lexicon.kinds and end + 1 < len(self.words))
            or verb is Verb.WAIVE
            or (verb in {Verb.BUILD, Verb.DISBAND} and end + 1 < len(self.words))
            or not (self.exact(self.at) or self.lexicon.beginning("".join(self.words[self.at : end])))
        ):
            self.at = end
            return power
        return None

    def _bracketed_nationality(self, *, after: bool = False) -> None:
        """Skip a power in parentheses or brackets, before or after the unit: `(GER) A MUN`, `A MUN (German)`."""
        word = self.word()
        if word[:1] not in _OPENING:
            return
        inside, end = (word[1:-1], 1) if word[:1] == "[" else (self.word(1), 3)
        if word == "(" and self.word(2) != ")":
            return
        key = key_of(inside)
        named = word[:1] in _OPENING and (key in self.lexicon.powers or key in self.lexicon.short_powers)
        goes_on = after and (self.word(end) in {"-", ">"} or self.verb(end) is not None)  # 'A LON (ENG) - BEL'
        if named and (key not in self.lexicon.names or self.word(end) in self.lexicon.kinds or goes_on):
            self.at += end

    # -- places ---------------------------------------------------------------------------------------------

    def exact(self, index: int) -> tuple[tuple[Location, ...], int] | None:
        """Return the meanings of the longest spelling that begins at `index`, and the place after it.

        Inside a spelling words may be separated by blanks, slashes, parentheses and hyphens without blanks.
        """
        names, openers, words = self.lexicon.names, self.lexicon.openers, self.words
        key = words[index]
        locations = names.get(key)
        best = (locations, index + 1) if locations else None
        opened = False
        while key in openers:
            index += 1
            while index < len(words) and (words[index] in {"/", "("} or (words[index] == "-" and self.tight(index))):
                opened = opened or words[index] == "("
                index += 1
            if index >= len(words):
                break
            key = f"{key} {words[index]}"
            locations = names.get(key)
            closed = index + 1 < len(words) and words[index + 1] == ")"
            if locations and opened in {False, closed}:
                best = (locations, index + 1 + opened)
        return best

    def _run(self) -> int:
        """Return the place after the words that may be one name: up to a mark, a verb or another word of orders."""
        end = self.at + 1
        while end < len(self.words) and self.words[end][0].isalnum() and not self._part_of_order(self.words[end]):
            end += 1
        return end

    def place(self, near: tuple[Ref, ...] = ()) -> Location:
        """Return a space with its coast, if one is written; `near` are the units that help to distinguish corners."""
        lexicon, start = self.lexicon, self.at
        word = self.word()
        if not word:
            done = self.text.strip()
            raise self.fault(done, say.SPACE_SHOULD_FOLLOW if done else say.NAMES_NO_SPACE)
        if word == "(" and self.begins_place(start + 1):
            self.at += 1
            location = self.place(near)
            if self.word() != ")":
                raise self.fault(self.text_between(start, self.at), say.NAME_WITHOUT_END)
            self.at += 1
            outside = None if location.coast or self.word() == "/" else self._coast()  # 'F (STP)(sc)'
            return self._on(location, outside)
        before: Coast | None = None
        if word in FILLERS or word in DIRECTIONS or word in lexicon.coasts:
            before = self._coast_before()
            start, word = self.at, self.word()
        exact, end = self.exact(start) if word else None, self._areas()
        others: tuple[Location, ...] = ()
        if end:
            locations = lexicon.narrow_by_reach(lexicon.corner(f"[{self.text_between(start, end)}]"), near)
            self.at = end
        elif exact:
            locations, self.at = exact
            others = lexicon.rivals.get(word, ()) if self.at == start + 1 else ()
            self._rest_of_name(locations)
        elif word[:1] == "[" and len(word) > 1:
            locations = lexicon.names.get(key_of(word)) or lexicon.corner(self.text_between(start, start + 1))
            locations = lexicon.narrow_by_reach(locations, near)
            self.at += 1
        else:
            locations = self._read_beginning()
        locations = self._match_repeated_code(locations)
        location = self._pick_location(start, locations, others)
        coast = before or (None if location.coast else self._coast() or self._bare_direction(location))
        return self._on(location, coast)

    def _on(self, location: Location, coast: Coast | None) -> Location:
        """Return a location on the coast written with it, if one is."""
        space = self.lexicon.board.spaces[location.space]
        return Location(location.space, space.coast_called(coast)) if coast else location

    def _pick_location(self, start: int, first: tuple[Location, ...], others: tuple[Location, ...]) -> Location:
        """Return the place that a name is read as; it is noted as `open` if it may be several."""
        if len(first) == 1 and not others:
            return first[0]
        if start in self.picks:
            return self.picks[start]
        self.open[start] = OpenName(self.text_between(start, self.at), first, others)
        return first[0]

    def settle_open(self, start: int, locations: tuple[Location, ...]) -> Location:
        """Return the only one of `locations` for a name that need not stay open; raises `AmbiguousOrder` if it must."""
        name = self.open.pop(start)
        return self.lexicon.one(locations or name.first, name.piece)

    def _rest_of_name(self, locations: tuple[Location, ...]) -> None:
        """Skip the end of a name after its abbreviation: `Adr Sea`, `Tyrr Sea`."""
        if len(locations) == 1 and self.word() and self.word() == self.lexicon.endings.get(locations[0].space):
            self.at += 1

    def _areas(self) -> int:
        """Return the place after the areas of a corner written without brackets, `NAT/IRI/MAO`.

        0 if none is written.
        """
        index, areas = self.at, 0
        if not self.lexicon.corners:
            return 0
        while index < len(self.words):
            exact = self.exact(index)
            if exact is None:
                return 0
            areas, index = areas + 1, exact[1]
            listed = self.words[index : index + 1] == [","] and "(" in self.words[: self.at]  # '(Bel, Bur, Pic)'
            if not listed and self.words[index : index + 1] != ["/"]:
                break
            index += 1
        return index if areas >= _AREAS_OF_A_CORNER else 0

    def _match_repeated_code(self, locations: tuple[Location, ...]) -> tuple[Location, ...]:
        """Return the meaning of a name followed by a code in parentheses, `North Sea (NTH 2)`: the one they share."""
        if self.word() != "(" or self.at + 1 >= len(self.words):
            return locations
        exact = self.exact(self.at + 1)
        if exact is None or exact[1] >= len(self.words) or self.words[exact[1]] != ")":
            return locations
        spaces = {location.space for location in locations}
        both = tuple(location for location in exact[0] if location.space in spaces)
        if both:
            self.at = exact[1] + 1
        return both or locations

    def _read_beginning(self) -> tuple[Location, ...]:
        """Return the spaces with a spelling that begins with the words here: all of them up to the next word of orders.

        So `North Africa` is no beginning of `North Sea` with a word too many, but the name of no space.
        """
        word, run = self.word(), self._run()
        if self._part_of_order(word) or not word[0].isalnum():
            run = self.at + 1
        else:
            for end in range(run, self.at, -1):
                locations = self.lexicon.beginning("".join(self.words[self.at : end]))
                if locations and self._ends_name(end, run):
                    self.at = end
                    return locations
        if word in self.lexicon.coasts:
            raise self.fault(self.text_between(self.at, run), say.COAST_WITHOUT_SPACE)
        first = self.at + 1 if len(word) > 1 else min(self.at + 2, run)  # a single character belongs to the next word
        end = next(end for end in range(first, run + 1) if self._ends_name(end, run))
        raise self.lexicon.unknown(self.text_between(self.at, end))

    def has_place_at(self, index: int) -> bool:
        """Return whether a place is named at `index`, by a whole spelling or by the beginning of one."""
        if not self.begins_place(index):
            return False
        word = self.words[index]
        return word in {"(", "["} or word[0] == "[" or bool(self.exact(index) or self.lexicon.beginning(word))

    def _ends_name(self, end: int, run: int) -> bool:
        """Return whether a name with words up to `run` can end before `end`: the rest is a coast or fillers."""
        return (
            self._coast_word(end - self.at, loose=False) is not None
            or FILLERS.issuperset(self.words[end:run])
            or self.exact(end) is not None
        )

    def _coast_before(self) -> Coast | None:
        """Return the coast written before its space: `the north coast of Spain`."""
        self.skip_fillers()
        if self.word() in DIRECTIONS and self.word(1) == "coast" and self.word(2) == "of":
            coast = DIRECTIONS[self.word()]
            self.at += 3
            return coast
        word = self.word()
        if word in self.lexicon.coasts and word not in self.lexicon.names and self.has_place_at(self.at + 1):
            self.at += 1
            return self.lexicon.coasts[word]  # 'N.C. Spain'
        if word in DIRECTIONS and self.at + 1 < len(self.words) and not self.exact(self.at):
            coast, named = DIRECTIONS[word], self.exact(self.at + 1)
            if named and len(named[0]) == 1 and coast in self.lexicon.board.spaces[named[0][0].space].coasts:
                self.at += 1
                return coast  # 'N. Spain'
        return None

    def _coast(self) -> Coast | None:
        """Return the coast after a space: `/NC`, `(nc)`, `[nc]`, `-nc`, `nc`, `north coast`, `(north coast)`."""
        mark = self.word()
        if mark[:1] == "[" and key_of(mark) in self.lexicon.coasts:
            self.at += 1
            return self.lexicon.coasts[key_of(mark)]
        if mark == "(":
            coast = self._coast_word(1, loose=True)
            # '(s)' before another unit is a support: `F BUL (s) A CON - SMY`
            follows = self.word(3) in self.lexicon.kinds or self.begins_place(self.at + 3)
            helps = self.verb(1) is Verb.SUPPORT and follows
            if coast and self.word(coast[1]) == ")" and not helps:
                self.at += coast[1] + 1
                return coast[0]
            return None
        if mark == "/" and self.word(1) in {"via", "by"}:
            self.drop(self.at)
            return None
        if mark == "/":
            coast = self._coast_word(1, loose=True)
            if coast is None:
                raise self.fault(self.text_between(self.at + 1, self.at + 2) or mark, say.NOT_A_COAST)
        elif mark == "-" and self.tight(self.at):
            ends = self.word(2) in {"", "-", ">"}  # 'F STP-S - BOT'
            coast = self._coast_word(1, loose=ends and self.word(1) not in self.lexicon.names)
        else:
            coast = self._coast_word(0, loose=False)
        if coast:
            self.at += coast[1]
            return coast[0]
        return None

    def _bare_direction(self, location: Location) -> Coast | None:
        """Return the coast after a space that has it, named by its direction alone: `St Petersburg south to`."""
        coast = DIRECTIONS.get(self.word()) if len(self.word()) > 1 else None
        if coast not in self.lexicon.board.spaces[location.space].coasts or self.word(1) not in {"", "-", ">", "to"}:
            return None
        self.at += 1
        return coast

    def _coast_word(self, ahead: int, *, loose: bool) -> tuple[Coast, int] | None:
        """Return the coast named `ahead`, and its end; `loose` accepts a bare direction as a coast."""
        word = self.word(ahead)
        coast = self.lexicon.coasts.get(word)
        if coast and (loose or word not in self.lexicon.names):
            return coast, ahead + 1
        if word in DIRECTIONS:
            if self.word(ahead + 1) == "coast":
                return DIRECTIONS[word], ahead + 2
            if loose:
                return DIRECTIONS[word], ahead + 1
        return None

    # -- units ----------------------------------------------------------------------------------------------

    def skip_fillers(self) -> None:
        """Skip words round a unit that mean nothing."""
        while self.word() in FILLERS and self.at + 1 < len(self.words) and not self.exact(self.at):
            self.at += 1

    def begins_place(self, index: int) -> bool:
        """Return whether the name of a space may begin at `index`, rather than a verb or a mark."""
        if index >= len(self.words):
            return False
        word = self.words[index]
        if word == "(":
            inside = self.words[index + 1] if index + 1 < len(self.words) else "("
            return inside != "(" and inside not in OUTCOMES and self.begins_place(index + 1)
        return (word[0].isalnum() and not self._part_of_order(word)) or word[0] == "[" or self.exact(index) is not None

    def _part_of_order(self, word: str) -> bool:
        """Return whether a word cannot continue a name."""
        return word in ENDS_OF_NAMES or word in self.lexicon.kinds

    def unit(self) -> Ref:
        """Return a unit: its letter if written, and its location; its nationality is accepted and dropped."""
        self.skip_fillers()
        self._bracketed_nationality()
        self._nationality()
        ref = self._unit()
        self._bracketed_nationality(after=True)
        return ref

    def _unit(self) -> Ref:
        kinds = self.lexicon.kinds
        if self.word() in {"unit", "units"} and self.word() not in kinds:
            self.at += 1
            self.skip_fillers()
            return Ref(None, self.place())
        word = self.word()
        kind = kinds.get(word)
        follows = self.at + 1
        while kind and follows < len(self.words) and self.words[follows] in FILLERS:
            follows += 1
        if kind and self.word(1) in {"-", "/"} and self.tight(self.at + 1) and word not in self.lexicon.names:
            self.drop(self.at + 1)  # 'A-PAR'
        if kind and self.begins_place(follows):
            self.at += 1
            self.skip_fillers()
            return Ref(kind, self.place())
        if kind and word not in self.lexicon.names:
            raise self.fault(self.text_between(self.at, self.at + 1), say.UNIT_WITHOUT_SPACE)
        ref = Ref(self._split_unit_letter(), self.place())
        after = kinds.get(self.word())
        spelt = len(self.word()) > 1
        closes = self.at + 1 == len(self.words) and spelt  # 'build Paris army'
        goes_on = self.at + 1 < len(self.words) and not self.has_place_at(self.at + 1)
        goes_on = goes_on or (spelt and self.word(1) == "(")  # 'Paris army (French)'
        if ref.kind is None and after and (closes or goes_on):
            self.at += 1  # 'Paris Army - BUR'
            return Ref(after, ref.location)
        return ref

    def _split_unit_letter(self) -> UnitKind | None:
        """Return the letter that is joined to the space (`APAR`), cut off it, if it can be nothing else."""
        word = self.word()
        kind = self.lexicon.kinds.get(word[:1])
        names = self.lexicon.names
        if kind is None or word[1:] not in names or word in names or word in self.lexicon.openers:
            return None
        also = self.lexicon.beginning(word)
        if also:
            piece = excerpt(self.text_between(self.at, self.at + 1))
            ways = (self.lexicon.describe(also[0]), f"{kind} {names[word[1:]][0]}")
            raise AmbiguousOrder(
                say.MAY_BE(piece=Quoted(piece), ways=Either(ways)), piece=piece, suggestions=tuple(map(str, ways))
            )
        self.words[self.at] = word[1:]
        self.spans[self.at] = (self.spans[self.at][0] + 1, self.spans[self.at][1])
        return kind
