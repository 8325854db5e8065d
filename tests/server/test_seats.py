"""Seats go from one to another: resigned, lent, taken over, given to a computer; each by a tenure of its own."""

from functools import partial

import pytest

from plenipo.engine.position import Power
from plenipo.server.errors import NoKey, NotYours, SeatRefused
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.settings import Settings
from plenipo.server.new_games import GameKeys, NewGame
from plenipo.server.seats import SeatAct, with_names
from plenipo.server.service import Host
from plenipo.server.store import Store
from plenipo.server.store.values import entry_hash
from plenipo.server.submissions import Edit
from waiting import run_together

NAMES = {"Anna": "France", "Ben": "Italy", "Cleo": "Turkey"}


def running(host: Host) -> tuple[GameKeys, Credentials, dict[str, str]]:
    """A game that has begun with three people, its keeper's credentials, and the keys of the three."""
    game = host.open(NewGame("standard", {}, lobby=True))
    invited = host.credentials(game.id, [game.invitation])
    tokens = {name: host.join(game.id, invited, name, power) for name, power in NAMES.items()}
    keeper = host.credentials(game.id, [game.all_seats])
    host.start(game.id, keeper)
    return game, keeper, tokens


def of(host: Host, game: GameKeys, token: str | None, person: str | None = None) -> Credentials:
    return host.credentials(game.id, [] if token is None else [token], person)


def hand_in(host: Host, game: GameKeys, who: Credentials, power: str, *orders: str) -> None:
    phase = host.view(game.id, Credentials(), None).phase_number
    host.hand_in(game.id, who, power, phase, Edit(orders, whole=True))


def names(host: Host, game: GameKeys) -> dict[str, str]:
    return {player.power: player.name for player in host.view(game.id, Credentials(), None).players}


def test_who_resigns_leaves_a_vacant_seat_that_nobody_waits_for(host: Host) -> None:
    game, _, tokens = running(host)
    hand_in(host, game, of(host, game, tokens["Anna"]), "France", "A PAR - BUR")
    host.act_on_seat(game.id, of(host, game, tokens["Anna"]), "France", "resign")
    with pytest.raises(NoKey):
        of(host, game, tokens["Anna"])
    assert names(host, game) == {"Italy": "Ben", "Turkey": "Cleo"}
    for name, power in (("Ben", "Italy"), ("Cleo", "Turkey")):
        host.hand_in(game.id, of(host, game, tokens[name]), power, 1, Edit(ready=True))
    host.process(game.id, of(host, game, game.all_seats), 1)
    turn = host.view(game.id, Credentials(), None).played(0)
    assert "A PAR - BUR" in turn.orders[Power("France")]  # what was handed in counts


def test_a_substitute_sits_down_by_a_link_and_the_key_of_who_left_opens_nothing(host: Host) -> None:
    game, keeper, tokens = running(host)
    offer = host.act_on_seat(game.id, keeper, "France", "offer")
    assert offer is not None
    dora = host.accept(game.id, of(host, game, offer), "Dora")
    with pytest.raises(NoKey):
        of(host, game, tokens["Anna"])
    with pytest.raises(NoKey):  # the offer is used up
        of(host, game, offer)
    hand_in(host, game, of(host, game, dora), "France", "A PAR - BUR")
    tenures = host.view(game.id, keeper, None).tenures
    assert [(t.name, t.kind, t.until) for t in tenures if t.power == "France"] == [
        ("Anna", "player", 1),
        ("Dora", "substitute", None),
    ]


def test_a_lent_seat_is_ordered_for_by_who_borrowed_it_until_it_is_taken_back(host: Host) -> None:
    game, keeper, tokens = running(host)
    anna = of(host, game, tokens["Anna"])
    with pytest.raises(NotYours):
        host.act_on_seat(game.id, keeper, "France", "lend")  # only who plays it lends it
    offer = host.act_on_seat(game.id, anna, "France", "lend")
    assert offer is not None
    dora = of(host, game, host.accept(game.id, of(host, game, offer), "Dora"))
    hand_in(host, game, dora, "France", "A PAR - BUR")
    with pytest.raises(NotYours, match="lent to Dora"):
        hand_in(host, game, anna, "France", "A PAR H")
    with pytest.raises(SeatRefused, match="lent to Dora already"):
        host.act_on_seat(game.id, anna, "France", "lend")
    with pytest.raises(NotYours):
        host.act_on_seat(game.id, dora, "France", "resign")  # who borrows a seat gives it to nobody
    host.act_on_seat(game.id, anna, "France", "take back")
    hand_in(host, game, anna, "France", "A PAR H")


@pytest.mark.parametrize("act", ["resign", "lend", "take back", "offer", "withdraw", "remove", "computer"])
def test_nobody_acts_on_the_seat_of_another(host: Host, act: SeatAct) -> None:
    game, _, tokens = running(host)
    for who in (of(host, game, tokens["Ben"]), Credentials()):
        with pytest.raises(NotYours):
            host.act_on_seat(game.id, who, "France", act, "sensible" if act == "computer" else "")
    assert names(host, game) == {power: name for name, power in NAMES.items()}


