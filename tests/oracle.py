"""A second, slow adjudicator for movement, written from definitions alone, to test the engine's resolver against.

It knows two kinds of question: does this move succeed, and is the route of this convoyed army open. All else follows
from the answers (dislodgements, supports, strengths). The definitions are those of DATC 3.0, chapter 5.B. It knows the
policies in `KNOWN` and refuses others.
There is no arithmetic of minima and maxima here. What the oracle knows, it knows from trying every case.

Decided by enumeration:

- A question is settled when its definition gives the same answer for every combination of the open questions it reads.
- When no more can be settled, the open questions are sorted into cores. One question depends on another if there is a
  combination of the rest for which flipping the other flips the one. A core is a set of questions that all depend on
  each other and on no open question outside. Every combination of answers is tried in it, and the consistent ones kept,
  in which each answer is what its definition yields from the others.
- One consistent combination is the outcome of that core, however the questions turn on each other.

Decided by policy, when a core has several consistent combinations or none:

- If the routes differ between the combinations, or if there is no combination, the core is a convoy paradox. Those
  routes (of a core without combination: all its routes) are broken, and their armies have no effect (DATC 4.A.2).
- Otherwise the core is a circular movement, and its moves succeed (DATC 6.C).

Cores come before what depends on them.
`consistent_outcomes` is blunter still: all outcomes of a position that satisfy the definitions, by trying them all.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal, NamedTuple

from plenipo.engine.board import Board, Code, Location
from plenipo.engine.orders import Convoy, Move, MovementOrder, Support
from plenipo.engine.position import Power, Unit
from plenipo.engine.rulebook import Rulebook

__all__ = ["KNOWN", "STANDARD", "Fate", "Verdict", "consistent_outcomes", "solve"]


KNOWN = {
    "4.A.1": ("all", "any"),
    "4.A.2": ("szykman",),
    "4.A.3": ("intent", "explicit"),
    "4.A.4": ("no-cut", "cut"),
    "4.A.5": ("allowed", "forbidden"),
    "4.A.7": ("bounces", "no-effect"),
}
"""The policies on movement the oracle can judge by."""

STANDARD = Rulebook.edition("standard")


class Fate(NamedTuple):
    """The outcome of one unit.

    `dislodged_by` is the space its dislodger came from. `given` is None unless the unit was ordered to support and the
    order matched the other unit's. `retreats` are the locations to which a dislodged unit may go.
    """

    moved: bool = False
    dislodged_by: Code | None = None
    given: bool | None = None
    retreats: frozenset[Location] = frozenset()


@dataclass(frozen=True)
class Verdict:
    """The fate of each unit by the space it started in, the spaces a stand-off left vacant, and the policies used.

    `broken` are the spaces of the armies whose routes were broken as a paradox, `rotated` those of the units that
    moved on as a circle.
    """

    fates: Mapping[Code, Fate]
    contested: frozenset[Code]
    broken: frozenset[Code]
    rotated: frozenset[Code]


class _Question(NamedTuple):
    """A question of the adjudication: does the unit of `space` move, or is the route of its army open?"""

    kind: Literal["move", "route"]
    space: Code


_Answers = dict[_Question, bool]
_Read = Callable[[_Question], bool]


class _Open(Exception):  # noqa: N818  # a signal that never leaves this module
    """The answer to `question` was asked for and is not there."""

    def __init__(self, question: _Question) -> None:
        super().__init__(question)
        self.question = question


class House(NamedTuple):
    """Rules of a variant: what pieces of some powers count on the offence and as they stand, and ways that cross."""

    offence: Mapping[Power, Fraction] = {}
    standing: Mapping[Power, Fraction] = {}
    straits: tuple[tuple[frozenset[Code], frozenset[Code]], ...] = ()


ORDINARY = House()


class _Definitions:
    """The definitions of DATC 5.B for one set of orders; `read` answers the questions they lead to."""

    def __init__(
        self,
        board: Board,
        units: Iterable[Unit],
        orders: Iterable[MovementOrder],
        rulebook: Rulebook,
        house: House = ORDINARY,
    ) -> None:
        self.house = house
        unknown = [f"{key} {rulebook[key]}" for key, choices in KNOWN.items() if rulebook[key] not in choices]
        if unknown:
            raise NotImplementedError(f"The oracle does not know the policies {', '.join(unknown)}.")
        self.board = board
        self.policy = rulebook
        self.units = {unit.space: unit for unit in units}
        self.orders = {order.unit.location.space: order for order in orders}
        self.target: dict[Code, Code] = {}
        self.entering: dict[Code, list[Code]] = {}
        for space, order in self.orders.items():
            if isinstance(order, Move):
                self.target[space] = order.to.space
                self.entering.setdefault(order.to.space, []).append(space)
        self.backing: dict[Code, list[Code]] = {}
        self.carriers: dict[Code, set[Code]] = {}
        for space, order in self.orders.items():
            if isinstance(order, Support) and self._matches(order):
                self.backing.setdefault(order.other.location.space, []).append(space)
            if isinstance(order, Convoy) and self.target.get(order.other.location.space) == order.to.space:
                self.carriers.setdefault(order.other.location.space, set()).add(space)
        self.convoyed = {space for space in self.target if self._goes_by_sea(space)}

    def _matches(self, support: Support) -> bool:
        """Tell whether the other unit was ordered to do as `support` says; an omitted coast fits any (4.B.4)."""
        order = self.orders.get(support.other.location.space)
        if support.to is None:
            return not isinstance(order, Move)
        if not isinstance(order, Move) or order.to.space != support.to.space:
            return False
        return not support.to.coast or support.to.coast == order.to.coast

    def _goes_by_sea(self, space: Code) -> bool:
        """Policy 4.A.3: no land way, or VIA, or (unless it must be explicit) an own fleet convoys it."""
        unit, order = self.units[space], self.orders[space]
        if order.unit.kind != "A" or not isinstance(order, Move):
            return False
        if order.via or order.to.space not in self.board.armies[space]:
            return True
        own = any(self.units[fleet].power == unit.power for fleet in self.carriers.get(space, ()))
        return own and self.policy["4.A.3"] == "intent"

    def questions(self) -> list[_Question]:
        """Everything that has to be answered, in a fixed order."""
        routes = [_Question("route", space) for space in sorted(self.convoyed)]
        return routes + [_Question("move", space) for space in sorted(self.target)]

    def answer(self, question: _Question, read: _Read) -> bool:
        """Return the answer of the definition of `question`, given the answers of `read`."""
        return self.route(question.space, read) if question.kind == "route" else self.move(question.space, read)

    def route(self, space: Code, read: _Read) -> bool:
        """PATH of a convoyed army: a chain of convoying fleets that are not dislodged.

        Under policy 4.A.1 any, no convoying fleet at all may be dislodged.
        """
        carriers, goal = self.carriers.get(space, set()), self.target[space]
        if self.policy["4.A.1"] == "any" and any(self.dislodged(fleet, read) for fleet in sorted(carriers)):
            return False
        edge = sorted(self.board.waters[space] & carriers)
        seen = set(edge)
        while edge:
            fleet = edge.pop()
            if self.dislodged(fleet, read):
                continue
            if goal in self.board.ports[fleet]:
                return True
            beyond = (self.board.waters[fleet] & carriers) - seen
            seen |= beyond
            edge.extend(sorted(beyond))
        return False

    def path(self, space: Code, read: _Read) -> bool:
        """PATH: a unit that goes by itself always has one."""
        return space not in self.convoyed or read(_Question("route", space))

    def dislodged(self, space: Code, read: _Read) -> bool:
        """DISLODGE: another unit moves in, and this one does not move away."""
        if space in self.target and read(_Question("move", space)):
            return False
        return any(read(_Question("move", foe)) for foe in self.entering.get(space, ()))

    def given(self, space: Code, read: _Read) -> bool:
        """SUPPORT: neither attacked by a foreigner with a path from elsewhere than the goal, nor dislodged.

        Under policy 4.A.4 cut, one that comes from the goal cuts if it comes by convoy.
        """
        order = self.orders[space]
        assert isinstance(order, Support)
        aim = order.to.space if order.to else order.other.location.space
        for foe in self.entering.get(space, ()):
            spared = foe == aim and not (self.policy["4.A.4"] == "cut" and foe in self.convoyed)
            if not spared and self.units[foe].power != self.units[space].power and self.path(foe, read):
                return False
        return not self.dislodged(space, read)

    def supports(self, space: Code, read: _Read, without: Power | None = None) -> Fraction:
        """The supports given to the unit of `space`, not counting those of the power `without`."""
        backers = (backer for backer in self.backing.get(space, ()) if self.units[backer].power != without)
        moving = space in self.target
        given = (backer for backer in backers if self.given(backer, read))
        return sum((self.offence(backer) if moving else Fraction(1) for backer in given), Fraction(0))

    def offence(self, space: Code) -> Fraction:
        """Return the strength of the unit of `space` when it moves or supports a move."""
        return self.house.offence.get(self.units[space].power, Fraction(1))

    def opposed(self, space: Code) -> bool:
        """Tell whether the move from `space` is in a head-to-head battle: two moves by land into each other's space."""
        foe = self.target[space]
        return self.target.get(foe) == space and not {space, foe} & self.convoyed

    def attack_strength(self, space: Code, read: _Read) -> Fraction | None:
        """ATTACK STRENGTH: none against an own unit that stays; no help from the power of a unit that stays."""
        if not self.path(space, read):
            return None
        goal = self.target[space]
        unit, foe = self.units[space], self.units.get(goal)
        if foe is None or (not self.opposed(space) and goal in self.target and read(_Question("move", goal))):
            return self.offence(space) + self.supports(space, read)
        if foe.power == unit.power:
            return None
        return self.offence(space) + self.supports(space, read, without=foe.power)

    def hold_strength(self, space: Code, read: _Read) -> Fraction | None:
        """Return the HOLD STRENGTH of a space; None if it is vacant or vacated."""
        if space not in self.units:
            return None
        alone = self.house.standing.get(self.units[space].power, Fraction(1))
        if space in self.target:
            return None if read(_Question("move", space)) else alone
        return alone + self.supports(space, read)

    def prevent_strength(self, space: Code, read: _Read) -> Fraction | None:
        """PREVENT STRENGTH of a move: none without a path, or if it lost a head-to-head battle.

        Under policy 4.A.7 no-effect, none either if a unit from its goal dislodged it, whichever goes by sea.
        """
        if not self.path(space, read) or self._overrun(space, read):
            return None
        return self.offence(space) + self.supports(space, read)

    def _overrun(self, space: Code, read: _Read) -> bool:
        goal = self.target[space]
        if self.target.get(goal) != space:
            return False
        if self.opposed(space):
            return read(_Question("move", goal))
        if self.policy["4.A.7"] == "bounces":
            return False
        # one of the two goes by sea, so both may arrive (DATC 6.G.14 has the army that is dislodged convoyed)
        return read(_Question("move", goal)) and not read(_Question("move", space))

    def move(self, space: Code, read: _Read) -> bool:
        """MOVE: stronger than what stands or comes against it, and than every other move to the same space."""
        attack, goal = self.attack_strength(space, read), self.target[space]
        if attack is None:
            return False
        # the DEFEND STRENGTH of a unit met head to head is its own move's whole strength
        against = 1 + self.supports(goal, read) if self.opposed(space) else self.hold_strength(goal, read)
        rivals = (rival for rival in self.entering[goal] if rival != space)
        if any(attack <= self.offence(foe) + self.supports(foe, read) for foe in self.in_the_strait(space)):
            return False
        against_it = (against, *(self.prevent_strength(rival, read) for rival in rivals))
        return all(attack > strength for strength in against_it if strength is not None)

    def in_the_strait(self, space: Code) -> Iterator[Code]:
        """The units whose moves, like that of `space` not convoyed, go along a way that crosses the one it takes."""
        if space not in self.convoyed:
            for one, other in (pair for strait in self.house.straits for pair in (strait, strait[::-1])):
                if {space, self.target[space]} == one:
                    yield from (
                        foe for foe, goal in self.target.items() if {foe, goal} == other and foe not in self.convoyed
                    )


