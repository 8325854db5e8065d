"""Contacts: those that a drawn map cannot show, those that cross, and those along which units count otherwise.

A map in the plane cannot show every list of borders, a bridge, or a border closed to one type of unit. Contacts are
removed from the board that is read off the figure, and others are added. Where the text of a variant has several
readings, each reading has a name, and a contact may be declared under some of them only.
Borders and corners stay those of the drawn map: they are facts of the picture.

Units moving along one of two contacts that cross and units moving along the other oppose each other: a move passes only
if its attack is stronger than what each move along the other contact brings there. A move counts at the crossing
whether or not it succeeds at its destination, and a move stopped there still does at its destination what a bounced
move does. An army that goes by convoy is not at the crossing.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine.board import Board, Coast, Code, Location, Terrain, UnitKind
from plenipo.engine.facts import Crossing, Fact, PrefersConvoy, WayStrength
from plenipo.engine.hooks import RuleModule
from plenipo.engine.sentences import say
from plenipo.engine.wording import hint
from plenipo.errors import InvalidVariant, UnknownName
from plenipo.rulekit.rule_entries import RuleEntry, SpacePair

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["Contact", "ContactRules", "ContactStrength"]

_BESIDE_CROSSINGS = {"beside": ("crossings",)}
"""Metadata of options that matter only where contacts cross."""

StandingUnit = tuple[UnitKind, Location]
"""A unit type and its location."""

WORDS = {UnitKind.ARMY: "armies", UnitKind.FLEET: "fleets"}


@dataclass(frozen=True)
class Contact:
    """A contact between two places: codes of spaces, with the coast where a fleet needs it (`STP/SC`).

    With `one_way` it leads from the first to the second alone. `units` are the kinds it is for; `when` the readings
    under which it counts, all of them if it is empty.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    between: tuple[str, str]
    reason: str
    units: tuple[UnitKind, ...] = (UnitKind.ARMY, UnitKind.FLEET)
    when: tuple[str, ...] = ()
    one_way: bool = False


