"""The grammar of a written order: one text read from left to right.

`Reader` cuts a text into words and marks and reads powers, places, units and orders from it. It takes whatever the
field writes and knows nothing of phases: `A VIE - BOH` is a move and `A VIE D` a disbandment here, and
`plenipo.engine.reading.notation` makes of them what the phase means. What the names stand for is asked of a `Lexicon`.
"""

import re
from collections.abc import Callable, Mapping
from enum import Enum

from plenipo.engine.board import NO_COAST, Coast, Location, UnitKind
from plenipo.engine.orders import (
    Build,
    Choose,
    Convert,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Ref,
    Retreat,
    Support,
    Waive,
)
from plenipo.engine.position import Power
from plenipo.engine.reading.lexicon import DIRECTIONS, Lexicon, excerpt, key_of, plain
from plenipo.engine.wording import listing
from plenipo.errors import AmbiguousOrder, InvalidOrder

__all__ = ["VERB_WORDS", "Reader"]


class _Verb(Enum):
    """What a word asks of a unit."""

    HOLD = "h hol hold holds holding stand stands standing stay stays"
    MOVE = "m mv move moves moving go goes going"
    SUPPORT = "s sup supp support supports supporting"
    CONVOY = "c convoy convoys convoying transport transports transporting"
    CONVERT = "t turn turns turning convert converts converting transform transforms transforming trafo become becomes"
    RETREAT = "r ret retreat retreats retreating"
    DISBAND = "d disband disbands disbanded disbanding remove removes removed drop drops dropped"
    BUILD = "b build builds"
    WAIVE = "w waive waives waived"
    CHOOSE = "choose chooses choosing select selects selecting"


_VERBS = {word: verb for verb in _Verb for word in verb.value.split()}
VERB_WORDS = frozenset(_VERBS)
"""Every word that is read as what a unit is to do."""

_TO = frozenset(("-", ">", "to", "into"))
_AFTER_NAMES = frozenset((*_TO, "/", "("))
_BY_SEA = frozenset(("convoy", "sea"))
_FILLERS = frozenset(("the", "in", "at", "of", "from"))
_ENDS_OF_NAMES = frozenset((*_VERBS, "to", "into", "via", "by", "from"))

_TOKEN = re.compile(r"\[[^\[\]]*\]|[-=]+>|-+|[\w.']+|\S")
_MOST_DIGITS = 3
_AREAS_OF_A_CORNER = 3
"""The fewest areas that meet in a corner."""