def solve(
    board: Board,
    units: Iterable[Unit],
    orders: Iterable[MovementOrder],
    rulebook: Rulebook = STANDARD,
    house: House = ORDINARY,
) -> Verdict:
    """Judge a movement phase. The orders must be legal and complete; a unit without one holds.

    Raises `NotImplementedError` if the rulebook has a policy on movement that is not in `KNOWN`.
    """
    rules = _Definitions(board, units, orders, rulebook, house)
    known: _Answers = {}
    broken: set[Code] = set()
    rotated: set[Code] = set()
    open_questions = _settle(rules, known, rules.questions())
    while open_questions:
        for core in _cores(rules, known, open_questions):
            fits = list(_fits(rules, known, core))
            if len(fits) == 1:
                known.update(fits[0])
                continue
            differ = [question for question in core if len({fit[question] for fit in fits}) != 1]
            routes = [question for question in differ if question.kind == "route"]
            if routes:
                known.update(dict.fromkeys(routes, False))
                broken.update(question.space for question in routes)
            else:
                # in a circle, the combination in which most units move is the one in which all do
                known.update(_fullest(fits))
                rotated.update(question.space for question in differ)
        open_questions = _settle(rules, known, open_questions)
    return _verdict(rules, known, frozenset(broken), frozenset(rotated))


