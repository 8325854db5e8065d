"""A board without a figure: its spaces and contacts as a table, and the boards that changes in play lead to.

Such a board adjudicates like any other. What needs a figure, a line through a province or the point where areas meet,
it does not have. Standard library only.
"""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple, NoReturn

from plenipo.engine.board import NO_COAST, Board, Coast, Code, Location, Space, Terrain
from plenipo.engine.changes import BoardChange, Joined, Split, with_changes
from plenipo.engine.wording import hint
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.board import SpaceText

__all__ = ["ContactFault", "Contacts", "ListedBoards", "put_on", "table_of"]

KINDS = {"inland": Terrain.INLAND, "land": Terrain.INLAND, "coast": Terrain.COAST, "sea": Terrain.SEA}
"""The kinds of space, by the words for them."""

KEYS = ("kind", "coasts", "impassable", "convoys", "at")
"""The keys of a space."""

TABLES = ("spaces", "armies", "fleets", "one_way")

ONE_WAY = ("armies", "fleets")
"""The tables of contacts that lead one way, in the table `one_way`."""


class ContactFault(NamedTuple):
    """A mistake in a table of contacts: the path of its key, and one sentence."""

    place: tuple[str, ...]
    sentence: str


class Contacts:
    """The board called `name` that a table of contacts describes, with `texts` for each of its spaces.

    `faults` are all mistakes in it, `seats` where its author wishes to see the spaces, x east and y north.
    """

    def __init__(self, table: Mapping[str, Any], texts: Mapping[Code, SpaceText], name: str) -> None:
        self.name = name
        self.faults: list[ContactFault] = []
        self.seats: dict[Code, tuple[float, float]] = {}
        for key, entries in table.items():
            if key not in TABLES:
                self._fault((key,), f"'{key}' is not a table of contacts; {hint(key, TABLES)}")
            elif not isinstance(entries, dict):
                self._fault((key,), f"'{key}' is {entries!r}; it must be a table.")
        spaces, armies, fleets, one_way = (table[key] if isinstance(table.get(key), dict) else {} for key in TABLES)
        self.spaces = {space.code: space for code, said in spaces.items() if (space := self._space(code, said, texts))}
        for code in texts:
            if code not in spaces:
                self._fault(("spaces",), f"{code} is a space of {name}, and 'spaces' does not have it.")
        for key in one_way:
            if key not in ONE_WAY:
                self._fault(("one_way", key), f"'one_way.{key}' is not a table of contacts; {hint(key, ONE_WAY)}")
            elif not isinstance(one_way[key], dict):
                self._fault(("one_way", key), f"'one_way.{key}' is {one_way[key]!r}; it must be a table.")
        there = {key: one_way[key] if isinstance(one_way.get(key), dict) else {} for key in ONE_WAY}
        self.armies = [(a.space, b.space) for a, b in self._pairs(("armies",), armies)]
        self.fleets = list(self._pairs(("fleets",), fleets))
        known = {frozenset((Location(a), Location(b))) for a, b in self.armies}
        self.armies_there = [(a.space, b.space) for a, b in self._pairs(("one_way", "armies"), there["armies"], known)]
        known = set(map(frozenset, self.fleets))
        self.fleets_there = list(self._pairs(("one_way", "fleets"), there["fleets"], known))
        by_land, by_sea = (*self.armies, *self.armies_there), (*self.fleets, *self.fleets_there)
        touched = {code for pair in by_land for code in pair} | {at.space for pair in by_sea for at in pair}
        for code, space in self.spaces.items():
            if code not in touched and not space.impassable:
                self._fault(("spaces", code), f"{code} touches nothing; write its contacts, or that it is impassable.")

    def board(self) -> Board:
        """Return the board; raise `InvalidFigure` with the first mistake, if there is any."""
        if self.faults:
            raise InvalidFigure(self.faults[0].sentence)
        board = Board.from_contacts(
            self.name, self.spaces.values(), self.armies, self.fleets, self.armies_there, self.fleets_there
        )
        near: dict[Code, set[Code]] = {code: set() for code in self.spaces}
        by_land, by_sea = (*self.armies, *self.armies_there), (*self.fleets, *self.fleets_there)
        for a, b in (*by_land, *((x.space, y.space) for x, y in by_sea)):
            near[a].add(b)
            near[b].add(a)
        # an order of the compass there is none; that of the alphabet is as good as any
        return Board(
            board.name,
            board.spaces,
            board.armies,
            board.fleets,
            borders={code: tuple(sorted(codes)) for code, codes in near.items()},
        )

    def _fault(self, place: tuple[str, ...], sentence: str) -> None:
        self.faults.append(ContactFault(place, sentence))

    def _space(self, code: str, said: object, texts: Mapping[Code, SpaceText]) -> Space | None:
        place = ("spaces", code)
        values = {"kind": said} if isinstance(said, str) else said
        if not isinstance(values, dict):
            self._fault(place, f"'spaces.{code}' is {said!r}; write a kind such as \"coast\".")
            return None
        text = texts.get(Code(code))
        if text is None:
            self._fault(place, f"'{code}' is not among the spaces of {self.name}; {hint(code, texts)}")
            return None
        for key in values:
            if key not in KEYS:
                self._fault((*place, key), f"'spaces.{code}.{key}' is not a key of a space; {hint(key, KEYS)}")
        kind = values.get("kind")
        if kind not in KINDS:
            self._fault((*place, "kind"), f"'spaces.{code}' has the kind {kind!r}; it may be inland, coast or sea.")
            return None
        coasts = values.get("coasts", [])
        if not isinstance(coasts, list) or not all(isinstance(c, str) and c.isalnum() and c.isupper() for c in coasts):
            self._fault((*place, "coasts"), f'\'spaces.{code}.coasts\' is {coasts!r}; write a list like ["NC", "SC"].')
            return None
        if coasts and (KINDS[kind] is not Terrain.COAST or len(set(coasts)) < 2):
            self._fault((*place, "coasts"), f"'spaces.{code}.coasts': only a coast has several, and then two or more.")
            return None
        for key in ("impassable", "convoys"):
            if not isinstance(values.get(key, False), bool):
                self._fault((*place, key), f"'spaces.{code}.{key}' is {values[key]!r}; it must be true or false.")
        match values.get("at", ()):
            case [int() | float() as x, int() | float() as y]:
                self.seats[Code(code)] = (float(x), float(y))
            case ():
                pass
            case at:
                self._fault((*place, "at"), f"'spaces.{code}.at' is {at!r}; write a point like [3, 4.5].")
        names = tuple(map(Coast, sorted(coasts)))
        return Space(
            Code(code),
            text.name,
            KINDS[kind],
            text.centre,
            values.get("impassable") is True,
            names,
            text.aliases,
            values.get("convoys", True) is not False,
            tuple((other, coast) for other, coast in text.coasts if coast in names),
        )

    def _pairs(
        self, table: tuple[str, ...], entries: Mapping[str, Any], both_ways: Collection[frozenset[Location]] = ()
    ) -> Iterator[tuple[Location, Location]]:
        """Every contact of a table once, in the order written; `both_ways` are those that are known to go both ways."""
        known: set[Hashable] = set()
        name = ".".join(table)
        for text, others in entries.items():
            if not isinstance(others, list) or not all(isinstance(other, str) for other in others):
                self._fault((*table, text), f'\'{name}.{text}\' is {others!r}; write a list like ["PAR", "BUR"].')
                continue
            ends = [self._end(table, text, written) for written in (text, *others)]
            for end in ends[1:]:
                if ends[0] is None or end is None:
                    continue
                pair = frozenset((ends[0], end))
                if ends[0].space == end.space:
                    self._fault((*table, text), f"'{name}.{text}' has {end} itself; a contact is between two spaces.")
                elif pair in both_ways:
                    why = f"'{name}.{text}' has {end}, and '{table[-1]}' has that contact both ways; write it once."
                    self._fault((*table, text), why)
                elif table[0] == "one_way" and (end, ends[0]) in known:
                    why = f"'{name}.{text}' has {end}, which leads back as well; write it in '{table[-1]}'."
                    self._fault((*table, text), why)
                elif (key := (ends[0], end) if table[0] == "one_way" else pair) not in known:
                    known.add(key)
                    yield ends[0], end

    def _end(self, table: tuple[str, ...], key: str, text: str) -> Location | None:
        """Read one end of a contact; None, with a mistake reported, if it has no meaning."""
        at = Location.from_text(text)
        space = self.spaces.get(at.space)
        army = table[-1] == "armies"
        if space is None:
            why = f"'{text}', which is not a space of the board; {hint(at.space, self.spaces)}"
        elif army and at.coast:
            why = f"'{text}'; an army stands on the whole space: write {at.space}."
        elif space.terrain is (Terrain.SEA if army else Terrain.INLAND):
            why = f"'{text}', where no {'army' if army else 'fleet'} can stand: it is {_a(space.terrain)}."
        elif space.impassable:
            why = f"'{text}', which is impassable."
        elif not army and at.coast not in (space.coasts or (NO_COAST,)):
            right = " or ".join(str(Location(at.space, coast)) for coast in space.coasts or (NO_COAST,))
            why = f"'{text}'; write {right}."
        else:
            return at
        self._fault((*table, key), f"'{'.'.join(table)}.{key}' has {why}")
        return None