class Reader:
    """One text, cut into words and marks, and the place up to which it has been read.

    `words` are keys and marks, `spans` where each stands in the text. Every method that reads something moves `at`
    past it. `choices` are the words that may follow a unit in this phase, for the message about a wrong one.
    """

    __slots__ = ("at", "choices", "lexicon", "spans", "text", "words")

    def __init__(self, lexicon: Lexicon, text: str, choices: str = "-, S, C or H") -> None:
        self.lexicon = lexicon
        self.choices = choices
        self.text = text
        self.words: list[str] = []
        self.spans: list[tuple[int, int]] = []
        self.at = 0
        if lexicon.slashed:
            kinds = lexicon.slashed_kinds
            text = lexicon.slashed.sub(lambda m: kinds[m[0].casefold()].ljust(len(m[0])), text)
        for match in _TOKEN.finditer(plain(text)):
            raw = match.group()
            if raw[0].isalnum() or raw[0] in "_.'":
                word = key_of(raw)
                if not word:
                    continue
            elif raw[-1] == ">":
                word = ">"
            else:
                word = "-" if raw[0] == "-" else raw
            self.words.append(word)
            self.spans.append(match.span())
        while self.words and self.words[-1] in {",", ";", "!"}:
            self.words.pop()
            self.spans.pop()

    # -- looking --------------------------------------------------------------------------------------------

    @property
    def ended(self) -> bool:
        """Whether everything has been read."""
        return self.at >= len(self.words)

    def word(self, ahead: int = 0) -> str:
        """The word or mark `ahead` of the place reached, '' past the end."""
        index = self.at + ahead
        return self.words[index] if index < len(self.words) else ""

    def verb(self, ahead: int = 0) -> _Verb | None:
        """The verb that a word is, if it is one."""
        return _VERBS.get(self.word(ahead))

    def _bare_verb(self) -> None:
        """Take the parentheses off a verb in them: `(s)`, `(c)`, `(h)`."""
        if self.word() == "(" and self.verb(1) and self.word(2) == ")":
            for index in (self.at + 2, self.at):
                del self.words[index], self.spans[index]

    def written(self, start: int, end: int) -> str:
        """Words `start` to before `end` as they stand in the text."""
        end = min(end, len(self.spans))
        return self.text[self.spans[start][0] : self.spans[end - 1][1]] if start < end else ""

    def _here(self) -> str:
        """The word reached, as it stands in the text."""
        return self.written(self.at, self.at + 1)

    def tight(self, index: int) -> bool:
        """Whether the mark at `index` has no blank on either side."""
        spans = self.spans
        return (
            0 < index < len(spans) - 1
            and spans[index - 1][1] == spans[index][0]
            and spans[index][1] == spans[index + 1][0]
        )

    def fault(self, piece: str, why: str) -> InvalidOrder:
        """The exception that quotes `piece` and goes on with `why`."""
        piece = excerpt(piece)
        return InvalidOrder(f"'{piece}' {why}", piece=piece)

    def finish(self, what: str, order: object = "") -> None:
        """Raise `InvalidOrder` if anything follows what has been read: `what` it is, and the `order` if it is one."""
        if not self.ended:
            rest = self.written(self.at, len(self.words))
            needs = f"{what} '{order}' needs" if order else f"{what} needs"
            raise self.fault(rest, f"is more than {needs}; leave it out.")

    # -- powers ---------------------------------------------------------------------------------------------

    def _power(self) -> tuple[Power, int, bool] | None:
        """The power named here, the place after it, and whether as an owner (`Germany's`)."""
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
            elif key[:-1] in powers and plain(self.written(index, index + 1)).endswith(("'s", "'S")):
                match = powers[key[:-1]], index + 1, True
        return match

    def speaker(self) -> Power | None:
        """The power whose order this is, if the text begins with one; with or without a colon."""
        if ":" in self.words:
            colon = self.words.index(":")
            named = self._power()
            if named is None or named[1] != colon:
                known = self.lexicon.power_names
                hint = f"the powers are {listing(known, 'and')}" if known else "leave it out"
                raise self.fault(self.written(0, max(colon, 1)), f"is not a power of this game; {hint}.")
            self.at = colon + 1
            return named[0]
        return self._nationality(leading=True)

    def _nationality(self, *, leading: bool = False) -> Power | None:
        """The power named before a unit; a word that is a space as well is one only if a unit's letter follows."""
        named = self._power() if self.lexicon.powers else None
        if named is None:
            return None
        power, end, owner = named
        then = self.words[end] if end < len(self.words) else ""
        verb = _VERBS.get(then) if leading else None
        if (
            owner
            or then in self.lexicon.kinds
            or verb is _Verb.WAIVE
            or (verb in {_Verb.BUILD, _Verb.DISBAND} and end + 1 < len(self.words))
            or not (self._exact(self.at) or self.lexicon.beginning("".join(self.words[self.at : end])))
        ):
            self.at = end
            return power
        return None

    # -- places ---------------------------------------------------------------------------------------------

    def _exact(self, index: int) -> tuple[tuple[Location, ...], int] | None:
        """The longest spelling that begins at `index`: what it may mean, and the place after it.

        Inside a spelling words may be parted by blanks, slashes, parentheses and hyphens without blanks.
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
        """The place after the words that may belong to one name: up to a mark, a verb or another word of orders."""
        end = self.at + 1
        while end < len(self.words) and self.words[end][0].isalnum() and not self._part_of_order(self.words[end]):
            end += 1
        return end

    def place(self, near: tuple[Ref, ...] = ()) -> Location:
        """A space with its coast, if one is written; `near` are the units that help to tell corners apart."""
        lexicon, start = self.lexicon, self.at
        word = self.word()
        if not word:
            done = self.text.strip()
            raise self.fault(done, "ends where the name of a space should follow." if done else "names no space.")
        if word == "(" and self._begins_place(start + 1):
            self.at += 1
            location = self.place(near)
            if self.word() != ")":
                raise self.fault(self.written(start, self.at), "has no end; write ')' after the name.")
            self.at += 1
            return location
        exact, end = self._exact(start), self._areas()
        if end:
            locations = lexicon.narrowed(lexicon.corner(f"[{self.written(start, end)}]"), near)
            self.at = end
        elif exact:
            locations, self.at = exact
        elif word[0] == "[" and len(word) > 1:
            locations = lexicon.names.get(key_of(word)) or lexicon.corner(self.written(start, start + 1))
            locations = lexicon.narrowed(locations, near)
            self.at += 1
        else:
            locations = self._begun()
        locations = self._repeated(locations)
        location = lexicon.one(locations, self.written(start, self.at))
        if location.coast:
            return location
        coast = self._coast()
        return Location(location.space, lexicon.board.spaces[location.space].coast_called(coast)) if coast else location

    def _areas(self) -> int:
        """The place after the areas of a corner written without brackets, `NAT/IRI/MAO`; 0 if none is written."""
        index, areas = self.at, 0
        if not self.lexicon.corners:
            return 0
        while index < len(self.words):
            exact = self._exact(index)
            if exact is None:
                return 0
            areas, index = areas + 1, exact[1]
            if index >= len(self.words) or self.words[index] != "/":
                break
            index += 1
        return index if areas >= _AREAS_OF_A_CORNER else 0

    def _repeated(self, locations: tuple[Location, ...]) -> tuple[Location, ...]:
        """What is meant where a name is followed by a code in parentheses, `North Sea (NTH 2)`: that of the two."""
        if self.word() != "(" or self.at + 1 >= len(self.words):
            return locations
        exact = self._exact(self.at + 1)
        if exact is None or exact[1] >= len(self.words) or self.words[exact[1]] != ")":
            return locations
        spaces = {location.space for location in locations}
        both = tuple(location for location in exact[0] if location.space in spaces)
        if both:
            self.at = exact[1] + 1
        return both or locations

    def _begun(self) -> tuple[Location, ...]:
        """The spaces with a spelling that begins with the words here: all of them up to the next word of orders.

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
            raise self.fault(self.written(self.at, run), "is a coast; write its space before it, as in 'STP/NC'.")
        end = next(end for end in range(self.at + 1, run + 1) if self._ends_name(end, run))
        raise self.lexicon.unknown(self.written(self.at, end))

    def _ends_name(self, end: int, run: int) -> bool:
        """Whether a name that may take the words up to `run` can end before `end`: the rest is a coast or fillers."""
        return self._coast_word(end - self.at, loose=False) is not None or _FILLERS.issuperset(self.words[end:run])

    def _coast(self) -> Coast | None:
        """The coast written after a space: `/NC`, `(nc)`, `-nc`, `nc`, `north coast`, `(north coast)`."""
        mark = self.word()
        if mark == "(":
            coast = self._coast_word(1, loose=True)
            # '(s)' before another unit is a support: `F BUL (s) A CON - SMY`
            follows = self.word(3) in self.lexicon.kinds or self._begins_place(self.at + 3)
            helps = self.verb(1) is _Verb.SUPPORT and follows
            if coast and self.word(coast[1]) == ")" and not helps:
                self.at += coast[1] + 1
                return coast[0]
            return None
        if mark == "/":
            coast = self._coast_word(1, loose=True)
            if coast is None:
                raise self.fault(
                    self.written(self.at + 1, self.at + 2) or mark, "is not a coast; write NC, SC, EC or WC."
                )
        elif mark == "-" and self.tight(self.at):
            coast = self._coast_word(1, loose=False)
        else:
            coast = self._coast_word(0, loose=False)
        if coast:
            self.at += coast[1]
            return coast[0]
        return None

    def _coast_word(self, ahead: int, *, loose: bool) -> tuple[Coast, int] | None:
        """The coast named `ahead`, and how far ahead it ends; `loose` lets a bare direction be a coast."""
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

    def _skip_fillers(self) -> None:
        while self.word() in _FILLERS and self.at + 1 < len(self.words) and not self._exact(self.at):
            self.at += 1

    def _begins_place(self, index: int) -> bool:
        """Whether the name of a space may begin at `index`, rather than a verb or a mark."""
        if index >= len(self.words):
            return False
        word = self.words[index]
        if word == "(":
            return self.words[index + 1 : index + 2] != ["("] and self._begins_place(index + 1)
        return (word[0].isalnum() and not self._part_of_order(word)) or word[0] == "[" or self._exact(index) is not None

    def _part_of_order(self, word: str) -> bool:
        """Whether a word is none of a name that runs on."""
        return word in _ENDS_OF_NAMES or word in self.lexicon.kinds

    def unit(self) -> Ref:
        """A unit: its letter if written, and where it stands; its nationality is understood and dropped."""
        self._skip_fillers()
        self._nationality()
        word = self.word()
        kind = self.lexicon.kinds.get(word)
        follows = self.at + 1
        while kind and follows < len(self.words) and self.words[follows] in _FILLERS:
            follows += 1
        if kind and self._begins_place(follows):
            self.at += 1
            self._skip_fillers()
            return Ref(kind, self.place())
        if kind and word not in self.lexicon.names:
            raise self.fault(self.written(self.at, self.at + 1), "is a unit without a space; write it as in 'A PAR'.")
        return Ref(self._glued(), self.place())

    def _glued(self) -> UnitKind | None:
        """The letter that is written as one word with the space (`APAR`), cut off it, if it can be nothing else."""
        word = self.word()
        kind = self.lexicon.kinds.get(word[:1])
        names = self.lexicon.names
        if kind is None or word[1:] not in names or word in names or word in self.lexicon.openers:
            return None
        also = self.lexicon.beginning(word)
        if also:
            piece = excerpt(self.written(self.at, self.at + 1))
            ways = (self.lexicon.describe(also[0]), f"{kind} {names[word[1:]][0]}")
            raise AmbiguousOrder(
                f"'{piece}' may be {listing(ways, 'or')}; write one of them.", piece=piece, suggestions=ways
            )
        self.words[self.at] = word[1:]
        self.spans[self.at] = (self.spans[self.at][0] + 1, self.spans[self.at][1])
        return kind

    # -- orders ---------------------------------------------------------------------------------------------

    def order(self) -> Order:
        """The order that begins here, of whatever phase; nothing after it is looked at."""
        if self.ended:
            raise self.fault(self.text.strip(), "is not an order; write one such as 'A PAR H'.")
        verb = self.verb()
        if verb and not (self.word() in self.lexicon.kinds and self._begins_place(self.at + 1)):
            name = self._exact(self.at)  # 'W Med H' begins with a space and not with a waive
            ahead = name[1] - self.at if name else 0
            if ahead == 0 or (ahead == 1 and not (self.verb(1) or self.word(1) in _AFTER_NAMES)):
                return self._verb_first(verb)
        unit = self.unit()
        self._bare_verb()
        self._skip_to()
        verb = self.verb()
        simple = _SIMPLE.get(verb) if verb else None
        # 'A EDI hol' holds; 'A BEL HOL' may as well be a move without its hyphen, so it is asked about
        if simple and not (self.word() == "hol" and self._exact(self.at) and self._here().isupper()):
            self.at += 1
            return simple(unit)
        if verb is _Verb.SUPPORT or verb is _Verb.CONVOY:
            self.at += 1
            return self._helping(unit, verb)
        if verb is _Verb.CONVERT:
            self.at += 1
            return Convert(unit, self._converted(unit))
        if verb is _Verb.RETREAT:
            self.at += 1
            self.at += self.word() in _TO
            return Retreat(unit, self.place((unit,)))
        if self._goes():
            to, via = self._route((unit,))
            return Move(unit, to, via)
        if self.ended:
            raise self.fault(self.text.strip(), f"is a unit without an order; write {self.choices} after it.")
        raise self.fault(self._here(), f"is not an order; after a unit write {self.choices}.")

    def _converted(self, unit: Ref) -> Ref:
        """What a unit turns into: `F BRE`, or the kind alone, `into a fleet`, with a coast where that is wanted."""
        self.at += self.word() in {"to", "into"}
        self.at += self.word() in {"a", "an"} and self.word(1) in self.lexicon.kinds
        start, kind = self.at, self.lexicon.kinds.get(self.word())
        if kind is None:
            return self.unit()
        self.at += 1
        coast = self._coast()
        if coast is None and self._begins_place(self.at):
            self.at = start
            return self.unit()
        return Ref(kind, Location(unit.location.space, coast or NO_COAST))

    def choice(self) -> Order:
        """What is chosen in a choice phase: `CHOOSE LON`, `London`, `A LON`; anything with another verb is an order."""
        if self.verb() is _Verb.CHOOSE:
            self.at += 1
        start = self.at
        chosen = Choose(self.unit())
        if self.ended:
            return chosen
        self.at = start
        return self.order()

    def _verb_first(self, verb: _Verb) -> Order:
        """`Build A PAR`, `D A GAS`, `WAIVE 2`."""
        start = self.at
        self.at += 1
        if verb is _Verb.WAIVE or (verb is _Verb.BUILD and self.verb() is _Verb.WAIVE):
            self.at += verb is _Verb.BUILD
            return Waive(self._count())
        if verb is _Verb.BUILD:
            return Build(self.unit())
        if verb is _Verb.DISBAND:
            return Disband(self.unit())
        if verb is _Verb.CHOOSE:
            return Choose(self.unit())
        raise self.fault(self.written(start, start + 1), "has no unit before it; write an order such as 'A PAR H'.")

    def _count(self) -> int:
        """How many builds are waived; 1 if no number is written."""
        word, count = self.word(), 1
        if word.isdecimal():
            count = int(word) if len(word) <= _MOST_DIGITS else 0
            if not count:
                raise self.fault(
                    self.written(self.at, self.at + 1), "is not a number of builds to waive; write 1 or more."
                )
            self.at += 1
        if self.verb() is _Verb.BUILD:
            self.at += 1
        return count

    def _skip_to(self) -> None:
        """Pass over what stands between a unit and its verb: `to` support, `in` moving, `-` H.

        A hyphen before another verb is left: `A PAR - D` is more likely half a move than a disbandment.
        """
        verb = self.verb(1)
        if verb and not self._exact(self.at + 1):
            hyphen = self.word() == "-" and verb is _Verb.HOLD
            self.at += self.word() in {"to", "in"} or hyphen

    def _helping(self, unit: Ref, verb: _Verb) -> Order:
        """A support or a convoy, after its verb.

        Some write the destination first: `S move to BUL from RUM`, `C to NWY from YOR`.
        """
        start = self.at
        marked = self.verb()
        if marked in {_Verb.HOLD, _Verb.MOVE} and not self._exact(self.at):
            self.at += 1
        if self.word() in _TO:
            self.at += 1
            to = self.place((unit,))
            if self.word() == "from":
                self.at += 1
                other = self.unit()
                return Support(unit, other, to) if verb is _Verb.SUPPORT else Convoy(unit, other, to)
            if marked is _Verb.HOLD and verb is _Verb.SUPPORT:
                return Support(unit, Ref(None, to))
            raise self.fault(
                self.written(start, self.at), "does not say which unit goes there; write the unit before it."
            )
        if self.ended:
            raise self.fault(self.text.strip(), "does not say which unit it helps; name that unit at the end.")
        other = self.unit()
        self._bare_verb()
        self._skip_to()
        if verb is _Verb.SUPPORT:
            if self._goes():
                return Support(unit, other, self._route((other, unit))[0])
            self.at += self.verb() is _Verb.HOLD
            return Support(unit, other)
        if self._goes():
            return Convoy(unit, other, self._route((other,))[0])
        raise self.fault(self.text.strip(), "is a convoy without a destination; write it as in 'F NTH C A YOR - NWY'.")

    # -- ways -----------------------------------------------------------------------------------------------

    def _goes(self) -> bool:
        """Whether a way follows: a hyphen, an arrow, `to`, `moves`, `via`."""
        return self.verb() is _Verb.MOVE or self.word() in _TO or self._sea_way() > self.at

    def _sea_way(self) -> int:
        """The place after words that ask for a convoy (`VIA`, `by sea`, `(via convoy)`), or `at` if there are none."""
        words = [*self.words[self.at : self.at + 5], "", "", "", "", ""]
        inside = end = int(words[0] == "(")
        if words[end] in {"via", "by"}:
            article = int(words[end + 1] == "a")
            if words[end + 1 + article] in _BY_SEA:
                end += 2 + article
            elif words[end] == "via":
                end += 1
        elif inside and words[end] in _BY_SEA:
            end += 1
        if end == inside or (inside and words[end] != ")"):
            return self.at
        return self.at + end + inside

    def _route(self, near: tuple[Ref, ...]) -> tuple[Location, bool]:
        """Where a move goes, and whether a convoy is asked for, by a word or by naming the spaces on the way.

        The spaces on the way are read, so that a misspelt one is noticed, and have no further meaning (DATC 4.A.6).
        """
        start = self.at
        to: Location | None = None
        via = closed = False
        expected = self.verb() is _Verb.MOVE
        self.at += expected
        while True:
            end = self._sea_way()
            if end > self.at:
                via, self.at = True, end
                if self._begins_place(end) and self.word() not in _TO:
                    self.place()  # 'VIA NTH': on the way, and so is what follows if the destination is known
                    closed = to is not None
                expected = False
                continue
            if self.word() in _TO:
                self.at += 1
            elif not expected:
                break
            expected = False
            here = self.place(near)
            if not closed:
                via = via or to is not None
                to = here
        if to is None:
            raise self.fault(
                self.written(start, self.at), "names a way but no destination; write '-' and a space after it."
            )
        return to, via


_SIMPLE: Mapping[_Verb, Callable[[Ref], Order]] = {
    _Verb.HOLD: Hold,
    _Verb.BUILD: Build,
    _Verb.DISBAND: Disband,
}