def consistent_outcomes(
    board: Board,
    units: Iterable[Unit],
    orders: Iterable[MovementOrder],
    broken: frozenset[Code] = frozenset(),
    rulebook: Rulebook = STANDARD,
) -> list[frozenset[Code]]:
    """Every set of moves that can be said to succeed without contradiction, by the spaces they start in.

    The routes of the armies in `broken` count as broken. All sets of moves are tried: keep the position small.
    """
    rules = _Definitions(board, units, orders, rulebook)
    movers = sorted(rules.target)
    found = []
    for values in product((False, True), repeat=len(movers)):
        moves = dict(zip(movers, values, strict=True))

        def succeeds(question: _Question, moves: dict[Code, bool] = moves) -> bool:
            return moves[question.space]

        routes = {space: space not in broken and rules.route(space, succeeds) for space in rules.convoyed}

        def read(question: _Question, moves: dict[Code, bool] = moves, routes: dict[Code, bool] = routes) -> bool:
            return moves[question.space] if question.kind == "move" else routes[question.space]

        if all(rules.move(space, read) == moves[space] for space in movers):
            found.append(frozenset(space for space in movers if moves[space]))
    return found


# Enumeration


def _reader(*tables: _Answers) -> _Read:
    def read(question: _Question) -> bool:
        for table in tables:
            if question in table:
                return table[question]
        raise _Open(question)

    return read


