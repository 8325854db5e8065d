"""Invariants of hosted games, on both databases: mail goes out with its action, and stopped games name the reason."""

from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from plenipo.errors import PlenipoError
from plenipo.server.broker import Broker
from plenipo.server.gm_tools import GmTools, RulingReason
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.settings import Settings
from plenipo.server.hosting.tick import NOBODY_LEFT, GameState, TimeAct
from plenipo.server.hosting.waits import waits_for
from plenipo.server.new_games import NewGameRequest
from plenipo.server.people.mail import Outgoing, send_due
from plenipo.server.service import GameService
from plenipo.server.store import Store, StoreError, schema
from plenipo.server.store.persons import Persons, StoredPerson, StoredSession
from plenipo.server.submissions import Edit
from proofs import ALL
from server.clocks import ManualClock, store_by_hand
from server.test_crashes import Failing, OutOfOrderError

START = datetime(2026, 11, 22, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
MASTER = Credentials((), all_seats=True)
ANNA = "anna" * 5


EACH = 1 if ALL else 3
"""Every statement of an act fails once in `make proofs`, one in so many in each run of the tests."""

store = pytest.fixture(store_by_hand)


def person(store: Store) -> None:
    """Anna, who has an address."""
    store.of(Persons).add(StoredPerson(ANNA, "Anna", START), StoredSession("d" * 64, ANNA, "A browser", START, START))
    with store.engine.begin() as connection:
        way = {"kind": "mail", "identifier": "anna@example.org", "person": ANNA, "created": START}
        connection.execute(schema.ways.insert().values(**way))


def begun(store: Store, clock: ManualClock, then: str = "wait", first: str = "wait") -> tuple[GameService, str]:
    """A game in which Anna plays France; it is due after four hours, with a reminder an hour before."""
    deadline = {"within": "4h", "remind": ["1h"]}
    within = dict.fromkeys(("movement", "retreats", "adjustments"), deadline)
    missed = {"first": first, "then": then, "vacant_after": 2}
    service = GameService(store, Broker(), clock)
    own = Settings.model_validate({"host": "game master"})
    keys = service.open(
        NewGameRequest(
            "standard", {}, lobby=True, schedule=schedule_of({**within, "cool": "0m", "missed": missed}), settings=own
        )
    )
    for name, power, who in (("Anna", "France", ANNA), ("Ben", "Italy", None)):
        service.lobby.join(keys.id, service.credentials(keys.id, [keys.invitation], who), name, power)
    service.lobby.start(keys.id, MASTER)
    return service, keys.id


# 14: a post exists if and only if its act was committed, and is sent at least once under one id


def told(store: Store, game: str) -> tuple[int, int]:
    """Return the number of log entries that notify Anna, and the number of stored messages."""
    kinds = [entry.kind for entry in store.journal(game)]
    with store.engine.connect() as connection:
        posts = connection.execute(select(func.count()).select_from(schema.posts)).scalar_one()
    return kinds.count("reminder") + kinds.count("reminded") + kinds.count("missed"), posts


def test_a_post_is_there_if_and_only_if_its_act_is(store: Store) -> None:
    person(store)
    for at in count(1, EACH):
        clock = ManualClock(START)
        service, game = begun(store, clock)
        failing = Failing(store, at)
        with suppress(OutOfOrderError, StoreError):
            GmTools(service).remind(game, MASTER, 1)
            clock.time = START + 3 * HOUR
            service.time.go_on(game)
            clock.time = START + 4 * HOUR
            service.time.go_on(game)
        failing.end()
        acts, posts = told(store, game)
        assert acts == posts
        with store.engine.begin() as connection:
            connection.execute(schema.posts.delete())
        store.delete(game)
        if not failing.failed:
            break
    assert at > 20
    assert acts == 3, "reminded by hand, before the deadline, and waited for after it"


class Receiver:
    """A mail server that counts the ids of what it gets, and fails sometimes."""

    def __init__(self, failing: set[int]) -> None:
        self.ids, self.failing, self.calls = Counter[str](), failing, 0

    def send(self, message: EmailMessage) -> None:
        self.calls += 1
        if self.calls in self.failing:
            raise OSError("the mail server is away")
        self.ids[str(message["Message-ID"])] += 1


@pytest.mark.parametrize("failing", [set(), {1}, {1, 2}, {2}])
def test_a_post_is_sent_at_least_once_under_one_id_whatever_fails(store: Store, failing: set[int]) -> None:
    person(store)
    for at in count(1, EACH):
        clock = ManualClock(START)
        service, game = begun(store, clock)
        GmTools(service).remind(game, MASTER, 1)
        clock.time = START + 3 * HOUR
        service.time.go_on(game)
        receiver = Receiver(failing)
        mail = Outgoing(receiver, "https://example.org")
        broken = Failing(store, at)
        with suppress(OutOfOrderError):
            send_due(store, mail, clock)
        broken.end()
        for _ in range(6):
            clock.time += 13 * HOUR
            send_due(store, mail, clock)
        assert len(receiver.ids) == 2, receiver.ids
        with store.engine.begin() as connection:
            unsent = select(func.count()).select_from(schema.posts).where(schema.posts.c.sent.is_(None))
            assert connection.execute(unsent).scalar_one() == 0
            connection.execute(schema.posts.delete())
        store.delete(game)
        if not broken.failed:
            break
    assert at > 3


# 17: no game stands still unnamed


ACTS = st.lists(
    st.sampled_from(
        "order ready unready hour day process pause resume extend resign remove computer back edit draw remind".split()
    ),
    max_size=14,
)


def act(service: GameService, game: str, what: str, clock: ManualClock) -> None:
    """Perform an action of a player, or let time pass."""
    view = service.view(game, MASTER, None)
    number, anna = view.phase_number, service.credentials(game, [], ANNA)
    desk, why = GmTools(service), RulingReason("It was agreed.")
    if what in ("hour", "day"):
        clock.time += HOUR if what == "hour" else 24 * HOUR
        service.time.go_on(game)
    elif what in ("order", "ready", "unready"):
        edit = Edit((), ready=what == "ready")
        service.orders.submit(game, anna, "France", number, edit)
    elif what == "process":
        desk.process(game, MASTER, number)
    elif what in ("pause", "resume", "extend"):
        service.time.keep_time(game, MASTER, number, TimeAct(what, HOUR))  # type: ignore[arg-type]
    elif what == "resign":
        service.handover.act(game, anna, "France", "resign")
    elif what == "remove":
        service.handover.act(game, MASTER, "Italy", "remove")
    elif what == "computer":
        service.handover.act(game, MASTER, "Italy", "computer")
    elif what == "back":
        desk.go_back(game, MASTER, number, 0, why)
    elif what == "edit":
        units: dict[str, list[str]] = {}
        for unit in view.position.units:
            if unit.power != "Austria":
                units.setdefault(unit.power, []).append(str(unit))
        desk.edit(game, MASTER, number, {"units": units}, why)
    elif what == "draw":
        service.phases.draw(game, MASTER, number)
    else:
        desk.remind(game, MASTER, number)


def standing(store: Store, service: GameService, game: str) -> str:
    """Return why a game continues automatically or for whom it waits; empty if neither is known."""
    view = service.view(game, MASTER, None)
    timed = view.timed
    assert timed is not None
    with store.engine.connect() as connection:
        row = connection.execute(select(schema.games.c.wake).where(schema.games.c.id == game)).one()
    if row.wake is not None:
        return f"it is looked at again at {row.wake}"
    if view.view.over or timed.state is GameState.PAUSED or waits_for(timed) == NOBODY_LEFT:
        return waits_for(timed)
    names = timed.phase.needs or timed.late or timed.not_ready
    if not names or not all(str(power) in waits_for(timed) for power in names):
        return ""
    if "France" in names and timed.phase.due is not None:
        # a player for whom the game waits was notified
        notices = select(schema.notices.c.kind).where(
            schema.notices.c.game == game, schema.notices.c.phase_number == view.phase_number
        )
        with store.engine.connect() as connection:
            return ", ".join(connection.execute(notices).scalars())
    return waits_for(timed)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ACTS, st.sampled_from(["wait", "hold", "extend", "computer", "replace"]), st.sampled_from(["wait", "replace"]))
def test_no_game_stands_still_unnamed(store: Store, acts: list[str], then: str, first: str) -> None:
    if store.of(Persons).find(ANNA) is None:
        person(store)
    clock = ManualClock(START)
    service, game = begun(store, clock, then, first)
    done = []
    for what in acts:
        with suppress(PlenipoError):
            act(service, game, what, clock)
        done.append(what)
        assert standing(store, service, game), done
    store.delete(game)
