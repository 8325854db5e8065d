"""The movement phase: the adjudication of moves, supports and convoys.

The method is decision by partial information. Every open question (does this move succeed, is this support given, is
this convoy route open) begins undecided. The strengths of the rules (DATC 3.0, chapter 5.B) are computed as a minimum
and a maximum over all open questions, and each question is decided as soon as both ends agree. This only ever
narrows, so it ends, and the order in which units or powers are processed cannot matter.

Questions that then stay open depend on themselves. Those that depend on no open question outside their own circle are
decided by the rulebook: a circle with convoy routes is a paradox, and these convoys are not carried out (Szykman);
a circle without is a circular movement, and its moves succeed. Then narrowing continues. Each round decides something.

`plenipo.engine.phases.explain` turns the solved state into outcomes and sentences.
"""

from collections.abc import Collection, Iterator, Sequence

from plenipo.engine.board import Board, Code
from plenipo.engine.facts import MovementFacts
from plenipo.engine.orders import Convert, Convoy, Move, MovementOrder, Support
from plenipo.engine.phases import combining
from plenipo.engine.phases.convoys import chain_exists, landings
from plenipo.engine.position import Unit
from plenipo.engine.rulebook import Rulebook
from plenipo.engine.strengths import Use

__all__ = [
    "ATTACK",
    "DEFEND",
    "HOLD",
    "LAND",
    "NO",
    "NOTHING",
    "OPEN",
    "PREVENT",
    "SEA",
    "SEA_OR_LAND",
    "YES",
    "GraphQuestion",
    "MovementSolver",
    "resolve",
]


LAND, SEA, SEA_OR_LAND = 0, 1, 2
"""The ways in which a move travels: directly (fleets too).

By convoy, and if that fails the unit stays without any effect;
or by convoy, and if that fails directly (policy 4.A.3, `1971` and `intent-or-land`). Plain numbers, because they are
compared some thousand times a phase.
"""

OPEN, YES, NO = 0, 1, 2
"""The state of a question. Of a move: succeeds; of a support: is given; of a route: is unbroken."""

ATTACK, PREVENT, DEFEND, HOLD = map(int, Use)
"""The uses of strength as plain numbers."""

NOTHING = -1
"""The strength of an absent unit or one without effect: less than that of a unit that counts 0."""

GraphQuestion = tuple[str, int]
"""A question in the dependency graph: `move`, `support` or `route`, and the index of the unit."""