def _cases(rules: _Definitions, known: _Answers, question: _Question) -> Iterator[tuple[_Answers, bool]]:
    """The answer to `question` in every case; a case is a combination of the open questions it has to ask."""
    cases: list[_Answers] = [{}]
    while cases:
        case = cases.pop()
        try:
            yield case, rules.answer(question, _reader(known, case))
        except _Open as missing:
            cases.append({**case, missing.question: False})
            cases.append({**case, missing.question: True})


def _settle(rules: _Definitions, known: _Answers, questions: list[_Question]) -> list[_Question]:
    """Add to `known` every answer that is the same in all cases, until there is no more; what is left stays open."""
    questions = [question for question in questions if question not in known]
    progress = True
    while progress:
        progress = False
        for question in questions:
            answers: set[bool] = set()
            for _, answer in _cases(rules, known, question):
                answers.add(answer)
                if len(answers) > 1:
                    break
            else:
                known[question] = answers.pop()
                progress = True
        questions = [question for question in questions if question not in known]
    return questions


def _needs(rules: _Definitions, known: _Answers, question: _Question) -> set[_Question]:
    """The open questions on whose answer the answer to `question` can turn while the others stay as they are."""
    cases = list(_cases(rules, known, question))
    needs: set[_Question] = set()
    for first, answer in cases:
        for second, other in cases:
            if answer and not other:
                apart = [asked for asked in first if asked in second and first[asked] != second[asked]]
                if len(apart) == 1:
                    needs.add(apart[0])
    return needs


