"""The referee: plays one game between players, phase by phase, by the engine.

A player without usable orders is reported, the substitute orders for it in that phase, and the game goes on.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from plenipo.bots import votes
from plenipo.bots.deals.agreements import Agreement
from plenipo.bots.deals.clauses import ShowOrdersClause
from plenipo.bots.deals.negotiation import Ledger, hold_talks
from plenipo.bots.deals.talks import Reply, Talks
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game, Turn
from plenipo.engine.history.view import view
from plenipo.engine.orders import Convoy, Move, Order, Support
from plenipo.engine.outcome import Resolution, Result, Waiting
from plenipo.engine.phases import victory
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.errors import PhaseNotOver, PlenipoError
from plenipo.matches.lineup import chance_of
from plenipo.matches.players import Misplayed, Negotiator, OrderRequest, Player

__all__ = ["DealPlayed", "Played", "PlayerFault", "Spent", "TurnPlayed", "play", "shares"]


@dataclass(frozen=True)
class PlayerFault:
    """Unusable orders: the phase, the power, the player, and its fault, as a sentence."""

    phase: str
    power: str
    player: str
    sentence: str


@dataclass(frozen=True)
class TurnPlayed:
    """A phase: the orders of each power as texts, and the centres that changed hands, with their new owners."""

    phase: str
    orders: Mapping[str, tuple[str, ...]]
    owners: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class DealPlayed:
    """A deal: the phase in which it was made, its partners, and its clauses in words, each with its judgement.

    That is kept, broken, void, or empty where the game ended before.
    """

    phase: str
    proposer: str
    partner: str
    clauses: tuple[tuple[str, str, str], ...]
    """The power that promised, what, and what became of it."""


@dataclass(frozen=True)
class Played:
    """A finished game: its seats, its result, and all orders.

    `seed` is that of its dice, in hexadecimal. `winners` are empty if the game was cut off, and several if it was
    shared. `scores` are what the variant counts for victory, `shares` each power's part of the squares of the scores,
    or of a victory. `alive` are the powers with a unit or a centre at the end. `tally` counts movement orders: `moves`,
    `failed` moves, `supports`, those of them for units of `others`, and `convoyed` armies that arrived.
    """

    game: int
    seats: Mapping[str, str]
    seed: str
    phase: str
    years: int
    winners: tuple[str, ...]
    scores: Mapping[str, int]
    shares: Mapping[str, float]
    alive: tuple[str, ...]
    tally: Mapping[str, int]
    faults: tuple[PlayerFault, ...]
    turns: tuple[TurnPlayed, ...]
    asked: Mapping[str, int] = field(default_factory=dict)
    """The number of requests for orders by player: one for each of its seats and each phase."""
    deals: tuple[DealPlayed, ...] = ()
    remarks: tuple[PlayerFault, ...] = ()
    """Sentences about what was not understood, void or too much in negotiations."""

    @property
    def without_turns(self) -> "Played":
        """The game without its orders, which are most of the data."""
        return replace(self, turns=())

    def to_json(self) -> dict[str, Any]:
        """Return the game as JSON, for `of_json`."""
        return asdict(self)

    @classmethod
    def of_json(cls, content: Mapping[str, Any]) -> "Played":
        """Return the game that `to_json` wrote; raise `KeyError` or `TypeError` for anything else."""
        lists = {key: tuple(content[key]) for key in ("winners", "alive")}
        faults = tuple(PlayerFault(**fault) for fault in content["faults"])
        turns = tuple(
            TurnPlayed(
                turn["phase"], {power: tuple(order_set) for power, order_set in turn["orders"].items()}, turn["owners"]
            )
            for turn in content["turns"]
        )
        remarks = tuple(PlayerFault(**remark) for remark in content.get("remarks", ()))
        deals = tuple(
            DealPlayed(**{**deal, "clauses": tuple(tuple(clause) for clause in deal["clauses"])})
            for deal in content.get("deals", ())
        )
        whole = {"faults": faults, "turns": turns, "remarks": remarks, "deals": deals}
        return cls(**{**content, **lists, **whole})


@dataclass
class Spent:
    """The thinking time of a player in its movement phases: the number of phases, seconds in all, and the longest."""

    phases: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def add(self, seconds: float) -> None:
        """Count a phase."""
        self.phases += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)

    def join(self, other: "Spent") -> None:
        """Add the phases of another player."""
        self.phases += other.phases
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)


def play(
    rules: Rules,
    seats: Mapping[Power, Player],
    substitute: Player,
    *,
    number: int = 0,
    seed: bytes,
    years: int,
    spent: Mapping[str, Spent] | None = None,
    voters: Collection[Power] = (),
) -> Played:
    """Play a game for so many years, or until it is won; add the time of each player to `spent`, by its name.

    At the end of each year `voters` vote as computers do on the usual draws; the other remaining powers agree to none.
    Raise `CannotPlay` if a player refuses the variant in the first phase.
    """
    table = _Table(rules, seats, substitute, number, seed, spent or {})
    game = Game.new(rules, Dice(seed))
    turns: list[TurnPlayed] = []
    tally = dict.fromkeys(("moves", "failed", "supports", "others", "convoyed"), 0)
    first = rules.calendar.first.year
    while not game.over and game.position.phase.year < first + years:
        phase = str(game.position.phase)
        order_sets, resolution = table.phase(game)
        texts = {power: tuple(str(order) for order in order_set) for power, order_set in order_sets.items()}
        game = replace(game, turns=game.turns.with_turn(Turn(texts, resolution)))
        turns.append(TurnPlayed(phase, dict(texts.items()), _find_changed_owners(resolution)))
        _count(tally, resolution)
        if voters and not game.over and game.position.phase.year > resolution.before.phase.year:
            game = _vote_on_draws(game, voters)
    position = game.position
    return Played(
        number,
        {str(power): player.name for power, player in seats.items()},
        seed.hex(),
        str(position.phase),
        position.phase.year - first,
        tuple(position.winners),
        {str(power): number for power, number in victory.score(rules, position).counts.items()},
        shares(rules, position),
        tuple(power for power in rules.names if position.units_of(power) or position.centres_of(power)),
        tally,
        tuple(table.faults),
        tuple(turns),
        table.asked,
        tuple(_describe_deal(one) for one in table.ledger.agreements),
        tuple(table.remarks),
    )


def _describe_deal(agreement: Agreement) -> DealPlayed:
    clauses = tuple(
        (str(clause.power), str(clause.as_sentence()), str(agreement.verdict_of(clause) or ""))
        for clause in agreement.deal.clauses
    )
    return DealPlayed(str(agreement.phase), str(agreement.deal.proposer), str(agreement.deal.partner), clauses)


def _vote_on_draws(game: Game, voters: Collection[Power]) -> Game:
    """Return the game, ended if all remaining powers agree on one of the usual draws."""
    seen = view(game, None, {})
    for shared in votes.usual(seen):
        if all(power in voters and votes.agrees(seen, power, shared) for power in game.survivors):
            return game.draw(shared)
    return game


def shares(rules: Rules, position: Position) -> dict[str, float]:
    """Return each power's part of the game: of the victory if it is won, else of the squares of the scores."""
    if position.winners:
        return {power: (power in position.winners) / len(position.winners) for power in rules.names}
    counts = victory.score(rules, position).counts
    squares = {power: float(counts.get(power, 0)) ** 2 for power in rules.names}
    total = sum(squares.values())
    return {power: square / total if total else 1 / len(squares) for power, square in squares.items()}