class MovementSolver:
    """All units and their matched orders, and the state of every question.

    Units are numbered as given; -1 stands for no unit. `dest` is the space a unit moves to, or None; `holder` is the
    unit that stood there, `opponent` that unit if it is ordered the opposite way, `rivals` the others ordered there.
    `own` and `helping` are the weights of each unit, by the use of strength, for itself and as a supporter.
    `helps[j]` is the unit that j supports (or -1) and `aim[j]` the space that support is directed at.
    `carriers[i]` maps the seas of the fleets ordered to convoy i, as far as they are on a minimal chain of such fleets,
    to those fleets. `unopposed` are the moves that go alone and without convoy into an empty space, and so succeed
    in any case. After `settle` no question is open; `paradox` holds the armies whose route a paradox broke,
    `circle` the units that moved in a circular movement.
    """

    def __init__(
        self,
        board: Board,
        rulebook: Rulebook,
        units: Sequence[Unit],
        orders: Sequence[MovementOrder | None],
        facts: MovementFacts,
    ) -> None:
        self.board = board
        self.rulebook = rulebook
        self.apart = (
            combining.taken_apart(board, units, orders)
            if board.wholes
            else combining.Apart(tuple(units), tuple(orders), {})
        )
        self.units, self.orders, self.parts = self.apart
        count = len(self.units)
        self.space = [unit.location.space for unit in self.units]
        self.power = [unit.power for unit in self.units]
        # a part that leaves comes after the rest, which holds the space
        self.at: dict[Code, int] = {space: i for i, space in enumerate(self.space[: len(units)])}
        self.joins = combining.joiners(board, self.apart, self.at) if board.wholes else {}
        self.astray: set[int] = set()
        self.dest: list[Code | None] = [None] * count
        self.holder = [-1] * count
        self.opponent = [-1] * count
        self.helps = [-1] * count
        self.aim: list[Code | None] = [None] * count
        self.mode = [LAND] * count
        self.carriers: list[dict[Code, int]] = [{} for _ in range(count)]
        self.rivals: list[Sequence[int]] = [()] * count
        self.attackers: dict[Code, list[int]] = {}
        self.supporters: list[list[int]] = [[] for _ in range(count)]
        self.move = [NO] * count
        self.support = [NO] * count
        self.route = [NO] * count
        self.paradox: set[int] = set()
        self.circle: set[int] = set()
        self._passed_is_out = rulebook["4.A.7"] == "no-effect"
        self._convoy_rule = rulebook["4.A.2"]
        self.adjacent_rule = rulebook["4.A.3"]
        self._any_breaks = rulebook["4.A.1"] == "any"
        self._origin_cuts = rulebook["4.A.4"] == "cut"
        self.scale, self.own, self.helping = facts.weights.strengths(self.units)
        self.facts = facts
        self.crossers: dict[int, list[int]] = {}
        self._read_moves()
        self._match_supports()
        self._match_convoys()
        self._match_crossings()
        if facts.ways:
            self._weigh_ways()
        self.unopposed = set(self._find_unopposed())
        for i in self.unopposed:
            self.move[i] = YES

    # Matching orders with each other

    def _find_unopposed(self) -> Iterator[int]:
        for movers in self.attackers.values():
            first = movers[0]
            alone = len(movers) == 1 and first not in self.crossers
            if alone and self.holder[first] < 0 and self.mode[first] == LAND:
                yield first

    def _read_moves(self) -> None:
        for i, order in enumerate(self.orders):
            if isinstance(order, Move):
                self.dest[i] = order.to.space
                self.move[i] = OPEN
                self.holder[i] = self.at.get(order.to.space, -1)
                if i in self.joins:
                    continue  # which is no attack
                if self.joins_or_nothing(i, order):
                    self.astray.add(i)
                    self.move[i] = NO
                    continue
                self.attackers.setdefault(order.to.space, []).append(i)
        for i, j in enumerate(self.holder):
            if j >= 0 and self.dest[j] == self.space[i]:
                self.opponent[i] = j
        for movers in self.attackers.values():
            if len(movers) > 1:
                for i in movers:
                    self.rivals[i] = [k for k in movers if k != i]

    def joins_or_nothing(self, i: int, order: Move) -> bool:
        """Return whether a move leads to a space in which such a unit could be only as a part of another."""
        return bool(self.board.wholes) and not self.board.can_stand(self.units[i].kind, order.to)

    def _match_supports(self) -> None:
        for j, order in enumerate(self.orders):
            if not isinstance(order, Support):
                continue
            i = self.at.get(order.other.location.space, -1)
            if i < 0:
                continue
            if order.to is not None:
                i = self.parts.get(i, i)
            if order.to is None:
                if self.dest[i] is None:
                    self._add_support(j, i, self.space[i])
            elif self.dest[i] == order.to.space:
                move = self.orders[i]
                # a coast that is named must be the coast of the move (4.B.4)
                if not order.to.coast or (isinstance(move, Move) and move.to.coast == order.to.coast):
                    self._add_support(j, i, order.to.space)

    def _add_support(self, j: int, i: int, aim: Code) -> None:
        self.helps[j], self.aim[j], self.support[j] = i, aim, OPEN
        self.supporters[i].append(j)

    def _match_convoys(self) -> None:
        fleets: dict[int, dict[Code, int]] = {}
        for k, order in enumerate(self.orders):
            if isinstance(order, Convoy):
                i = self.at.get(order.other.location.space, -1)
                if i >= 0 and self.dest[i] == order.to.space:
                    fleets.setdefault(i, {})[self.space[k]] = k
        for i, order in enumerate(self.orders):
            if isinstance(order, Move) and self.units[i].kind in self.board.carriers and self._walks_or_sails(i):
                at = (self.units[i].kind, self.units[i].location)
                adjacent = order.to.space in self.board.reachable.get(at, ())
                if order.via or i in fleets or not adjacent:
                    self._choose_mode(i, order, fleets.get(i, {}), adjacent=adjacent)

    def _walks_or_sails(self, i: int) -> bool:
        """Return whether move i is neither to join another unit nor to leave one."""
        return i not in self.joins and i not in self.astray and i < len(self.at)

    def _match_crossings(self) -> None:
        """Find the moves along the other of two contacts that cross."""
        for crossing in self.facts.crossings:
            along = [
                [i for i, dest in enumerate(self.dest) if dest is not None and {self.space[i], dest} == way]
                for way in (crossing.one, crossing.other)
            ]
            for mine, theirs in (along, along[::-1]):
                for i in mine:
                    self.crossers.setdefault(i, []).extend(theirs)

    def _weigh_ways(self) -> None:
        """Set the weights of moves by land and supports along contacts with weights of their own."""
        own, helping = [list(row) for row in self.own], [list(row) for row in self.helping]
        for i, dest in enumerate(self.dest):
            along = self.facts.ways.get(frozenset((self.space[i], dest))) if dest and self.mode[i] == LAND else None
            if along and along.move is not None:
                for use in (ATTACK, PREVENT, DEFEND):
                    own[use][i] = along.move
        for j, aim in enumerate(self.aim):
            along = self.facts.ways.get(frozenset((self.space[j], aim))) if aim else None
            if along and along.support is not None:
                for row in helping:
                    row[j] = along.support
        self.own, self.helping = tuple(own), tuple(helping)

    def _choose_mode(self, i: int, order: Move, fleets: dict[Code, int], *, adjacent: bool) -> None:
        """Decide by land or by sea (policy 4.A.3) where a convoy is asked for or `fleets` were ordered to convoy."""
        if fleets:
            chain = landings(self.board, frozenset(fleets), self.space[i]).get(order.to.space, frozenset())
            self.carriers[i] = {sea: k for sea, k in fleets.items() if sea in chain}
        policy = self.adjacent_rule
        if not adjacent or (self.carriers[i] and {self.space[i], order.to.space} in self.facts.convoy_ways):
            self.mode[i] = SEA
        elif policy == "1971":
            if self.carriers[i] and self.opponent[i] >= 0:
                self.mode[i] = SEA_OR_LAND
        else:
            own = any(self.power[k] == self.power[i] for k in fleets.values())
            if order.via or (own and policy != "explicit"):
                self.mode[i] = SEA
                if policy == "intent-or-land":
                    self.mode[i] = SEA_OR_LAND if self.carriers[i] else LAND
        if self.mode[i] != LAND and self.carriers[i]:
            self.route[i] = OPEN

    # Known single facts; each is OPEN while it depends on an open question

    def path(self, i: int) -> int:
        """Return whether move i reaches its destination at all."""
        if i in self.astray:
            return NO
        return self.route[i] if self.mode[i] == SEA else YES

    def by_sea(self, i: int) -> int:
        """Return whether move i travels by convoy.

        A broken convoy without a land route counts as by sea: it has no effect.
        """
        mode = self.mode[i]
        if mode == LAND:
            return NO
        return YES if mode == SEA else self.route[i]

    def head_to_head(self, i: int) -> int:
        """Return whether i and its opponent meet: only if neither is convoyed."""
        j = self.opponent[i]
        if j < 0:
            return NO
        a, b = self.by_sea(i), self.by_sea(j)
        if YES in (a, b):
            return NO
        return YES if a == NO and b == NO else OPEN

    def dislodgement(self, k: int, ignoring: Collection[int] = ()) -> int:
        """Return whether unit k, which is not ordered to move, is dislodged by a move that is not in `ignoring`."""
        state = NO
        for a in self.attackers.get(self.space[k], ()):
            if a not in ignoring and self.move[a] != NO:
                if self.move[a] == YES:
                    return YES
                state = OPEN
        return state

    # Once everything is settled

    def disturbing(self, k: int) -> list[int]:
        """Return the moves of other powers into the space of unit k that reached it."""
        return [
            a for a in self.attackers.get(self.space[k], ()) if self.power[a] != self.power[k] and self.path(a) == YES
        ]

    def cuts(self, a: int, j: int) -> bool:
        """Return whether move a is among those that cut the support of unit j."""
        if self.mode[a] != LAND and self.carriers[a] and self.by_sea(a) == YES and self.is_spared(j, a):
            return False
        if self.power[a] == self.power[j] or self.path(a) != YES:
            return False
        if self.space[a] != self.aim[j] or self.move[a] == YES:
            return True
        return self._origin_cuts and self.by_sea(a) == YES

    def converts(self, k: int) -> bool:
        """Return whether unit k, which is ordered to convert, does so."""
        order = self.orders[k]
        if not isinstance(order, Convert) or self.dislodgement(k) == YES:
            return False
        kinds = self.units[k].kind, order.into.kind
        return kinds not in self.facts.undisturbed or not self.disturbing(k)

    # Strengths, as (minimum, maximum)

    def strength(self, i: int, use: int, *, without: str | None = None) -> tuple[int, int]:
        """Return the strength of unit i with the supports of its order, less those of the power `without`.

        See DATC 5.B.10: defend strength.
        """
        low = high = self.own[use][i]
        helping = self.helping[use]
        for j in self.supporters[i]:
            state = self.support[j]
            if state != NO and self.power[j] != without:
                high += helping[j]
                if state == YES:
                    low += helping[j]
        return low, high

    def attack(self, i: int) -> tuple[int, int]:
        """Return the attack strength (DATC 5.B.8).

        It is nothing against an own unit that stays, and supports of the holder's power do not count against it.
        """
        path = self.path(i)
        if path == NO:
            return NOTHING, NOTHING
        j = self.holder[i]
        if j < 0:
            low, high = self.strength(i, ATTACK)
        else:
            meets = self.head_to_head(i)
            leaves = NO if meets == YES else self.move[j]
            if leaves == YES and meets == OPEN:
                leaves = OPEN
            if self.power[j] == self.power[i]:
                stays_low = stays_high = NOTHING
            else:
                stays_low, stays_high = self.strength(i, ATTACK, without=self.power[j])
            if leaves == NO:
                low, high = stays_low, stays_high
            else:
                leaves_low, leaves_high = self.strength(i, ATTACK)
                low = leaves_low if leaves == YES else stays_low
                high = leaves_high
        return (low if path == YES else NOTHING), high

    def hold(self, j: int) -> tuple[int, int]:
        """Return the hold strength (DATC 5.B.9).

        It is nothing where unit j leaves or there is none, one where its move fails, else that of the unit and its
        supports.
        """
        if j < 0:
            return NOTHING, NOTHING
        if self.dest[j] is None:
            return self.strength(j, HOLD)
        state = self.move[j]
        alone = self.own[HOLD][j]
        return (NOTHING if state != NO else alone), (NOTHING if state == YES else alone)

    def prevent(self, k: int) -> tuple[int, int]:
        """Return the prevent strength (DATC 5.B.11).

        It is nothing if the path fails or the head-to-head battle is lost (4.A.7: or a convoyed unit passes).
        """
        path = self.path(k)
        if path == NO:
            return NOTHING, NOTHING
        low, high = self.strength(k, PREVENT)
        j = self.opponent[k]
        if j >= 0 and self.move[j] != NO:
            meets = self.head_to_head(k)
            if self._passed_is_out and meets != YES and self.move[k] != YES:
                # passed by convoy and so dislodged: counts for nothing, but only if its own move fails (4.A.7)
                low = NOTHING
                if self.move[j] == YES and self.move[k] == NO:
                    high = NOTHING
            elif meets != NO:
                low = NOTHING
                if meets == YES and self.move[j] == YES:
                    high = NOTHING
        return (low if path == YES else NOTHING), high

    def passage(self, i: int, x: int) -> tuple[int, int]:
        """Return the strength that move x opposes to move i where their contacts cross.

        It is nothing if either is convoyed, else that of a rival. It counts whether or not x succeeds, as a bounced
        move still prevents others.
        """
        mine, theirs = self.by_sea(i), self.by_sea(x)
        if YES in (mine, theirs):
            return NOTHING, NOTHING
        low, high = self.strength(x, PREVENT)
        return (low if mine == theirs == NO else NOTHING), high

    # Deciding single questions

    def _decide_route(self, i: int) -> int:
        """Decide a convoy route (policy 4.A.1): broken if no chain is left, or if one of its fleets is dislodged."""
        safe, standing = [], []
        for sea, k in self.carriers[i].items():
            state = self.dislodgement(k)
            if state == NO:
                safe.append(sea)
            if state != YES:
                standing.append(sea)
        dest = self.dest[i]
        assert dest is not None  # noqa: S101  # only moves have routes
        if self._any_breaks:
            everyone = len(self.carriers[i])
            return YES if len(safe) == everyone else NO if len(standing) < everyone else OPEN
        if chain_exists(self.board, frozenset(safe), self.space[i], dest):
            return YES
        return OPEN if chain_exists(self.board, frozenset(standing), self.space[i], dest) else NO

    def is_spared(self, j: int, a: int) -> bool:
        """Return whether the attack of a, while it is convoyed, can never cut the support of j (policy 4.A.2)."""
        rule = self._convoy_rule
        aim = self.aim[j]
        if rule == "szykman" or aim is None:
            return False
        if rule == "1982":
            return any(aim in carriers for carriers in self.carriers)
        if aim not in self.carriers[a]:
            return False
        attack_on_carrier = self.space[self.helps[j]] != aim
        if not attack_on_carrier or self.units[j].kind not in self.board.convoying:
            return False
        if rule == "1971":
            return True
        rest = frozenset(self.carriers[a]) - {aim}
        dest = self.dest[a]
        return dest is not None and not chain_exists(self.board, rest, self.space[a], dest)

    def _decide_support(self, j: int) -> int:
        here = self.space[j]
        state = YES
        spared: list[int] = []
        for a in self.attackers.get(here, ()):
            if self.mode[a] != LAND and self.carriers[a] and self.is_spared(j, a):
                sea = self.by_sea(a)
                if sea != NO:
                    spared.append(a)
                    state = state if sea == YES else OPEN
                    continue
            if self.power[a] == self.power[j]:
                continue
            cuts = self.path(a)
            if self.space[a] == self.aim[j]:
                # only by dislodging, seen below; unless convoyed attackers are exempt (4.A.4)
                cuts = _both(cuts, self.by_sea(a)) if self._origin_cuts else NO
            if cuts == YES:
                return NO
            if cuts == OPEN:
                state = OPEN
        lost = self.dislodgement(j, spared)
        if lost == YES:
            return NO
        return OPEN if lost == OPEN else state

    def _decide_move(self, i: int) -> int:
        if i in self.joins:
            lost = self.dislodgement(self.joins[i])
            return OPEN if lost == OPEN else NO if lost == YES else YES
        low, high = self.attack(i)
        if high == NOTHING:
            return NO
        against_low, against_high = self.hold(self.holder[i])
        meets = self.head_to_head(i)
        if meets != NO:
            defend_low, defend_high = self.strength(self.opponent[i], DEFEND)
            if meets == YES:
                against_low, against_high = defend_low, defend_high
            else:
                against_low, against_high = min(against_low, defend_low), max(against_high, defend_high)
        for k in self.rivals[i]:
            rival_low, rival_high = self.prevent(k)
            against_low, against_high = max(against_low, rival_low), max(against_high, rival_high)
        for x in self.crossers.get(i, ()):
            low_x, high_x = self.passage(i, x)
            against_low, against_high = max(against_low, low_x), max(against_high, high_x)
        if low > against_high:
            return YES
        return NO if high <= against_low else OPEN

    # Solving

    def settle(self) -> None:
        """Answer every question."""
        self._narrow()
        while circles := self._closed_circles():
            for circle in circles:
                self._break(circle)
            self._narrow()

    def _narrow(self) -> None:
        tables = (
            (self.route, self._decide_route),
            (self.support, self._decide_support),
            (self.move, self._decide_move),
        )
        waiting = [(table, decide, [i for i, state in enumerate(table) if state == OPEN]) for table, decide in tables]
        changed = True
        while changed:
            changed = False
            for table, decide, still in waiting:
                for i in still[:]:
                    if (answer := decide(i)) != OPEN:
                        table[i] = answer
                        still.remove(i)
                        changed = True

    @property
    def _tables(self) -> dict[str, list[int]]:
        return {"route": self.route, "support": self.support, "move": self.move}

    def _open(self) -> list[GraphQuestion]:
        return [(name, i) for name, table in self._tables.items() for i, state in enumerate(table) if state == OPEN]

    def _break(self, circle: list[GraphQuestion]) -> None:
        """Decide a circle that depends on nothing but itself."""
        routes = [i for name, i in circle if name == "route"]
        if routes:
            for i in routes:
                self.route[i] = NO
            self.paradox.update(routes)
            return
        moves = {i for name, i in circle if name == "move"}
        turning = {i for i in moves if self._returns(i, moves)}
        for i in turning:
            self.move[i] = YES
        self.circle.update(turning)
        if not turning:
            # no known rule leads here; failing is then the answer that changes nothing on the board
            for i in moves:
                self.move[i] = NO

    def _returns(self, i: int, moves: set[int]) -> bool:
        """Return whether following the units from destination to destination, within `moves`, leads back to i."""
        k = i
        for _ in moves:
            k = self.holder[k]
            if k == i:
                return True
            if k not in moves:
                return False
        return False

    def reads(self, question: GraphQuestion) -> set[GraphQuestion]:
        """Return the questions that the answer to `question` may depend on, open or not."""
        name, i = question
        questions: set[GraphQuestion] = set()

        def moves_to(space: Code, *, supports: bool = False) -> None:
            for a in self.attackers.get(space, ()):
                questions.update((("move", a), ("route", a)))
                if supports:
                    questions.update(("support", j) for j in self.supporters[a])
                    if (b := self.opponent[a]) >= 0:
                        questions.update((("move", b), ("route", b)))

        if name == "route":
            for k in self.carriers[i].values():
                moves_to(self.space[k])
        elif name == "support" or (dest := self.dest[i]) is None:
            moves_to(self.space[i])
        else:
            moves_to(dest, supports=True)
            for x in self.crossers.get(i, ()):
                questions.update((("route", i), ("route", x)))
                questions.update(("support", k) for k in self.supporters[x])
            if (j := self.holder[i]) >= 0:
                questions.update((("move", j), ("route", j)))
                questions.update(("support", k) for k in self.supporters[j])
        questions.discard(question)
        return questions

    def _closed_circles(self) -> list[list[GraphQuestion]]:
        """Return the strongly connected components of the open questions that depend on no other open question."""
        still_open = set(self._open())
        graph = {question: self.reads(question) & still_open for question in still_open}
        parts = _strong_parts(graph)
        home = {question: n for n, part in enumerate(parts) for question in part}
        return [part for n, part in enumerate(parts) if all(home[r] == n for q in part for r in graph[q])]