def _cores(rules: _Definitions, known: _Answers, questions: list[_Question]) -> list[list[_Question]]:
    """The sets of open questions that depend on each other and on nothing else that is open."""
    reach = {question: _needs(rules, known, question) for question in questions}
    grown = True
    while grown:
        grown = False
        for question, found in reach.items():
            wider = found.union(*(reach[other] for other in found))
            if wider != found:
                reach[question] = wider
                grown = True
    cores = {frozenset(found) for found in reach.values() if all(reach[other] == found for other in found)}
    return [[question for question in questions if question in core] for core in cores]


def _fits(rules: _Definitions, known: _Answers, core: list[_Question]) -> Iterator[_Answers]:
    """Every consistent combination of answers in `core`."""
    outside: _Answers = {}
    for values in product((False, True), repeat=len(core)):
        fit = dict(zip(core, values, strict=True))
        if all(_answer(rules, known, fit, outside, question) == fit[question] for question in core):
            yield fit


def _fullest(fits: list[_Answers]) -> _Answers:
    return max(fits, key=lambda fit: sum(fit.values()))


def _answer(rules: _Definitions, known: _Answers, fit: _Answers, outside: _Answers, question: _Question) -> bool:
    while True:
        try:
            return rules.answer(question, _reader(known, fit, outside))
        except _Open as missing:
            # a core depends on no open question outside, so any answer will do
            outside[missing.question] = False


# The verdict


def _verdict(rules: _Definitions, known: _Answers, broken: frozenset[Code], rotated: frozenset[Code]) -> Verdict:
    read = _reader(known)
    moved = {space for space in rules.target if known[_Question("move", space)]}
    by = {rules.target[space]: space for space in moved if rules.dislodged(rules.target[space], read)}
    by = {space: foe for space, foe in by.items() if space in rules.units}
    taken = (set(rules.units) - moved) | {rules.target[space] for space in moved}
    stopped = {
        space for space in rules.target if space not in moved and rules.prevent_strength(space, read) is not None
    }
    contested = frozenset({rules.target[space] for space in stopped} - taken)
    backers = {backer for several in rules.backing.values() for backer in several}
    fates = {}
    for space, unit in rules.units.items():
        foe = by.get(space)
        fates[space] = Fate(
            moved=space in moved,
            dislodged_by=foe,
            given=rules.given(space, read) if space in backers else None,
            retreats=_retreats(rules, unit, foe, taken | contested) if foe is not None else frozenset(),
        )
    return Verdict(fates, contested, broken, rotated)


def _retreats(rules: _Definitions, unit: Unit, foe: Code, closed: set[Code]) -> frozenset[Location]:
    """Return the retreats of a dislodged unit: not to the origin of its attacker, unless convoyed (4.A.5)."""
    by_sea = foe in rules.convoyed and rules.policy["4.A.5"] == "allowed"
    barred = closed if by_sea else closed | {foe}
    return frozenset(to for to in rules.board.steps(unit.kind, unit.location) if to.space not in barred)