class _Table:
    """The players of one game, asked phase by phase."""

    def __init__(
        self,
        rules: Rules,
        seats: Mapping[Power, Player],
        substitute: Player,
        number: int,
        seed: bytes,
        spent: Mapping[str, Spent],
    ) -> None:
        self.rules, self.seats, self.substitute = rules, seats, substitute
        self.number, self.seed, self.spent = number, seed, spent
        self.faults: list[PlayerFault] = []
        self.remarks: list[PlayerFault] = []
        self.ledger = Ledger()
        self.mute: set[Power] = set()
        self.shown: dict[Power, Sequence[Order]] = {}
        self.asked = {player.name: 0 for player in seats.values()}

    def phase(self, game: Game) -> tuple[dict[Power, Sequence[Order | str]], Resolution]:
        """Return the orders of the open phase, and its resolution."""
        legality = Legality(self.rules, game.position)
        order_sets: dict[Power, Sequence[Order | str]] = {}
        replaced: set[Power] = set()
        may_order = view(game, None, {}).may_order
        moving = game.position.phase.kind is PhaseKind.MOVEMENT
        self.shown = {}
        showing = self._negotiate(game, legality, may_order) if moving else ()
        # those that show their orders give them first, and do not see those of others
        for power in sorted(may_order, key=lambda power: power not in showing):
            asked = self._make_request(game, legality, power)
            try:
                order_sets[power] = self._time_orders(power, asked)
            except Misplayed as fault:
                order_sets[power] = self._substitute_orders(asked, fault.args[0])
                replaced.add(power)
            if power in showing:
                self.shown[power] = _read_orders(self.rules, game.position, order_sets[power])
        while True:
            came = game.adjudicate(order_sets)
            wrong = {refusal.power: str(refusal) for refusal in came.refusals if refusal.power not in replaced}
            if isinstance(came, Waiting):
                wrong |= {
                    power: came.sentence for power in came.powers if power in order_sets and power not in replaced
                }
            # a refusal that names no power is not held against any player
            blamed = [(power, why) for power, why in wrong.items() if power is not None and power in order_sets]
            if not blamed:
                break
            for power, why in blamed:
                asked = self._make_request(game, legality, power)
                order_sets[power] = self._substitute_orders(
                    asked, f"'{self.seats[power].name}' ordered what is not allowed: {why}"
                )
                replaced.add(power)
        if isinstance(came, Waiting):
            raise PhaseNotOver(came.sentence, came.powers)
        if moving:
            self.ledger = self.ledger.judge(self.rules, came, self.shown)
        return order_sets, came

    def _negotiate(self, game: Game, legality: Legality, powers: Sequence[Power]) -> tuple[Power, ...]:
        """Hold the talks of a movement; return the powers that are to show their orders."""
        dealers = [power for power in powers if isinstance(self.seats[power], Negotiator) and power not in self.mute]
        if len(dealers) < 2:
            return ()
        phase = str(game.position.phase)

        def ask(power: Power, talks: Talks) -> Reply:
            player = self.seats[power]
            if power in self.mute or not isinstance(player, Negotiator):
                return Reply()
            began = player.clock()
            try:
                reply, unclear = player.negotiate(self._make_request(game, legality, power), talks)
            except Misplayed as fault:
                # a player that does not answer once is not waited for again
                self.mute.add(power)
                reply, unclear = Reply(), (str(fault.args[0]),)
            if player.name in self.spent:
                self.spent[player.name].seconds += player.clock() - began
            self.remarks += [PlayerFault(phase, power, player.name, sentence) for sentence in unclear]
            return reply

        self.ledger, remarks = hold_talks(self.rules, game.position, self.ledger, dealers, ask)
        self.remarks += [
            PlayerFault(phase, remark.power, self.seats[remark.power].name, remark.sentence) for remark in remarks
        ]
        return tuple(power for power in self.ledger.list_showing() if power in powers)

    def _make_request(self, game: Game, legality: Legality, power: Power) -> OrderRequest:
        chance = chance_of(self.seed, str(game.position.phase), power)
        talks = None
        if isinstance(self.seats[power], Negotiator):
            talks = self.ledger.talks_of(power)
            partners = {one.deal.other(power) for one in talks.agreements if _shows(one)}
            shown = {partner: orders for partner, orders in self.shown.items() if partner in partners}
            talks = talks._replace(shown={} if power in self.shown else shown)
        return OrderRequest(view(game, power, {}), legality.orders_of(power), self.number, chance, talks)

    def _time_orders(self, power: Power, asked: OrderRequest) -> Sequence[Order | str]:
        player = self.seats[power]
        self.asked[player.name] += 1
        began = player.clock()
        try:
            return player.orders(asked)
        finally:
            if asked.view.position.phase.kind is PhaseKind.MOVEMENT and player.name in self.spent:
                self.spent[player.name].add(player.clock() - began)

    def _substitute_orders(self, asked: OrderRequest, sentence: str) -> Sequence[Order | str]:
        power, phase = asked.legal.power, str(asked.view.position.phase)
        self.faults.append(PlayerFault(phase, power, self.seats[power].name, sentence))
        return self.substitute.orders(asked)