def _a(terrain: Terrain) -> str:
    return {Terrain.SEA: "a sea", Terrain.INLAND: "inland", Terrain.COAST: "a coast"}[terrain]


def table_of(board: Board, seats: Mapping[Code, tuple[float, float]]) -> dict[str, Any]:
    """Return the table that gives a board by its contacts, each space at its seat if it has one."""
    spaces = {
        str(code): {
            "kind": str(space.terrain),
            "coasts": list(map(str, space.coasts)),
            "impassable": space.impassable,
            "convoys": space.convoys,
        }
        | ({"at": list(map(float, seats[code]))} if code in seats else {})
        for code, space in board.spaces.items()
    }
    passable = {code for code, space in board.spaces.items() if not space.impassable}
    armies = {(Location(code), Location(to)) for code, tos in board.armies.items() for to in tos}
    fleets = {(at, to) for at, tos in board.fleets.items() for to in tos}
    table: dict[str, Any] = {"spaces": spaces, "one_way": {}}
    for key, written in (("armies", armies), ("fleets", fleets)):
        pairs = {pair for pair in written if passable.issuperset(at.space for at in pair)}
        both = {pair for pair in pairs if pair[0] < pair[1] and pair[::-1] in pairs}
        table[key] = _group_pairs(both)
        table["one_way"][key] = _group_pairs(pairs - both - {(b, a) for a, b in both})
    return table


