"""Guests: a person is stored with the first seat they take, and not before."""

from collections.abc import Callable, Iterator

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select

from plenipo.server.clock import Clock
from plenipo.server.hosting.settings import settings_of
from plenipo.server.keys import digest
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store, schema
from plenipo.server.store.persons import Persons
from plenipo.server.web.app import create_app


@pytest.fixture
def stranger(service: GameService) -> Iterator[TestClient]:
    """A browser without cookies."""
    with TestClient(create_app(service, loops="none"), raise_server_exceptions=False, follow_redirects=False) as made:
        yield made


def people(store: Store) -> tuple[int, int]:
    """Return the numbers of stored people and sessions."""
    with store.engine.connect() as connection:
        counted = [connection.execute(select(func.count()).select_from(t)).scalar_one() for t in _TABLES]
    return counted[0], counted[1]


_TABLES = (schema.persons, schema.sessions)


def lobby(service: GameService, variant: str = "standard", **settings: object) -> str:
    return service.open(NewGameRequest(variant, {}, lobby=True, settings=settings_of(settings))).id


def begun(service: GameService) -> str:
    """A listed game that goes on, in which no seat is open."""
    game = service.open(
        NewGameRequest("standard", {}, lobby=True, settings=settings_of({"listed": "listed", "ready_check": False}))
    )
    host = service.credentials(game.id, [game.all_seats])
    for name in ("Anna", "Ben", "Clara", "Dora", "Emil", "Fred", "Gus"):
        service.lobby.join(game.id, host, name)
    assert not service.forming(game.id)
    return game.id


NO_SEAT: dict[str, Callable[[GameService], tuple[str, dict[str, str]]]] = {
    "join: no such game": lambda _: ("/games/nothing/join", {}),
    "claim: no such game": lambda _: ("/games/nothing/claim", {"power": "France"}),
    "take: no such game": lambda _: ("/games/nothing/take", {"power": "France"}),
    "join: not invited": lambda service: (f"/games/{lobby(service)}/join", {}),
    "join: registered players only": lambda service: (
        f"/games/{lobby(service, listed='listed', claimed=True)}/join",
        {},
    ),
    "join: no such power": lambda service: (
        f"/games/{lobby(service, 'cline', listed='listed')}/join",
        {"power": "Mars"},
    ),
    "claim: no key": lambda service: (f"/games/{begun(service)}/claim", {"power": "France"}),
    "take: not open": lambda service: (f"/games/{begun(service)}/take", {"power": "France"}),
    "host: no such variant": lambda _: ("/host", {"variant": "nothing"}),
}


@pytest.mark.parametrize("case", NO_SEAT)
def test_a_guest_without_a_seat_is_not_stored(
    stranger: TestClient, service: GameService, store: Store, case: str
) -> None:
    path, fields = NO_SEAT[case](service)
    before = people(store)
    answer = stranger.post(path, data={"name": "Mona", **fields})
    assert 400 <= answer.status_code < 500, answer.text[:300]
    assert people(store) == before
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/host", {"variant": "standard", "you": "play"}),
        ("/host", {"variant": "cline", "you": "keep"}),
        ("/games/{listed}/join", {}),
        ("/games/{links}/claim", {"power": "France"}),
    ],
)
def test_a_guest_is_kept_with_the_first_seat_and_signed_in(
    stranger: TestClient, service: GameService, store: Store, clock: Clock, path: str, fields: dict[str, str]
) -> None:
    links = service.open(NewGameRequest("standard", {}, seating="links"))
    stranger.cookies.set("seat", links.seats[next(power for power in links.seats if power == "France")])
    answer = stranger.post(
        path.format(listed=lobby(service, listed="listed"), links=links.id), data={"name": "Mona", **fields}
    )
    assert answer.status_code == 303, answer.text[:300]
    assert people(store) == (1, 1)
    person = store.of(Persons).of_session(digest(answer.cookies["session"]), clock.now())
    assert person is not None
    assert person.name == "Mona"
    assert len(store.of(Persons).games(person.id)) >= 1