def _both(a: int, b: int) -> int:
    """Return NO if either is NO, YES if both are YES, else OPEN."""
    if NO in (a, b):
        return NO
    return YES if a == b == YES else OPEN


def _strong_parts(graph: dict[GraphQuestion, set[GraphQuestion]]) -> list[list[GraphQuestion]]:
    """Return the strongly connected components (Tarjan), each sorted."""
    order: dict[GraphQuestion, int] = {}
    low: dict[GraphQuestion, int] = {}
    stack: list[GraphQuestion] = []
    parts: list[list[GraphQuestion]] = []

    def visit(node: GraphQuestion) -> None:
        order[node] = low[node] = len(order)
        stack.append(node)
        for to in sorted(graph[node]):
            if to not in order:
                visit(to)
                low[node] = min(low[node], low[to])
            elif to in stack:
                low[node] = min(low[node], order[to])
        if low[node] == order[node]:
            part: list[GraphQuestion] = []
            while not part or part[-1] != node:
                part.append(stack.pop())
            parts.append(sorted(part))

    for node in sorted(graph):
        if node not in order:
            visit(node)
    return parts


def resolve(
    board: Board,
    rulebook: Rulebook,
    units: Sequence[Unit],
    orders: Sequence[MovementOrder | None],
    facts: MovementFacts,
) -> MovementSolver:
    """Solve a movement phase: `orders[i]` is the completed legal order of `units[i]`, or None for none (it holds)."""
    solver = MovementSolver(board, rulebook, units, orders, facts)
    solver.settle()
    return solver
