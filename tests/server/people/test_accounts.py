"""Accounts: guests, codes by mail, recovery words, devices, and leaving nothing behind."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from plenipo.server.errors import CodeRefused, SeatRefused, TooOften
from plenipo.server.new_games import NewGameRequest
from plenipo.server.people.accounts import Account, Accounts, SignedIn
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.persons import Persons, StoredPerson
from plenipo.server.submissions import Edit
from server.clocks import ManualClock
from waiting import run_together

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOON)


@pytest.fixture
def accounts(store: Store, clock: ManualClock) -> Accounts:
    return Accounts(store.of(Persons), clock)


def mailed(accounts: Accounts, to: str) -> tuple[str, str]:
    """The digits and the link of the newest mail to an address."""
    posts = [post for post, _ in accounts.persons.take_posts(accounts.clock.now()) if post.to == to]
    code, link = re.search(r"(\d{6})", posts[-1].body), re.search(r"/sign-in/(\S+)", posts[-1].body)
    assert code is not None
    assert link is not None
    return code[1], link[1]


def claimed(accounts: Accounts, name: str, mail: str) -> SignedIn:
    guest = accounts.guest(name)
    asked = accounts.send_code(mail)
    return accounts.confirm(asked, mailed(accounts, mail)[0], guest.person)


def test_a_guest_is_a_name_and_a_session(accounts: Accounts) -> None:
    guest = accounts.guest("Anna", "Firefox on Linux")
    assert accounts.of(guest.token) == guest.person
    assert accounts.of("something else") is None
    account = accounts.account(guest.person, guest.token)
    assert [session.device for session in account.sessions] == ["Firefox on Linux"]
    assert (account.mail, account.words) == ("", False)


@pytest.mark.parametrize("name", ["", "GM", "x" * 41, "P\u0430ul"])
def test_a_name_that_deceives_makes_no_guest(accounts: Accounts, name: str) -> None:
    with pytest.raises(SeatRefused):
        accounts.guest(name)


def test_a_guest_claims_the_own_games_by_a_code_and_returns_from_another_browser(accounts: Accounts) -> None:
    anna = claimed(accounts, "Anna", "anna@example.org")
    asked = accounts.send_code("Anna@Example.org ")
    again = accounts.confirm(asked, mailed(accounts, "anna@example.org")[0], None, "Safari on iPhone")
    assert again.person == anna.person
    assert again.token != anna.token


def test_a_guest_of_another_browser_becomes_the_person_of_the_address(accounts: Accounts, service: GameService) -> None:
    anna = claimed(accounts, "Anna", "anna@example.org")
    guest = accounts.guest("Annie")
    game = service.open(NewGameRequest("standard", {}, lobby=True))
    service.lobby.join(game.id, service.credentials(game.id, [game.invitation], guest.person.id), "Annie", "France")
    asked = accounts.send_code("anna@example.org")
    accounts.confirm(asked, mailed(accounts, "anna@example.org")[0], guest.person)
    assert [found.id for found in accounts.games(anna.person)] == [game.id]
    assert service.credentials(game.id, [], anna.person.id).player == 1
    assert service.credentials(game.id, [], guest.person.id).player is None


def test_a_code_is_good_for_fifteen_minutes_five_tries_and_once(accounts: Accounts, clock: ManualClock) -> None:
    asked = accounts.send_code("anna@example.org")
    digits, link = mailed(accounts, "anna@example.org")
    wrong = "000000" if digits != "000000" else "000001"
    for _ in range(4):
        with pytest.raises(CodeRefused, match="is not the code"):
            accounts.confirm(asked, wrong, None)
    with pytest.raises(CodeRefused):
        accounts.confirm(asked, wrong, None)
    with pytest.raises(CodeRefused, match="has expired"):
        accounts.confirm(asked, digits, None)
    with pytest.raises(CodeRefused, match="has expired"):
        accounts.follow(link, None)
    asked = accounts.send_code("anna@example.org")
    digits, _ = mailed(accounts, "anna@example.org")
    accounts.confirm(asked, f" {digits[:3]} {digits[3:]} ", None)
    with pytest.raises(CodeRefused):
        accounts.confirm(asked, digits, None)
    asked = accounts.send_code("anna@example.org")
    digits, _ = mailed(accounts, "anna@example.org")
    clock.time += timedelta(minutes=15)
    with pytest.raises(CodeRefused):
        accounts.confirm(asked, digits, None)


def test_a_code_is_worth_nothing_in_a_browser_that_did_not_ask(accounts: Accounts) -> None:
    accounts.send_code("anna@example.org")
    digits, _ = mailed(accounts, "anna@example.org")
    other = accounts.send_code("mallory@example.org")
    with pytest.raises(CodeRefused):
        accounts.confirm(other, digits, None)


def test_of_two_that_use_a_link_at_once_one_signs_in(accounts: Accounts) -> None:
    accounts.send_code("anna@example.org")
    _, link = mailed(accounts, "anna@example.org")
    assert accounts.code_of_link(link) == ("anna@example.org", False)
    answers = run_together(*4 * [lambda: accounts.follow(link, None)])
    assert sum(isinstance(answer, CodeRefused) for answer in answers) == 3
    assert accounts.code_of_link(link) is None


def test_codes_are_limited_for_each_address(accounts: Accounts, clock: ManualClock) -> None:
    for _ in range(3):
        accounts.send_code("anna@example.org")
    with pytest.raises(TooOften, match="to one mail address"):
        accounts.send_code("ANNA@example.org")
    accounts.send_code("ben@example.org")
    clock.time += timedelta(hours=1)
    accounts.send_code("anna@example.org")


@pytest.mark.parametrize("mail", ["", "anna", "anna@", "a b@example.org", "anna@example", "a" * 300 + "@example.org"])
def test_what_is_no_address_is_refused(accounts: Accounts, mail: str) -> None:
    with pytest.raises(CodeRefused, match="is not an email address"):
        accounts.send_code(mail)


def test_recovery_words_sign_in_until_new_ones_are_made(accounts: Accounts) -> None:
    guest = accounts.guest("Anna")
    words = accounts.new_words(guest.person)
    assert len(words.split()) == 8
    assert accounts.by_words(f"  {words.upper()} ", None).person == guest.person
    newer = accounts.new_words(guest.person)
    with pytest.raises(CodeRefused):
        accounts.by_words(words, None)
    assert accounts.by_words(newer, None).person == guest.person


def test_the_last_way_to_come_back_is_not_taken_away(accounts: Accounts) -> None:
    anna = claimed(accounts, "Anna", "anna@example.org").person
    with pytest.raises(CodeRefused, match="make recovery words first"):
        accounts.remove_way(anna, "mail", "anna@example.org")
    accounts.new_words(anna)
    accounts.remove_way(anna, "mail", "anna@example.org")
    assert [way.kind for way in accounts.persons.ways(anna.id)] == ["words"]


def test_one_signs_out_in_one_browser_and_in_all_others(accounts: Accounts) -> None:
    anna = claimed(accounts, "Anna", "anna@example.org")
    words = accounts.new_words(anna.person)
    others = [accounts.by_words(words, None) for _ in range(3)]
    account: Account = accounts.account(anna.person, others[0].token)
    accounts.sign_out(anna.person, account.here)
    assert accounts.of(others[0].token) is None
    accounts.sign_out_elsewhere(anna.person, anna.token)
    assert [accounts.of(one.token) for one in others] == [None] * 3
    assert accounts.of(anna.token) == anna.person


def test_tokens_codes_and_words_are_nowhere_in_the_database(accounts: Accounts, store: Store, tmp_path: Path) -> None:
    guest = accounts.guest("Anna")
    words = accounts.new_words(guest.person)
    asked = accounts.send_code("anna@example.org")
    digits, link = mailed(accounts, "anna@example.org")
    for post, _ in accounts.persons.take_posts(accounts.clock.now() + timedelta(hours=1)):
        accounts.persons.mark_sent(post.id, accounts.clock.now())
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("games.sqlite*"))
    store.close()
    whole = (tmp_path / "games.sqlite").read_bytes()
    assert b"Anna" in kept + whole
    for secret in (guest.token, words, asked):
        assert secret.encode() not in kept + whole
    assert (len(digits), bool(link)) == (6, True)  # they were in the mail, of which nothing is kept once it is sent
    rows = Store(str(tmp_path / "games.sqlite")).of(Persons).take_posts(accounts.clock.now() + timedelta(days=9))
    assert rows == ()


def test_only_the_orders_of_a_deleted_account_remain(accounts: Accounts, service: GameService, store: Store) -> None:
    mark = "Zephyrine"
    anna = claimed(accounts, mark, "zephyrine@example.org").person
    game = service.open(NewGameRequest("standard", {}, lobby=True))
    mine = service.credentials(game.id, [game.invitation], anna.id)
    service.lobby.join(game.id, mine, mark, "France")
    service.lobby.start(game.id, service.credentials(game.id, [game.all_seats]))
    service.orders.submit(game.id, service.credentials(game.id, [], anna.id), "France", 1, Edit(("A PAR - BUR",)))
    mine_all = accounts.everything(anna)
    assert [order_set["orders"] for order_set in mine_all["orders"]] == [["A PAR - BUR"]]
    assert mine_all["ways"][0]["address"] == "zephyrine@example.org"
    accounts.delete(anna)
    assert accounts.persons.find(anna.id) is None
    with store.engine.connect() as connection:
        dump = "\n".join(connection.connection.driver_connection.iterdump())  # type: ignore[union-attr]
    assert mark.casefold() not in dump.casefold()
    assert anna.id not in dump
    view = service.view(game.id, service.credentials(game.id, [game.all_seats]), None)
    assert [player.name for player in view.players] == ["a player who left"]
    assert "A PAR - BUR" in dump


def test_a_name_is_changed(accounts: Accounts) -> None:
    guest: StoredPerson = accounts.guest("Anna").person
    accounts.rename(guest, " Annie ")
    found = accounts.persons.find(guest.id)
    assert found is not None
    assert found.name == "Annie"


def test_no_account_changes_its_address_long_after_signing_in(accounts: Accounts, clock: ManualClock) -> None:
    anna = claimed(accounts, "Anna", "anna@example.org")
    assert accounts.is_fresh(anna.person, anna.token)
    clock.time += timedelta(hours=1)
    assert not accounts.is_fresh(anna.person, anna.token)
    asked = accounts.send_code("thief@example.org")
    digits, _ = mailed(accounts, "thief@example.org")
    with pytest.raises(CodeRefused, match="more than an hour ago"):
        accounts.confirm(asked, digits, anna.person, fresh=False)
    assert [way.identifier for way in accounts.persons.ways(anna.person.id)] == ["anna@example.org"]
    asked = accounts.send_code("anna@example.org")  # confirming her own address makes the session fresh
    again = accounts.confirm(asked, mailed(accounts, "anna@example.org")[0], anna.person, fresh=False)
    assert accounts.is_fresh(again.person, again.token)


def test_a_guest_is_signed_out_everywhere_when_the_seats_move(accounts: Accounts) -> None:
    claimed(accounts, "Anna", "anna@example.org")
    guest = accounts.guest("Annie")
    asked = accounts.send_code("anna@example.org")
    done = accounts.confirm(asked, mailed(accounts, "anna@example.org")[0], guest.person)
    assert accounts.of(guest.token) is None
    assert done.undo


def test_a_move_of_seats_cannot_be_undone_after_a_day_nor_twice(
    accounts: Accounts, service: GameService, clock: ManualClock
) -> None:
    anna = claimed(accounts, "Anna", "anna@example.org")
    for hours, undone in ((23, True), (25, False)):
        guest = accounts.guest("Annie")
        game = service.open(NewGameRequest("standard", {}, lobby=True))
        service.lobby.join(game.id, service.credentials(game.id, [game.invitation], guest.person.id), "Annie", "France")
        done = accounts.confirm(
            accounts.send_code("anna@example.org"), mailed(accounts, "anna@example.org")[0], guest.person
        )
        clock.time += timedelta(hours=hours)
        if undone:
            assert accounts.undo_merge(done.undo).person == guest.person
            assert service.credentials(game.id, [], guest.person.id).player == 1
            with pytest.raises(CodeRefused, match="too late to undo"):
                accounts.undo_merge(done.undo)
        else:
            with pytest.raises(CodeRefused, match="too late to undo"):
                accounts.undo_merge(done.undo)
            assert service.credentials(game.id, [], anna.person.id).player == 1