def test_a_computer_is_a_bridge_until_somebody_takes_over(host: Host) -> None:
    game, keeper, tokens = running(host)
    host.act_on_seat(game.id, keeper, "France", "remove")
    host.act_on_seat(game.id, keeper, "France", "computer", "sensible")
    assert host.view(game.id, keeper, None).computers[Power("France")] == "sensible"
    offer = host.act_on_seat(game.id, keeper, "France", "offer")
    assert offer is not None
    dora = of(host, game, host.accept(game.id, of(host, game, offer), "Dora"))
    assert dora.powers == ("France",)
    assert host.view(game.id, keeper, None).computers[Power("France")] == ""
    hand_in(host, game, dora, "France", "A PAR - BUR")
    assert of(host, game, tokens["Ben"]).powers == ("Italy",)


def test_nobody_plays_two_seats_or_a_seat_after_another(host: Host) -> None:
    accounts_of = {"Anna": "a" * 20, "Ben": "b" * 20}
    with host.store.engine.begin() as connection:
        for name, person in accounts_of.items():
            connection.exec_driver_sql(
                "INSERT INTO persons (id, name, created) VALUES (?, ?, '2026-01-01 00:00:00')", (person, name)
            )
    game = host.open(NewGame("standard", {}, lobby=True))
    anna = host.credentials(game.id, [game.invitation], accounts_of["Anna"])
    host.join(game.id, anna, "Anna", "France")
    with pytest.raises(SeatRefused, match="one person has one seat"):
        host.join(game.id, anna, "Annie", "Italy")
    host.join(game.id, host.credentials(game.id, [game.invitation], accounts_of["Ben"]), "Ben", "Italy")
    keeper = host.credentials(game.id, [game.all_seats])
    host.start(game.id, keeper)
    host.act_on_seat(game.id, host.credentials(game.id, [], accounts_of["Anna"]), "France", "resign")
    offer = host.act_on_seat(game.id, keeper, "Italy", "offer")
    with pytest.raises(SeatRefused, match="You have seen this game as France"):
        host.accept(game.id, of(host, game, offer, accounts_of["Anna"]), "Anna")
    with pytest.raises(SeatRefused, match="You play Italy already"):
        host.accept(game.id, of(host, game, offer, accounts_of["Ben"]), "Benedict")


def test_of_many_who_take_an_offered_seat_at_once_one_gets_it(host: Host) -> None:
    game, keeper, _ = running(host)
    offer = host.act_on_seat(game.id, keeper, "France", "offer")
    assert offer is not None
    shown = of(host, game, offer)
    names = ("Dora", "Emil", "Fritz", "Gerd")
    answers = run_together(*(partial(host.accept, game.id, shown, name) for name in names))
    assert sum(isinstance(answer, NoKey | SeatRefused) for answer in answers) == 3
    assert len([t for t in host.view(game.id, keeper, None).players if t.power == "France"]) == 1


def test_wishes_are_met_and_stay_private(host: Host) -> None:
    game = host.open(NewGame("standard", {}, lobby=True, settings=Settings(deal="wishes")))
    invited = host.credentials(game.id, [game.invitation])
    anna = of(host, game, host.join(game.id, invited, "Anna", "France", "Italy"))
    ben = of(host, game, host.join(game.id, invited, "Ben", "France"))
    assert anna.player is not None
    assert ben.player is not None
    with pytest.raises(NotYours):
        host.wish(game.id, ben, anna.player, ["Turkey"])
    host.wish(game.id, ben, ben.player, ["France", "Turkey"])
    assert all(player.power == "" for player in host.view(game.id, ben, None).players)
    host.start(game.id, host.credentials(game.id, [game.all_seats]))
    powers = {player.name: player.power for player in host.view(game.id, Credentials(), None).players}
    assert powers in ({"Anna": "France", "Ben": "Turkey"}, {"Anna": "Italy", "Ben": "France"})
    assert any("squared ranks add up to 1" in entry.text for entry in host.journal(game.id))


def test_the_keeper_says_who_plays_what_where_the_game_is_set_so(host: Host) -> None:
    game = host.open(NewGame("standard", {}, lobby=True, settings=Settings(deal="keeper")))
    invited = host.credentials(game.id, [game.invitation])
    keeper = host.credentials(game.id, [game.all_seats])
    anna = of(host, game, host.join(game.id, invited, "Anna"))
    assert anna.player is not None
    host.wish(game.id, keeper, anna.player, ["Russia"])
    host.start(game.id, keeper)
    assert names(host, game) == {"Russia": "Anna"}


def test_powers_are_dealt_by_the_games_dice_alone_where_it_is_set_so(host: Host) -> None:
    game = host.open(NewGame("standard", {}, lobby=True, settings=Settings(deal="drawn")))
    invited = host.credentials(game.id, [game.invitation])
    host.join(game.id, invited, "Anna", "France")
    assert host.view(game.id, Credentials(), None).players[0].power == ""
    host.start(game.id, host.credentials(game.id, [game.all_seats]))
    assert host.view(game.id, Credentials(), None).players[0].power != ""


def test_the_journal_is_a_chain(host: Host, store: Store) -> None:
    game, keeper, tokens = running(host)
    host.act_on_seat(game.id, of(host, game, tokens["Anna"]), "France", "resign")
    host.act_on_seat(game.id, keeper, "France", "computer", "sensible")
    entries = host.journal(game.id)
    assert [entry.kind for entry in entries] == ["begun", "resign", "computer"]
    before = game.id
    for entry in entries:
        row = {"number": entry.number, "at": entry.at, "phase_number": entry.phase_number}
        before = entry_hash(before, {**row, "kind": entry.kind, "text": entry.text})
        assert entry.hash == before
    tenures = host.view(game.id, keeper, None).tenures
    assert with_names(store.journal(game.id)[1].text, tenures) == "Anna resigned; France is vacant."