@dataclass(frozen=True)
class ContactStrength:
    """A contact `between` two spaces, and what units count along it: those that `move`, and as a `support` over it."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    between: SpacePair
    move: int | None = None
    support: int | None = None


@dataclass(frozen=True)
class ContactRules(RuleModule):
    """The options.

    The contacts of `drop` are taken from the board, then those of `add` are put on it. `readings` are the names of the
    ways to read the rules, `reading` the one played; both are empty where there is nothing to choose.

    `river_ports` are spaces that touch no sea and that ships reach by a declared contact, up a river or through a
    canal: fleets stand there as on a coast.

    `crossings` lists pairs of contacts that cross: `[["SIC", "NAP"], ["TYN", "ION"]]`. With `conflict` false moves
    cross without meeting. `convoy` says when an army that may walk over a crossing is convoyed instead: as policy 4.A.3
    says (`intent`), or as soon as a whole route is ordered for it, by fleets of any power (`any`).

    `strengths` lists the contacts along which units count otherwise; numbers are on the scale of the unit types,
    ordinarily 1.
    """

    name: ClassVar[str] = "contacts"
    signs: ClassVar[Mapping[str, str]] = {
        "crossed": "two ways that cross: units that go there at once oppose each other",
    }
    claims: ClassVar[frozenset[str]] = frozenset(
        {"declared contacts", "ways that cross", "what units count on single ways"}
    )
    fixed: ClassVar[frozenset[str]] = frozenset({"add", "drop", "river_ports", "readings", "crossings", "strengths"})

    add: tuple[Contact, ...] = ()
    drop: tuple[Contact, ...] = ()
    river_ports: tuple[Code, ...] = ()
    readings: tuple[str, ...] = ()
    reading: str = field(default="", metadata={"choices": "readings", "beside": ("readings",)})
    crossings: tuple[tuple[SpacePair, SpacePair], ...] = ()
    conflict: bool = field(default=True, metadata=_BESIDE_CROSSINGS)
    convoy: Literal["intent", "any"] = field(default="intent", metadata=_BESIDE_CROSSINGS)
    strengths: tuple[ContactStrength, ...] = ()

    @property
    def changes_contacts_alone(self) -> bool:
        """True where no contacts cross and units count the same along all of them."""
        return not self.crossings and not self.strengths

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the contacts that cross, if moves on them meet, those on which any convoy is used, and the strengths.

        Raise `InvalidVariant` for a strength of a contact that no unit uses, a repeated one, or an impossible number.
        """
        for one, other in self.crossings:
            if self.conflict:
                yield Crossing(frozenset(one), frozenset(other))
            if self.convoy == "any":
                yield from (PrefersConvoy(frozenset(one)), PrefersConvoy(frozenset(other)))
        known = set[frozenset[Code]]()
        for number, way in enumerate(self.strengths):
            called = f"The contact between {way.between[0]} and {way.between[1]} of '{self.name}'"
            at = RuleEntry(rules, called, ("modules", self.name, "strengths", number))
            at._replace(where=f"'{self.name}'").ways(between=(way.between,))
            if frozenset(way.between) in known:
                raise at.wrong(say("is there twice."), "between")
            known.add(frozenset(way.between))
            if way.move is None and way.support is None:
                raise at.wrong(say("says neither 'move' nor 'support'."))
            at.least(1, move=way.move)
            at.least(0, support=way.support)
            yield WayStrength(frozenset(way.between), way.move, way.support)

    def board(self, board: Board) -> Board:
        """Return the board with the declared contacts.

        Raises `UnknownName` for an unknown reading, and `InvalidVariant` for a contact without a reason, one between
        places where such a unit cannot stand, one to drop that does not exist, or one to add that exists, and for a
        river port that is no inland space or that no declared contact leads to.
        """
        board = self._with_river_ports(board)
        self._check(board)
        steps = _steps(board)
        merged = any(space.joined for space in board.spaces.values())  # contacts of merged spaces may be repeated
        for contact in self._open(board, self.drop):
            for a, b in _ends(board, contact):
                if b not in steps[a] and merged:
                    continue
                if b not in steps[a]:
                    raise InvalidVariant(_fault(contact, f"no contact for {WORDS[a[0]]} on the map, so drops none."))
                steps[a].discard(b)
                if not contact.one_way:
                    steps[b].discard(a)
        for contact in self._open(board, self.add):
            for a, b in _ends(board, contact):
                if b in steps[a] and not merged:
                    raise InvalidVariant(_fault(contact, f"a contact for {WORDS[a[0]]} already, so adds none."))
                steps[a].add(b)
                if not contact.one_way:
                    steps[b].add(a)
        return replace(
            board,
            armies={
                code: frozenset(to.space for _, to in steps[UnitKind.ARMY, Location(code)]) for code in board.armies
            },
            fleets={at: frozenset(to for _, to in steps[UnitKind.FLEET, at]) for at in board.fleets},
        )

    def _with_river_ports(self, board: Board) -> Board:
        """Return the board with a coast at each river port that is not closed or joined to another space."""
        reached = {text.partition("/")[0] for way in self.add if UnitKind.FLEET in way.units for text in way.between}
        ports = {}
        for code in self.river_ports:
            space = board.spaces.get(board.became(code))
            if space is None:
                raise InvalidVariant(
                    say("The river port '{code}' is no space; {hint}", code=code, hint=hint(code, board.spaces))
                )
            if space.closed or space.joined:
                continue
            if space.terrain is not Terrain.INLAND or space.impassable:
                raise InvalidVariant(say("The river port {code} is no inland space that units enter.", code=code))
            if code not in reached:
                raise InvalidVariant(
                    say("No contact for fleets leads to the river port {code}; declare one under 'add'.", code=code)
                )
            ports[code] = replace(space, terrain=Terrain.COAST)
        shores = {Location(code): frozenset[Location]() for code in ports}
        return replace(board, spaces={**board.spaces, **ports}, fleets={**board.fleets, **shores}) if ports else board

    def _open(self, board: Board, contacts: Iterable[Contact]) -> Iterator[Contact]:
        """Return the contacts that count, except those of spaces that were closed in play."""
        for contact in self._list_played_contacts(contacts):
            codes = [board.became(Code(text.partition("/")[0])) for text in contact.between]
            ends = (board.spaces.get(code) for code in codes)
            if codes[0] != codes[1] and not any(end is not None and end.closed for end in ends):
                yield contact

    def _list_played_contacts(self, contacts: Iterable[Contact]) -> Iterator[Contact]:
        """Return the contacts that count under the reading played."""
        return (contact for contact in contacts if not contact.when or self.reading in contact.when)

    def _check(self, board: Board) -> None:
        """Check the reading played, and every contact under any reading under which it counts."""
        if self.reading not in (self.readings or ("",)):
            raise UnknownName(
                say(
                    "'{reading}' is not a reading of these rules; {hint}",
                    reading=self.reading,
                    hint=hint(self.reading, self.readings),
                )
            )
        for contact in (*self.drop, *self.add):
            for name in contact.when:
                if name not in self.readings:
                    what = f"the reading '{name}', which these rules do not have; {hint(name, self.readings)}"
                    raise InvalidVariant(_fault(contact, what))
            if not any(space.closed or space.joined for space in board.spaces.values()):
                tuple(_ends(board, contact))


def _steps(board: Board) -> dict[StandingUnit, set[StandingUnit]]:
    """Return the steps of each unit, armies and fleets in one table."""
    army, fleet = UnitKind.ARMY, UnitKind.FLEET
    steps = {(army, Location(code)): {(army, Location(to)) for to in tos} for code, tos in board.armies.items()}
    return steps | {(fleet, at): {(fleet, to) for to in tos} for at, tos in board.fleets.items()}


def _ends(board: Board, contact: Contact) -> Iterator[tuple[StandingUnit, StandingUnit]]:
    """Yield the two ends of a contact for each unit type; raise `InvalidVariant` where such a unit cannot stand."""
    if not contact.reason.strip():
        raise InvalidVariant(_fault(contact, "no reason; every declared contact says why."))
    a, b = (_place(board, contact, text) for text in contact.between)
    if a.space == b.space:
        raise InvalidVariant(_fault(contact, "one space twice; a contact is between two."))
    for kind in contact.units:
        # an army occupies the whole space, whatever the coast
        ends = [(kind, Location(at.space) if kind is UnitKind.ARMY else at) for at in (a, b)]
        for _, at in ends:
            if not board.can_stand(kind, at):
                raise InvalidVariant(_fault(contact, f"'{at}', where {WORDS[kind]} cannot stand."))
        yield ends[0], ends[1]


def _place(board: Board, contact: Contact, text: str) -> Location:
    written, _, coast = text.partition("/")
    code = board.became(Code(written))
    if code not in board.spaces:
        what = f"'{text}', which is not a space of the board; {hint(code, board.spaces)}"
        raise InvalidVariant(_fault(contact, what))
    space = board.spaces[code]
    if space.joined and coast not in space.coasts:
        coast = ""  # the shore runs on into another now
    return Location(code, Coast(coast))


def _fault(contact: Contact, what: str) -> str:
    return f"The declared contact {'-'.join(contact.between)} has {what}"
