"""The grammar of a written order: one text read from left to right.

`OrderReader` reads orders from the names of a text (`plenipo.engine.reading.names`). It accepts all usual notations and
ignores phases: `A VIE - BOH` is a move and `A VIE D` a disbandment here, and
`plenipo.engine.reading.notation` converts them to the orders of the phase.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from plenipo.engine.board import NO_COAST, Code, Location
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
from plenipo.engine.reading import reading_sentences as say
from plenipo.engine.reading.headings import HeadingReader
from plenipo.engine.reading.lexicon import Lexicon, excerpt
from plenipo.engine.reading.words import BY_SEA, LEFT_OUT, NUMBERS, PREAMBLES, STILL, TO, TOWARDS, VERBS, Verb
from plenipo.engine.sentences import Either, Quoted
from plenipo.errors import AmbiguousOrder, InvalidOrder

__all__ = ["OrderReader"]

_AFTER_NAMES = frozenset((*TO, "/", "("))
_CONVOYS_IN_SHORT = frozenset(("con", "cnv"))
_MARKS = frozenset(("-", ":", ">", "="))
_BY_SEA_LETTERS = frozenset(("c", "vc"))
_BEGINS_ARROW_BY_SEA = TO | {"(", *_BY_SEA_LETTERS}
_BEGINS_SEA_WAY = frozenset(
    ("(", "via", "through", "by", "per", "using", "with", "convoyed", *BY_SEA, *_BY_SEA_LETTERS)
)
_MOST_DIGITS = 3
_MOST_ON_THE_WAY = 40
"""The greatest number of spaces that a route may name; no board has a longer one."""


class OrderReader(HeadingReader):
    """A reader of one text and the order in it.

    `choices` are the words that may follow a unit in this phase, for the message about a wrong one. `led` is the verb
    that an order takes from the list it is in: `F BRE` after `Build A PAR`. Once an
    order has been read, `led` is the verb that it began with. `lone` is a unit without any verb.
    With `removing` the letter R means that a unit is removed, as it does where no unit retreats.
    """

    __slots__ = ("choices", "led", "lone", "removing")

    def __init__(
        self,
        lexicon: Lexicon,
        text: str,
        choices: str = say.NEXT_IN_MOVEMENT,
        picks: Mapping[int, Location] | None = None,
        led: Verb | None = None,
        *,
        removing: bool = False,
    ) -> None:
        super().__init__(lexicon, text, picks)
        self.choices = choices
        self.led = led
        self.removing = removing
        self.lone: Ref | None = None

    def verb(self, ahead: int = 0) -> Verb | None:
        """Return the verb that a word is, if it is one; `R` as the phase means it."""
        word = self.word(ahead)
        return Verb.DISBAND if self.removing and word == "r" else VERBS.get(word)

    # -- orders ---------------------------------------------------------------------------------------------

    def order(self) -> Order:
        """Return the order that begins here, of any phase, with its parts in parentheses behind it."""
        return self._with_words_after(self._order())

    def _with_words_after(self, order: Order) -> Order:
        """Return an order with the type of its unit after it, `Munich holds (army)`; its verb there adds nothing."""
        self.skip_outcome()
        if self.word() != "(" or self.word(2) != ")" or self.at + 3 < len(self.words):
            return order
        verb, kind = self.verb(1), self.lexicon.kinds.get(self.word(1))
        if verb and isinstance(order, _MEANT.get(verb, ())):
            self.at += 3
        elif kind and isinstance(order, Hold | Move | Retreat | Disband | Build) and order.unit.kind is None:
            self.at += 3
            return replace(order, unit=Ref(kind, order.unit.location))
        return order

    def _order(self) -> Order:
        while self.word() in PREAMBLES and self.at + 1 < len(self.words) and not self.exact(self.at):
            self.at += 1
            self.at += self.word() == "to" and self.verb(1) is not None  # 'I want to move'
        if self.is_at_end:
            raise self.fault(self.text.strip(), say.NO_ORDER)
        if self.word() == "no" and self.verb(1) is Verb.BUILD:
            self.at += 2
            return Waive()
        verb = self.verb()
        if self.verb(1) is Verb.BUILD and self.verb(2) is Verb.WAIVE and self.at + 3 == len(self.words):
            counted = self.word().isdecimal() or self.word() in NUMBERS
            count = self._count() if counted else 0  # '1 build waived'
            self.at += counted
            if counted:
                return Waive(count)
        if verb and not (self.word() in self.lexicon.kinds and self.begins_place(self.at + 1)):
            name = self.exact(self.at)  # 'W Med H' begins with a space and not with a waive
            ahead = name[1] - self.at if name else 0
            if ahead == 0 or (ahead == 1 and not (self.verb(1) or self.word(1) in _AFTER_NAMES)):
                return self._verb_first(verb)
        if self._group_ends() == len(self.words):
            self.drop(self.at, len(self.words) - 1)
        unit = self.unit()
        if not self.word():
            return self._alone(unit)
        return self._after(unit)

    def _after(self, unit: Ref) -> Order:
        """Return the order of a unit, from its verb on."""
        if self.word() == "(":
            self.skip_outcome()
            self.bare_verb()
        self._skip_to()
        word, verb = self.word(), self.verb()
        if word == "2" and self.has_place_at(self.at + 1) and not self.exact(self.at):
            self.words[self.at] = "to"
        elif verb is None and word in _CONVOYS_IN_SHORT and self._convoys_in_short(unit):
            verb = Verb.CONVOY
        elif verb is Verb.HOLD and word.startswith("defend") and self._helps_unit():
            verb = Verb.SUPPORT
        simple = _SIMPLE.get(verb) if verb else None
        if simple and self.word() == "hol" and self.exact(self.at):
            self._ask_about_place(unit)
        if simple:
            self.at += 1
            if verb is Verb.HOLD:
                self._skip_still(unit)
            elif verb is Verb.BUILD and unit.kind is None and self.word() in self.lexicon.kinds:
                unit = Ref(self.lexicon.kinds[self.word()], unit.location)  # 'PAR Build Army'
                self.at += 1
            return simple(unit)
        convoyed = verb is Verb.CONVOY and unit.kind and unit.kind not in self.lexicon.board.convoying
        if convoyed and self.word(1) in TO:
            self.at += 1  # 'A LON convoys to NWY'
            to, _ = self._route((unit,), lambda to: Move(unit, to))
            return Move(unit, to, via=True)
        if verb is Verb.SUPPORT or verb is Verb.CONVOY:
            word = self.word()
            self.at += 1
            order = self._helping(unit, verb)
            holds, moves = word == "sh" or word.startswith("defend"), word == "sm"
            if isinstance(order, Support) and (holds or moves) and moves != (order.to is not None):
                kind = say.BEGUN_AS_HOLD_SUPPORT if holds else say.BEGUN_AS_MOVE_SUPPORT
                raise self.fault(self.text.strip(), kind, order=order)
            return order
        if verb is Verb.CONVERT:
            self.at += 1
            return Convert(unit, self._read_conversion(unit))
        if verb is Verb.RETREAT:
            self.at += 1
            return self._retreat(unit)
        if self._goes() or self.has_place_at(self.at):
            to, via = self._route((unit,), lambda to: Move(unit, to))
            return Move(unit, to, via)
        if self.is_at_end:
            raise self.fault(self.text.strip(), say.UNIT_WITHOUT_ORDER, choices=self.choices)
        raise self.fault(self.here(), say.NO_VERB, choices=self.choices)

    def _convoys_in_short(self, unit: Ref) -> bool:
        """Return whether `con` abbreviates a convoy, and not Constantinople.

        Raises `AmbiguousOrder` if it may be either.
        """
        if not self._helps_unit() or (unit.kind and unit.kind not in self.lexicon.board.convoying):
            return False
        found = self.exact(self.at)
        if found and found[0][0].space in self.lexicon.reach(unit):
            piece = excerpt(self.here())
            ways = (f"{unit} C", f"{unit} - {found[0][0]}")
            raise AmbiguousOrder(say.NOT_CLEAR(piece=Quoted(piece), unit=unit, one=ways[0], other=ways[1]), piece=piece)
        return True

    def _helps_unit(self) -> bool:
        """Return whether a unit with its type follows the word here: `A PAR defends A BUR`."""
        return self.word(1) in self.lexicon.kinds and self.begins_place(self.at + 2)

    def _alone(self, unit: Ref) -> Order:
        """Return the order of a unit without further words: that of the list it is in, if it is in one."""
        simple = _SIMPLE.get(self.led) if self.led else None
        if simple:
            return simple(unit)
        self.lone = unit
        raise self.fault(self.text.strip(), say.UNIT_WITHOUT_ORDER, choices=self.choices)

    def _ask_about_place(self, unit: Ref) -> None:
        """Raise `AmbiguousOrder` if a word for a hold may also be the destination of a unit.

        'A EDI hol' holds, because no unit there can step to Holland; in capitals it is ambiguous.
        """
        found = self.exact(self.at)
        places = found[0] if found else ()
        if places and (self.here().isupper() or places[0].space in self.lexicon.reach(unit)):
            piece = excerpt(self.here())
            ways = (f"{unit} H", f"{unit} - {places[0]}")
            raise AmbiguousOrder(
                say.NOT_CLEAR(piece=Quoted(piece), unit=unit, one=ways[0], other=ways[1]),
                piece=piece,
                suggestions=ways,
            )

    def _skip_still(self, unit: Ref) -> None:
        """Skip words that repeat that a unit holds: `fast`, `its position`, `in Paris`."""
        while self.word() in STILL and not self.exact(self.at):
            self.at += 1
        if self.word() == "in" and self.word(1) in STILL:
            self.at += 2
        if self.word() in {"in", "at"} and self.has_place_at(self.at + 1):
            start, self.at = self.at, self.at + 1
            if self.place((unit,)).space != unit.location.space:
                self.at = start

    def _retreat(self, unit: Ref) -> Order:
        """Return a retreat, after its verb."""
        if self.verb() is Verb.DISBAND and not self.exact(self.at):
            self.at += 1
            return Disband(unit)
        self.at += self.word() in TO
        start, to = self.at, self.place((unit,))
        if self.word() in TO:
            self.place_after(start)
        return Retreat(unit, to)

    def place_after(self, start: int) -> None:
        """Raise `InvalidOrder` for a second destination of a retreat, which names one."""
        self.at += 1
        self.place()
        raise self.fault(self.text_between(start, self.at), say.RETREAT_OF_STEPS)

    def _read_conversion(self, unit: Ref) -> Ref:
        """Return the unit after a conversion: `F BRE`, or the type alone, `into a fleet`, with an optional coast."""
        self.at += self.word() in {"to", "into"}
        self.at += self.word() in {"a", "an"} and self.word(1) in self.lexicon.kinds
        start, kind = self.at, self.lexicon.kinds.get(self.word())
        if kind is None:
            return self.unit()
        self.at += 1
        coast = self._coast()
        if coast is None and self.begins_place(self.at):
            self.at = start
            return self.unit()
        return Ref(kind, Location(unit.location.space, coast or NO_COAST))

    def choice(self) -> Order:
        """Return the choice of a choice phase: `CHOOSE LON`, `London`, `A LON`.

        A text with another verb is an order.
        """
        while self.word() in PREAMBLES and self.verb(1) and not self.exact(self.at):
            self.at += 1  # 'I choose London'
        if self.verb() is Verb.CHOOSE:
            self.at += 1
        start = self.at
        chosen = Choose(self.unit())
        if self.is_at_end:
            return chosen
        self.at = start
        return self.order()

    # -- orders that begin with their verb ------------------------------------------------------------------

    def _verb_first(self, verb: Verb) -> Order:
        """Return an order like `Build A PAR`, `Move A PAR to BUR`, `Support A MAR - BUR with A PAR`, `WAIVE 2`."""
        start = self.at
        self.at += 1
        self.at += self.word() == ":"
        if verb is Verb.BUILD and self.word() in {"nothing", "none"}:
            self.at += 1
            return Waive()
        if verb is Verb.WAIVE or (verb is Verb.BUILD and self.verb() is Verb.WAIVE):
            self.at += verb is Verb.BUILD
            return Waive(self._count())
        if self.is_at_end:
            raise self.fault(self.text_between(start, start + 1), say.VERB_WITHOUT_UNIT)
        self.led = verb
        if verb is Verb.CHOOSE:
            return Choose(self.unit())
        if verb is Verb.SUPPORT or verb is Verb.CONVOY:
            return self._helped_first(verb, start)
        self._skip_count()
        unit = self.unit()
        simple = _SIMPLE.get(verb)
        order = simple(unit) if simple and self.is_at_end else self._led_order(verb, unit)
        takes_off = self.words[start] in {"take", "takes"} and isinstance(order, Disband)
        if not (isinstance(order, _MEANT[verb]) or takes_off):
            raise self.fault(self.text.strip(), say.BEGUN_AS, word=Quoted(self.words[start]), order=order)
        return order

    def _led_order(self, verb: Verb, unit: Ref) -> Order:
        if verb is Verb.HOLD:
            self._skip_still(unit)
            if self.is_at_end:
                return Hold(unit)
        if verb is Verb.RETREAT and self.verb() is not Verb.DISBAND:
            self.at += self.verb() is Verb.RETREAT
            return self._retreat(unit)
        if _SIMPLE.get(verb) and not (self.verb() or self.word() in TO or self.word() == "("):
            return _SIMPLE[verb](unit)
        return self._after(unit)

    def _skip_count(self) -> None:
        """Skip the number of units that follow: `Build 2: A PAR, F BRE`, `Build an army in Paris`."""
        counted = self.word().isdecimal() or self.word() in NUMBERS
        follows = self.word(1) in self.lexicon.kinds or self.word(1) in {":", "-", "unit", "units"}
        if counted and follows and not self.exact(self.at) and not self._is_letter():
            self.at += 1
            self.at += self.word() in {":", "-"}
        elif self.word() == "a" and self.word(1) in self.lexicon.kinds and len(self.word(1)) > 1:
            self.at += 1

    def _is_letter(self) -> bool:
        """Return whether the word here is the letter of a unit and not an article: `A FLT` names no unit."""
        return self.word() in self.lexicon.kinds and self.word(1) not in self.lexicon.kinds

    def _helped_first(self, verb: Verb, start: int) -> Order:
        """Return an order like `Support A MAR - BUR with A PAR`: the supported unit first, the supporter last."""
        other = self.unit()
        to: Location | None = None
        if self._goes() or self.has_place_at(self.at):
            to = self._route((other,), lambda to: Move(other, to))[0]
        elif self.verb() is Verb.HOLD:
            self.at += 1
        if self.word() not in {"with", "using", "from", "by"}:
            self.at = start
            raise self.fault(self.here(), say.VERB_WITHOUT_UNIT)
        self.at += 1
        unit = self.unit()
        if verb is Verb.SUPPORT:
            return Support(unit, other, to)
        if to is None:
            raise self._without_destination()
        return Convoy(unit, other, to)

    def _count(self) -> int:
        """Return how many builds are waived; 1 if no number is written."""
        word, count = self.word(), 1
        if word.isdecimal():
            count = int(word) if len(word) <= _MOST_DIGITS else 0
            if not count:
                raise self.fault(self.text_between(self.at, self.at + 1), say.NO_NUMBER_TO_WAIVE)
            self.at += 1
        elif word in NUMBERS:
            count = NUMBERS[word]
            self.at += 1
        if self.verb() is Verb.BUILD:
            self.at += 1
        return count

    # -- helping --------------------------------------------------------------------------------------------

    def _skip_to(self) -> None:
        """Skip words between a unit and its verb: `to` support, `in` moving, `will`, `-` H.

        A hyphen before another verb is left: `A PAR - D` is more likely half a move than a disbandment.
        """
        while (word := self.word()) in LEFT_OUT or word in _MARKS:
            verb = self.verb(1)
            marked = word in _MARKS
            if marked and verb is None and word != ":":
                break
            helps = verb in {Verb.SUPPORT, Verb.CONVOY} and self.word(2) in self.lexicon.kinds
            goes = (verb is Verb.MOVE and self.word(2)) or (verb is Verb.DISBAND and len(self.word(1)) > 1)
            helps = helps or (verb is Verb.BUILD and self.word(2) in self.lexicon.kinds)
            if marked and not (verb is Verb.HOLD or helps or goes or word == ":"):
                break
            if not marked and not (verb or self.word(1) in LEFT_OUT or self.word(1) == "convoyed"):
                break
            if self.exact(self.at + 1) if self.at + 1 < len(self.words) else False:
                break
            self.at += 1

    def _group_ends(self) -> int:
        """Return the place after the parenthesis that closes the one here, round a unit or an order.

        0 if there is none.
        """
        if self.word() != "(" or not (self.word(1) in self.lexicon.kinds or self.word(1) == "("):
            return 0
        depth = 0
        for index in range(self.at, len(self.words)):
            depth += (self.words[index] == "(") - (self.words[index] == ")")
            if depth == 0:
                return index + 1
        return 0

    def _helping(self, unit: Ref, verb: Verb) -> Order:
        """Return a support or a convoy, after its verb.

        Some write the destination first: `S move to BUL from RUM`, `C to NWY from YOR`.
        """
        self.at += self.word() in {"/", ":"}  # 'A PAR s/ A MAR'
        self.at += self.word() == "to" and self.word(1) in self.lexicon.kinds
        start = self.at
        end = self._group_ends()
        if end:
            self.drop(self.at, end - 1)
        if self.verb(1) and (self.word() == "the" or (self.word() == "-" and self.tight(self.at))):
            self.at += 1  # 'supports the move of', 'support-hold'
        marked = self.verb()
        if marked in {Verb.HOLD, Verb.MOVE} and not self.exact(self.at):
            self.at += 1
            self.at += self.word() == "of" and marked is Verb.MOVE
        if marked is Verb.HOLD and self.word() in TO and self.word(1) in self.lexicon.kinds:
            self.at += 1  # 'support hold to fleet at Kiel'
            return Support(unit, self.unit())
        if self.word() in TO or (marked is Verb.MOVE and self.word() in TOWARDS and self.word() != "in"):
            self.at += 1
            to = self.place((unit,))
            if self.word() in {"from", "by"}:
                self.at += 1
                other = self.unit()
                return Support(unit, other, to) if verb is Verb.SUPPORT else Convoy(unit, other, to)
            if marked is Verb.HOLD and verb is Verb.SUPPORT:
                return Support(unit, Ref(None, to))
            raise self.fault(self.text_between(start, self.at), say.WHICH_UNIT_GOES)
        if self.is_at_end:
            raise self.fault(self.text.strip(), say.WHICH_UNIT_HELPED)
        start, other = self.at, self.unit()
        self.bare_verb()
        self._skip_to()
        if other.kind is None and self.at == start + 1 and not self._goes() and self.has_place_at(self.at):
            other = self._of_power(start, unit, other)
        if marked is Verb.MOVE and self.word() in TOWARDS and self.has_place_at(self.at + 1):
            self.words[self.at] = "to"  # 'the attack of A MAR on BUR'
        goes = self._goes() or self.has_place_at(self.at)
        if verb is Verb.SUPPORT:
            if goes:
                return Support(unit, other, self._route((other, unit), lambda to: Support(unit, other, to))[0])
            self.at += self.verb() is Verb.HOLD
            self._skip_still(other)
            return Support(unit, other)
        if goes:
            return Convoy(unit, other, self._route((other,), lambda to: Convoy(unit, other, to))[0])
        raise self._without_destination()

    def _of_power(self, start: int, unit: Ref, other: Ref) -> Ref:
        """Return the supported unit, whose name may be that of a power before it: `S ENG LON`, `S ENG LON - BEL`.

        Raises `AmbiguousOrder` if the second name may also be its destination.
        """
        word, place_at = self.words[start], self.at
        if word not in self.lexicon.powers and word not in self.lexicon.short_powers:
            return other
        to = self.place((unit,))
        if self._goes():
            return Ref(None, to)
        piece = self.text_between(start, self.at)
        self.at = place_at
        ways = (f"{other} - {to}", str(to))
        raise AmbiguousOrder(say.MAY_BE(piece=Quoted(excerpt(piece)), ways=Either(ways)), piece=piece, suggestions=ways)

    def _without_destination(self) -> InvalidOrder:
        return self.fault(self.text.strip(), say.CONVOY_WITHOUT_END)

    # -- ways -----------------------------------------------------------------------------------------------

    def _goes(self) -> bool:
        """Return whether a way follows: a hyphen, an arrow, `to`, `moves`, `via`."""
        return self.verb() is Verb.MOVE or self.word() in TO or self._sea_way() > self.at

    def _sea_way(self) -> int:
        """Return the place after words for a convoy (`VIA`, `by sea`, `(via convoy)`), or `at` if there are none."""
        if self.word() not in _BEGINS_SEA_WAY:
            return self.at
        words = [*self.words[self.at : self.at + 6], "", "", "", "", "", ""]
        inside = end = int(words[0] == "(")
        if inside and words[1] in _BY_SEA_LETTERS and words[2] == ")" and words[1] not in self.lexicon.kinds:
            return self.at + 3
        if words[end] in {"via", "through", "by", "per", "using", "with"}:
            article = int(words[end + 1] in {"a", "the"} and words[end + 2] in BY_SEA)
            if words[end + 1 + article] in BY_SEA or (words[end] == "via" and words[end + 1] in _BY_SEA_LETTERS):
                end += 2 + article
            elif words[end] in {"via", "through"} or (words[end] != "per" and self._names_carrier(words[end + 1])):
                end += 1
        elif words[end] == "convoy" and not inside and self.has_place_at(self.at + 1):
            end += 1  # 'A LON - BEL convoy NTH'
        elif words[end] == "convoyed":
            end += 1 + (words[end + 1] in {"via", "by", "through"})
        elif (words[end] in BY_SEA and (inside or self.at + 1 == len(self.words))) or (
            words[end] in _BY_SEA_LETTERS and self.at + 1 == len(self.words) and not inside
        ):
            end += 1
        if end == inside or (inside and words[end] != ")"):
            return self.at + self._sea_way_of_unit() if inside and end > inside else self.at
        return self.at + end + inside

    def _sea_way_of_unit(self) -> int:
        """Return the end of the words of `(via NTH)` if the parenthesis closes after places; it is removed then."""
        closed = next((i for i in range(self.at, len(self.words)) if self.words[i] == ")"), 0)
        if not closed or not all(word[0].isalnum() or word == "-" for word in self.words[self.at + 1 : closed]):
            return 0
        self.drop(self.at, closed)
        end = self._sea_way()
        return end - self.at

    def _names_carrier(self, word: str) -> bool:
        """Return whether `by`, `with` or `using` before this word means a convoy, and not the supporting unit."""
        kind = self.lexicon.kinds.get(word)
        helped = self.led is Verb.SUPPORT or self.led is Verb.CONVOY
        return kind is not None and not helped and bool(self.lexicon.board.traits[kind].carries)

    def _arrow_by_sea(self) -> int:
        """Return the number of words of an arrow that asks for a convoy, `-C-`, `-(C)-`, `C->`; 0 if there is none."""
        start = self.at + (self.word() in TO)
        inside = int(self.words[start : start + 1] == ["("])
        words = self.words[start : start + 2 + 2 * inside]
        letter = words[inside : inside + 1]
        shown = len(words) == 2 + 2 * inside and letter[0] in _BY_SEA_LETTERS and words[-1] in {"-", ">"}
        if not shown or (inside and words[2] != ")") or letter[0] in self.lexicon.names:
            return 0
        return start + len(words) - self.at

    def _carriers(self) -> list[tuple[int, Location]]:
        """Return the spaces named after `via`, with or without the fleet: `VIA NTH`, `via F NTH`, `VIA NTH SKA`."""
        found = []
        while not self.is_at_end and self.word() not in TO:
            self.at += self.word() in {",", "and"}
            start = self.at
            self.at += self.word() in self.lexicon.kinds and self.begins_place(self.at + 1)
            if not self.begins_place(self.at):
                self.at = start
                break
            place_at = self.at
            found.append((place_at, self.place()))
        return found

    def _route(self, near: tuple[Ref, ...], order: Callable[[Location], Order]) -> tuple[Location, bool]:
        """Return the destination of a move, and whether a convoy is requested, by a word or by the spaces on the way.

        A fleet must be able to convoy in the spaces on the way, or the text is refused: of several spaces on land the
        first or the last may be meant. They have no further meaning (DATC 4.A.6). `order` returns the order for a
        destination.
        """
        start = self.at
        to: Location | None = None
        way: list[tuple[int, Location]] = []
        via = closed = False
        expected = self.verb() is Verb.MOVE or not self._goes()
        if self.verb() is Verb.MOVE:
            via = self.word() == "cto"
            self.at += 1
            self.at += self.word() in TOWARDS - TO and self.has_place_at(self.at + 1)
        last = 0
        while len(way) < _MOST_ON_THE_WAY:
            self.at += self.word() == "," and self.word(1) in {"via", "by"}
            end = self._sea_way()
            if end > self.at:
                via, self.at = True, end
                way += self._carriers()
                closed = to is not None
                expected = False
                continue
            arrow = self._arrow_by_sea() if self.word() in _BEGINS_ARROW_BY_SEA else 0
            if arrow:
                via, self.at = True, self.at + arrow
            elif self.word() in TO:
                self.at += 1
            elif not expected:
                break
            expected = False
            self.at += self.word() in self.lexicon.kinds and self.has_place_at(self.at + 1)
            if closed:
                way.append((self.at, self.place()))
                continue
            if to is not None:
                way.append((last, to))
            last = self.at
            to = self.place(near)
        if to is None:
            raise self.fault(self.text_between(start, self.at), say.WAY_WITHOUT_END)
        return to, self._by_sea(near[0], way, to, order, start) if way else via

    def _by_sea(
        self,
        unit: Ref,
        way: list[tuple[int, Location]],
        to: Location,
        order: Callable[[Location], Order],
        start: int,
    ) -> bool:
        """Return whether a way is that of a convoy, and not of a unit that makes several steps.

        Raises if it is neither.
        """
        board = self.lexicon.board
        traits = board.traits.get(unit.kind) if unit.kind else None
        if traits and traits.steps > 1 and to.space in self.lexicon.reach(unit):
            return False
        codes: list[Code] = []
        for at, location in way:
            if at in self.open:
                name = self.open[at]
                seas = tuple(one for one in (*name.first, *name.others) if board.spaces[one.space].carries)
                location = self.settle_open(at, seas)  # noqa: PLW2901  # the place that can be meant on the way
            codes.append(location.space)
        land = next((code for code in codes if not board.spaces[code].carries), None)
        carried = traits is None or unit.kind in board.carriers
        if land is None and carried:
            return True
        ways = tuple(str(order(goal)) for goal in dict.fromkeys((Location(codes[0]), to)))
        piece = self.text_between(start + (self.words[start] in TO), self.at)
        if land is None:
            why = say.TYPE_NOT_CONVOYED(type=board.name_with_article(unit.kind)) if unit.kind else say.NONE_CONVOYED
        else:
            why = say.CARRIES_NO_CONVOY(place=board.spaces[land].name or land)
        hint = Either(say.ORDER_TEXT(order=one) for one in ways)
        raise self.fault(piece, say.SEVERAL_STEPS, ways, reason=why, ways=hint)


_SIMPLE: Mapping[Verb, Callable[[Ref], Order]] = {
    Verb.HOLD: Hold,
    Verb.BUILD: Build,
    Verb.DISBAND: Disband,
}

_MEANT: Mapping[Verb, tuple[type[Order], ...]] = {
    Verb.HOLD: (Hold,),
    Verb.BUILD: (Build,),
    Verb.DISBAND: (Disband,),
    Verb.MOVE: (Move,),
    Verb.RETREAT: (Retreat, Move, Disband),
    Verb.CONVERT: (Convert,),
}
"""The possible types of an order that begins with a verb."""