def _shows(agreement: Agreement) -> bool:
    return any(isinstance(clause, ShowOrdersClause) for clause in agreement.open_clauses)


def _read_orders(rules: Rules, position: Position, orders: Sequence[Order | str]) -> tuple[Order, ...]:
    """Return the orders that are shown, but for texts that are none."""
    found = []
    for order in orders:
        with suppress(PlenipoError):
            notation = notation_of(rules, position)
            found.append(notation.read(order, position.phase.kind) if isinstance(order, str) else order)
    return tuple(found)


def _find_changed_owners(resolution: Resolution) -> dict[str, str]:
    before, after = resolution.before.owners, resolution.after.owners
    codes = sorted({*before, *after})
    return {str(code): after.get(code, "") for code in codes if before.get(code) != after.get(code)}


def _count(tally: dict[str, int], resolution: Resolution) -> None:
    """Count the orders of a movement and their results."""
    if resolution.before.phase.kind is not PhaseKind.MOVEMENT:
        return
    carried = set()
    for outcome in resolution.outcomes:
        if isinstance(outcome.order, Convoy) and outcome.result is Result.CONVOYS:
            carried.add((outcome.order.other.location.space, outcome.order.to.space))
    for outcome in resolution.outcomes:
        order = outcome.order
        if isinstance(order, Move):
            tally["moves"] += 1
            tally["failed"] += outcome.result is not Result.MOVES
            there = (order.unit.location.space, order.to.space)
            tally["convoyed"] += outcome.result is Result.MOVES and there in carried
        elif isinstance(order, Support):
            helped = resolution.before.unit_at(order.other.location.space)
            tally["supports"] += 1
            tally["others"] += helped is not None and helped.power != outcome.power
