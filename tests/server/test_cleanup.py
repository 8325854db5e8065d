"""The removal of data in time, and a server and a game that store as much as they may."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from plenipo.engine.position import Power
from plenipo.server.errors import QuotaReached
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.settings import settings_of
from plenipo.server.limits import Limits
from plenipo.server.new_games import GameKeys, NewGameRequest
from plenipo.server.people.accounts import Accounts
from plenipo.server.press import Draft
from plenipo.server.service import GameService
from plenipo.server.store import Store, StoredPost, cleanup, schema
from plenipo.server.store.counters import Counters
from plenipo.server.store.notifications import put_post
from plenipo.server.store.persons import Persons
from plenipo.server.submissions import Edit
from plenipo.server.worker import CLEAN_UP, Worker
from server.clocks import ManualClock, store_by_hand

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)
DAY = timedelta(days=1)
FRANCE = Power("France")


@pytest.fixture
def shared(address: str) -> Iterator[Store]:
    yield from store_by_hand(address)


@pytest.fixture
def time() -> ManualClock:
    return ManualClock(NOW)


def rows(store: Store, table: str) -> int:
    with store.engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(schema.metadata.tables[table])).scalar_one()


def lobby(service: GameService, **settings: object) -> tuple[GameKeys, Credentials]:
    game = service.open(
        NewGameRequest("standard", {}, lobby=True, settings=settings_of({"listed": "listed", **settings}))
    )
    return game, service.credentials(game.id, [game.all_seats])


def test_unneeded_data_is_removed_in_time(shared: Store, time: ManualClock) -> None:
    service = GameService(shared, clock=time)
    accounts = Accounts(shared.of(Persons), time)
    worker = Worker(service)
    accounts.guest("Mona")
    player, member = accounts.guest("Anna").person, accounts.guest("Ben").person
    accounts.new_words(member)
    running, _ = lobby(service)
    service.lobby.join(running.id, service.credentials(running.id, [], player.id), "Anna")
    off, host = lobby(service)
    service.lobby.join(off.id, service.credentials(off.id, [], accounts.guest("Clara").person.id), "Clara")
    service.lobby.cancel(off.id, host)
    Limits(shared.of(Counters), time).take("games", network="203.0.113.7")
    for number in range(2):
        with shared.engine.begin() as connection:
            put_post(connection, StoredPost(f"post{number}", "anna@example.org", "A subject", ""), NOW)
    shared.of(Persons).mark_sent("post0", NOW)
    over = service.open(NewGameRequest("cline", {}))
    table = service.credentials(over.id, [over.all_seats])
    for order in ("A PAR H", "A PAR - BUR", "A PAR H"):
        service.orders.submit(over.id, table, "France", 1, Edit((order,)))
    service.phases.draw(over.id, table, 1)
    worker.look()
    before = {name: rows(shared, name) for name in ("persons", "games", "posts", "order_sets", "counters")}
    assert before == {"persons": 4, "games": 3, "posts": 2, "order_sets": 3, "counters": 1}
    time.time += 8 * DAY
    worker.look()
    assert (rows(shared, "order_sets"), rows(shared, "counters"), rows(shared, "persons")) == (1, 0, 4)
    time.time += 23 * DAY
    worker.look()
    time.time += CLEAN_UP
    worker.look()  # a guest of a game that was removed has no seat any more
    assert {name: rows(shared, name) for name in ("persons", "posts")} == {"persons": 2, "posts": 1}
    assert shared.of(Persons).find(player.id) is not None
    assert shared.of(Persons).find(member.id) is not None
    assert (shared.revision(off.id), shared.revision(over.id) is None) == (None, False)


def test_no_more_than_a_batch_is_removed_at_a_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleanup, "BATCH", 3)
    accounts = Accounts(store.of(Persons), ManualClock(NOW))
    for number in range(7):
        accounts.guest(f"Mona {'I' * (number + 1)}")
    later = NOW + 31 * DAY
    left = []
    for _ in range(4):
        cleanup.clean_up(store.engine, later)
        left.append(rows(store, "persons"))
    assert left == [4, 1, 0, 0]


def talking(service: GameService) -> tuple[GameKeys, Credentials]:
    """A game of two people who may write to each other, and what its first player holds."""
    game, host = lobby(service, computer="careless", ready_check=False)
    tokens = [service.lobby.join(game.id, host, name, power) for name, power in (("Anna", "France"), ("Ben", "Italy"))]
    service.lobby.start(game.id, host)
    return game, service.credentials(game.id, tokens[:1])


def write(service: GameService, game: GameKeys, holder: Credentials, text: str = "Hello") -> None:
    service.press.write(game.id, holder, Draft("France", ("Italy",), text))


def order(service: GameService, game: GameKeys, holder: Credentials, text: str) -> None:
    service.orders.submit(game.id, holder, "France", service.games.load(game.id).phase_number, Edit((text,)))


def test_a_full_server_opens_no_games_and_takes_no_messages_but_takes_orders(shared: Store, time: ManualClock) -> None:
    service = GameService(shared, clock=time)
    game, anna = talking(service)
    write(service, game, anna)
    record = service.open(NewGameRequest("standard", {}))
    shared.quota = shared.size()
    for act in (
        lambda: write(service, game, anna),
        lambda: service.open(NewGameRequest("cline", {})),
        lambda: service.fork(record.id),
    ):
        with pytest.raises(QuotaReached, match=r"^This server has reached its storage limit"):
            act()
    order(service, game, anna, "A PAR - BUR")
    assert service.games.load(game.id).order_sets[FRANCE].texts[:1] == ("A PAR - BUR",)
    assert (rows(shared, "games"), rows(shared, "messages")) == (2, 1)


def test_a_full_game_takes_no_messages_and_keeps_no_older_versions_of_its_orders(
    shared: Store, time: ManualClock
) -> None:
    service = GameService(shared, clock=time)
    game, anna = talking(service)
    other, ben = talking(service)
    for text in ("A PAR H", "A PAR - BUR"):
        order(service, game, anna, text)
    assert rows(shared, "order_sets") == 2
    write(service, game, anna, "word " * 3000)
    assert 15_000 < shared.stored_size(game.id) < 25_000
    assert shared.stored_size(other.id) < 1_000
    shared.game_quota = 15_000
    with pytest.raises(QuotaReached, match=r"^This game has reached its storage limit"):
        write(service, game, anna)
    write(service, other, ben)
    for text in ("A PAR - GAS", "A PAR - PIC", "A PAR H"):
        order(service, game, anna, text)
        assert rows(shared, "order_sets") == 1
    assert service.games.load(game.id).order_sets[FRANCE].version == 5
    service.games.forget(game.id)
    assert service.games.load(game.id).order_sets[FRANCE].texts[:1] == ("A PAR H",)