def _group_pairs(pairs: Iterable[tuple[Location, Location]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one, other in sorted(pairs):
        found.setdefault(str(one), []).append(str(other))
    return found


def put_on(
    table: Mapping[str, Any], more: Mapping[str, Any], texts: Mapping[Code, SpaceText]
) -> tuple[dict[str, Any], list[ContactFault]]:
    """Return a table of contacts with another merged into it, and its faults.

    A space in both is as the second says. Contacts are added; `remove` has those to be removed, in tables like those
    that give them. Spaces without a text are left out with their contacts.
    """
    faults: list[ContactFault] = []
    left = {key: value for key, value in more.items() if key != "remove"}
    remove = more.get("remove", {})
    gone = remove if isinstance(remove, dict) else {}
    if gone is not remove:
        faults.append(ContactFault(("remove",), f"'remove' is {remove!r}; it must be a table."))
    for key in gone:
        if key not in ONE_WAY:
            why = f"'remove.{key}' is not a table of contacts; {hint(key, ONE_WAY)}"
            faults.append(ContactFault(("remove", key), why))
    whole: dict[str, Any] = {key: value for key, value in left.items() if key not in TABLES}
    whole["spaces"] = {
        code: said for code, said in {**table.get("spaces", {}), **_dict(left.get("spaces"))}.items() if code in texts
    } | {code: said for code, said in _dict(left.get("spaces")).items() if code not in texts}
    one_way = {key: _dict(_dict(table.get("one_way")).get(key)) for key in ONE_WAY}
    for key in ONE_WAY:
        drop = _pairs_in(gone.get(key))
        known = {frozenset(pair) for pair in (*_pairs_in(table.get(key)), *_pairs_in(one_way[key]))}
        missed = {frozenset(pair) for pair in drop} - known
        for one, other in drop:
            if frozenset((one, other)) in missed:
                why = f"'remove.{key}.{one}' has {other}, and there is no such contact."
                faults.append(ContactFault(("remove", key, one), why))
        dropped = {frozenset(pair) for pair in drop}
        whole[key] = _merge_contacts(table.get(key), left.get(key), dropped, texts)
        one_way[key] = _merge_contacts(one_way[key], _dict(left.get("one_way")).get(key), dropped, texts)
    whole["one_way"] = {**_dict(left.get("one_way")), **one_way}
    return whole, faults


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _pairs_in(table: object) -> list[tuple[str, str]]:
    """Return the pairs that a table of contacts names, as far as it can be read."""
    lists = ((one, others) for one, others in _dict(table).items() if isinstance(others, list))
    return [(one, str(other)) for one, others in lists for other in others]


def _merge_contacts(
    below: object, above: object, dropped: Collection[frozenset[str]], texts: Mapping[Code, SpaceText]
) -> dict[str, Any]:
    """Return the contacts of two tables, of the first those that are not dropped, between spaces that have a text."""
    found: dict[str, Any] = {}
    for one, other in _pairs_in(below):
        there = all(Location.from_text(text).space in texts for text in (one, other))
        if there and frozenset((one, other)) not in dropped:
            found.setdefault(one, []).append(other)
    for one, others in _dict(above).items():
        found[one] = [*found.get(one, []), *others] if isinstance(others, list) else others
    return found


class ListedBoards:
    """The changed boards of a variant without a figure: spaces close and open, and no border moves.

    `seats` are the author's preferred places of the spaces, x east and y north; empty if there are none.
    """

    def __init__(self, board: Board, seats: Mapping[Code, tuple[float, float]] | None = None) -> None:
        self._board, self.seats = board, seats or {}

    @cached_property
    def word(self) -> str:
        """A word for all that a layout of the board follows from: another one for another board."""
        spaces = [
            (code, space.name, str(space.terrain), space.coasts, space.centre, space.impassable)
            for code, space in sorted(self._board.spaces.items())
        ]
        contacts = [
            sorted((str(at), sorted(map(str, tos))) for at, tos in table.items())
            for table in (self._board.armies, self._board.fleets)
        ]
        return sha256(repr((spaces, contacts, sorted(self.seats.items()))).encode()).hexdigest()[:16]

    def board(self, changes: tuple[BoardChange, ...]) -> Board:
        """Return the board after `changes`, in their order; raise `InvalidFigure` for a border that moves."""
        for change in changes:
            if isinstance(change, Split):
                self._refuse(change.space)
            if isinstance(change, Joined):
                what = f"{change.space} and {change.into} cannot become one"
                raise InvalidFigure(f"{what}: {self._board.name} is given by its contacts, not by a map")
        return with_changes(self._board, changes)

    def middles(
        self, changes: tuple[BoardChange, ...], space: Code, neighbour: Code
    ) -> tuple[tuple[float, float], ...]:
        """Refused with `InvalidFigure`: no border is drawn, so it has no middle."""
        del changes, neighbour
        self._refuse(space)

    def _refuse(self, space: Code) -> NoReturn:
        raise InvalidFigure(f"{space} cannot be cut in two: {self._board.name} is given by its contacts, not by a map")
