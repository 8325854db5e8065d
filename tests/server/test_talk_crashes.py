"""Whatever fails at whatever moment: messages, votes and marks that were acknowledged are there, once, and told."""

from contextlib import suppress
from datetime import timedelta
from itertools import count

from sqlalchemy import delete

from plenipo.engine.position import Power
from plenipo.server.press import Draft
from plenipo.server.store import Store, StoreError, schema
from plenipo.server.store.press import PressStore
from server.test_crashes import Failing, OutOfOrderError
from server.test_notifications import Table

TEN = timedelta(minutes=10)
BEN = "ben@example.org"


def told(table: Table, who: str) -> int:
    """Return the number of mails to a player in the next ten minutes."""
    return sum(str(mail["To"]) == who for mail in table.sent(TEN))


def test_a_message_is_stored_once_and_announced_once_despite_failures(store: Store) -> None:
    table = Table(store)
    table.sent()
    for at in count(1):
        draft = Draft("France", ("Italy",), f"Plan {at}", once=f"window {at}")
        failing, acknowledged = Failing(store, at), False
        with suppress(OutOfOrderError, StoreError):
            table.service.press.write(table.game.id, table.who("France"), draft)
            acknowledged = True
        failing.end()
        kept = [message.text for message in store.of(PressStore).of(table.game.id, None) if message.text == draft.text]
        assert len(kept) == 1 or (not kept and not acknowledged)
        assert told(table, BEN) == len(kept)
        table.service.press.write(table.game.id, table.who("France"), draft)  # its window sends it again
        assert [one.text for one in store.of(PressStore).of(table.game.id, None)].count(draft.text) == 1
        assert told(table, BEN) == 1 - len(kept)
        if not failing.failed:
            break
    assert at > 8, "hardly anything was asked of the database"


def test_how_far_one_has_read_is_kept_or_is_as_it_was(store: Store) -> None:
    table = Table(store)
    italy = table.who("Italy")
    for at in count(1):
        table.write("France", "Italy", f"Plan {at}")
        (thread,) = table.service.press.inbox(table.game.id, italy).threads
        failing, acknowledged = Failing(store, at), False
        with suppress(OutOfOrderError, StoreError):
            table.service.press.mark(table.game.id, italy, thread.key, thread.messages[-1].message.id)
            acknowledged = True
        failing.end()
        (thread,) = table.service.press.inbox(table.game.id, italy).threads
        assert not thread.unread if acknowledged else thread.unread <= at
        if not failing.failed:
            break
    assert at > 4, "hardly anything was asked of the database"


def test_a_motion_is_stored_with_its_vote_and_announced_or_not_at_all(store: Store) -> None:
    table = Table(store)
    table.sent()
    france = table.who("France")
    for at in count(1):
        failing, acknowledged = Failing(store, at), False
        with suppress(OutOfOrderError, StoreError):
            table.service.voting.move(table.game.id, france, "extend")
            acknowledged = True
        failing.end()
        found = table.service.voting.poll(table.game.id, france).motions
        assert len(found) == 1 or (not found and not acknowledged)
        assert all(motion.ballots.keys() == {"France"} for motion in found)
        assert told(table, BEN) == len(found)
        if not failing.failed:
            break
        with store.engine.begin() as connection:
            for rows in (schema.ballots, schema.motions, schema.notices):
                connection.execute(delete(rows))
    assert at > 8, "hardly anything was asked of the database"


def test_a_vote_is_the_one_before_or_the_new_one_and_the_new_one_once_it_is_acknowledged(store: Store) -> None:
    table = Table(store)
    italy = table.who("Italy")
    table.service.voting.move(table.game.id, table.who("France"), "draw")
    (motion,) = table.service.voting.poll(table.game.id, italy).motions
    before = None
    for at in count(1):
        wanted = bool(at % 2)
        failing, acknowledged = Failing(store, at), False
        with suppress(OutOfOrderError, StoreError):
            table.service.voting.vote(table.game.id, italy, motion.number, wanted)
            acknowledged = True
        failing.end()
        ballot = table.service.voting.poll(table.game.id, italy).motions[0].ballots.get(Power("Italy"))
        now = None if ballot is None else ballot.yes
        assert now is wanted if acknowledged else now in {before, wanted}
        before = now
        if not failing.failed:
            break
    assert at > 4, "hardly anything was asked of the database"
