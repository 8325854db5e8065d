"""Seats go from one to another: resigned, lent, taken over, given to a computer; each by a tenure of its own."""

from functools import partial

import pytest

from plenipo.engine.position import Power
from plenipo.server.errors import NoKey, NotYours, SeatRefused
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.settings import Settings
from plenipo.server.new_games import GameKeys, NewGameRequest
from plenipo.server.seats import SeatAct, find_end, with_names
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.values import entry_hash
from plenipo.server.submissions import Edit
from waiting import run_together

NAMES = {"Anna": "France", "Ben": "Italy", "Cleo": "Turkey"}


def running(service: GameService) -> tuple[GameKeys, Credentials, dict[str, str]]:
    """A game that has begun with three people, its host's credentials, and the keys of the three."""
    game = service.open(NewGameRequest("standard", {}, lobby=True))
    invited = service.credentials(game.id, [game.invitation])
    tokens = {name: service.lobby.join(game.id, invited, name, power) for name, power in NAMES.items()}
    host = service.credentials(game.id, [game.all_seats])
    service.lobby.start(game.id, host)
    return game, host, tokens


def of(service: GameService, game: GameKeys, token: str | None, person: str | None = None) -> Credentials:
    return service.credentials(game.id, [] if token is None else [token], person)


def submit_orders(service: GameService, game: GameKeys, who: Credentials, power: str, *orders: str) -> None:
    phase = service.view(game.id, Credentials(), None).phase_number
    service.orders.submit(game.id, who, power, phase, Edit(orders, whole=True))


def names(service: GameService, game: GameKeys) -> dict[str, str]:
    return {player.power: player.name for player in service.view(game.id, Credentials(), None).players}


def test_a_player_who_resigns_leaves_a_vacant_seat_that_the_game_does_not_wait_for(service: GameService) -> None:
    game, _, tokens = running(service)
    submit_orders(service, game, of(service, game, tokens["Anna"]), "France", "A PAR - BUR")
    service.handover.act(game.id, of(service, game, tokens["Anna"]), "France", "resign")
    with pytest.raises(NoKey):
        of(service, game, tokens["Anna"])
    assert names(service, game) == {"Italy": "Ben", "Turkey": "Cleo"}
    for name, power in (("Ben", "Italy"), ("Cleo", "Turkey")):
        service.orders.submit(game.id, of(service, game, tokens[name]), power, 1, Edit(ready=True))
    service.phases.process(game.id, of(service, game, game.all_seats), 1)
    turn = service.view(game.id, Credentials(), None).find_turn(0)
    assert "A PAR - BUR" in turn.orders[Power("France")]  # submitted orders count


def test_a_replacement_joins_by_a_link_and_the_key_of_the_former_player_opens_nothing(service: GameService) -> None:
    game, host, tokens = running(service)
    offer = service.handover.act(game.id, host, "France", "offer")
    assert offer is not None
    dora = service.handover.accept(game.id, of(service, game, offer), "Dora")
    with pytest.raises(NoKey):
        of(service, game, tokens["Anna"])
    with pytest.raises(NoKey):  # the offer is used up
        of(service, game, offer)
    submit_orders(service, game, of(service, game, dora), "France", "A PAR - BUR")
    tenures = service.view(game.id, host, None).tenures
    assert [(t.name, t.kind, t.until) for t in tenures if t.power == "France"] == [
        ("Anna", "player", 1),
        ("Dora", "substitute", None),
    ]


def test_the_sitter_of_a_lent_seat_orders_for_it_until_it_is_taken_back(service: GameService) -> None:
    game, host, tokens = running(service)
    anna = of(service, game, tokens["Anna"])
    with pytest.raises(NotYours):
        service.handover.act(game.id, host, "France", "lend")  # only who plays it lends it
    offer = service.handover.act(game.id, anna, "France", "lend")
    assert offer is not None
    dora = of(service, game, service.handover.accept(game.id, of(service, game, offer), "Dora"))
    submit_orders(service, game, dora, "France", "A PAR - BUR")
    with pytest.raises(NotYours, match="lent to Dora"):
        submit_orders(service, game, anna, "France", "A PAR H")
    with pytest.raises(SeatRefused, match="already lent to Dora"):
        service.handover.act(game.id, anna, "France", "lend")
    with pytest.raises(NotYours):
        service.handover.act(game.id, dora, "France", "resign")  # a sitter cannot lend the seat on
    service.handover.act(game.id, anna, "France", "take back")
    submit_orders(service, game, anna, "France", "A PAR H")


@pytest.mark.parametrize("act", ["resign", "lend", "take back", "offer", "withdraw", "remove", "computer"])
def test_no_player_changes_the_seat_of_another(service: GameService, act: SeatAct) -> None:
    game, _, tokens = running(service)
    for who in (of(service, game, tokens["Ben"]), Credentials()):
        with pytest.raises(NotYours):
            service.handover.act(game.id, who, "France", act, "sensible" if act == "computer" else "")
    assert names(service, game) == {power: name for name, power in NAMES.items()}


def test_a_computer_plays_until_a_replacement_takes_over(service: GameService) -> None:
    game, host, tokens = running(service)
    service.handover.act(game.id, host, "France", "remove")
    service.handover.act(game.id, host, "France", "computer", "sensible")
    assert service.view(game.id, host, None).computers[Power("France")] == "sensible"
    offer = service.handover.act(game.id, host, "France", "offer")
    assert offer is not None
    dora = of(service, game, service.handover.accept(game.id, of(service, game, offer), "Dora"))
    assert dora.powers == ("France",)
    assert service.view(game.id, host, None).computers[Power("France")] == ""
    submit_orders(service, game, dora, "France", "A PAR - BUR")
    assert of(service, game, tokens["Ben"]).powers == ("Italy",)


def test_each_tenure_ends_by_an_entry_of_its_own_in_the_game_log(service: GameService) -> None:
    game, host, _ = running(service)

    def offered(act: SeatAct, name: str, who: Credentials) -> Credentials:
        offer = service.handover.act(game.id, who, "France", act)
        assert offer is not None
        return of(service, game, service.handover.accept(game.id, of(service, game, offer), name))

    offered("offer", "Dora", host)
    service.handover.act(game.id, host, "France", "remove")
    service.handover.act(game.id, host, "France", "computer", "sensible")
    emil = offered("offer", "Emil", host)
    offered("lend", "Fay", emil)
    service.handover.act(game.id, emil, "France", "take back")
    offered("lend", "Gus", emil)
    service.handover.act(game.id, emil, "France", "resign")
    tenures, journal = service.games.load(game.id).tenures, service.journal(game.id)
    found = {one.name: find_end(one, tenures, journal) for one in tenures}
    assert {name: entry and with_names(entry.statement, tenures) for name, entry in found.items()} == {
        "Anna": "Dora plays France from now on.",
        "Ben": None,
        "Cleo": None,
        "Dora": "The host took the seat of France from Dora; France is vacant.",
        "Emil": "Emil resigned; France is vacant.",
        "Fay": "Fay has stopped playing France for Emil.",
        "Gus": "Emil resigned; France is vacant.",
    }


def test_no_player_plays_two_seats_at_once_or_in_turn(service: GameService) -> None:
    accounts_of = {"Anna": "a" * 20, "Ben": "b" * 20}
    with service.store.engine.begin() as connection:
        for name, person in accounts_of.items():
            connection.exec_driver_sql(
                "INSERT INTO persons (id, name, created) VALUES (?, ?, '2026-01-01 00:00:00')", (person, name)
            )
    game = service.open(NewGameRequest("standard", {}, lobby=True))
    anna = service.credentials(game.id, [game.invitation], accounts_of["Anna"])
    service.lobby.join(game.id, anna, "Anna", "France")
    with pytest.raises(SeatRefused, match="each person has one seat"):
        service.lobby.join(game.id, anna, "Annie", "Italy")
    service.lobby.join(game.id, service.credentials(game.id, [game.invitation], accounts_of["Ben"]), "Ben", "Italy")
    host = service.credentials(game.id, [game.all_seats])
    service.lobby.start(game.id, host)
    service.handover.act(game.id, service.credentials(game.id, [], accounts_of["Anna"]), "France", "resign")
    offer = service.handover.act(game.id, host, "Italy", "offer")
    with pytest.raises(SeatRefused, match="You have seen this game as France"):
        service.handover.accept(game.id, of(service, game, offer, accounts_of["Anna"]), "Anna")
    with pytest.raises(SeatRefused, match="You already play Italy"):
        service.handover.accept(game.id, of(service, game, offer, accounts_of["Ben"]), "Benedict")


def test_only_one_of_many_players_gets_an_offered_seat(service: GameService) -> None:
    game, host, _ = running(service)
    offer = service.handover.act(game.id, host, "France", "offer")
    assert offer is not None
    shown = of(service, game, offer)
    names = ("Dora", "Emil", "Fritz", "Gerd")
    answers = run_together(*(partial(service.handover.accept, game.id, shown, name) for name in names))
    assert sum(isinstance(answer, NoKey | SeatRefused) for answer in answers) == 3
    assert len([t for t in service.view(game.id, host, None).players if t.power == "France"]) == 1


def test_preferences_are_met_and_stay_private(service: GameService) -> None:
    game = service.open(NewGameRequest("standard", {}, lobby=True, settings=Settings(deal="preferences")))
    invited = service.credentials(game.id, [game.invitation])
    anna = of(service, game, service.lobby.join(game.id, invited, "Anna", "France", "Italy"))
    ben = of(service, game, service.lobby.join(game.id, invited, "Ben", "France"))
    assert anna.player is not None
    assert ben.player is not None
    with pytest.raises(NotYours):
        service.lobby.preference(game.id, ben, anna.player, ["Turkey"])
    service.lobby.preference(game.id, ben, ben.player, ["France", "Turkey"])
    assert all(player.power == "" for player in service.view(game.id, ben, None).players)
    service.lobby.start(game.id, service.credentials(game.id, [game.all_seats]))
    powers = {player.name: player.power for player in service.view(game.id, Credentials(), None).players}
    assert powers in ({"Anna": "France", "Ben": "Turkey"}, {"Anna": "Italy", "Ben": "France"})
    assert any("squared ranks add up to 1" in entry.text for entry in service.journal(game.id))


def test_the_host_assigns_the_powers_where_the_settings_say_so(service: GameService) -> None:
    game = service.open(NewGameRequest("standard", {}, lobby=True, settings=Settings(deal="host")))
    invited = service.credentials(game.id, [game.invitation])
    host = service.credentials(game.id, [game.all_seats])
    anna = of(service, game, service.lobby.join(game.id, invited, "Anna"))
    assert anna.player is not None
    service.lobby.preference(game.id, host, anna.player, ["Russia"])
    service.lobby.start(game.id, host)
    assert names(service, game) == {"Russia": "Anna"}


def test_powers_are_dealt_by_the_games_dice_alone_where_it_is_set_so(service: GameService) -> None:
    game = service.open(NewGameRequest("standard", {}, lobby=True, settings=Settings(deal="drawn")))
    invited = service.credentials(game.id, [game.invitation])
    service.lobby.join(game.id, invited, "Anna", "France")
    assert service.view(game.id, Credentials(), None).players[0].power == ""
    service.lobby.start(game.id, service.credentials(game.id, [game.all_seats]))
    assert service.view(game.id, Credentials(), None).players[0].power != ""


def test_the_journal_is_a_chain(service: GameService, store: Store) -> None:
    game, host, tokens = running(service)
    service.handover.act(game.id, of(service, game, tokens["Anna"]), "France", "resign")
    service.handover.act(game.id, host, "France", "computer", "sensible")
    entries = service.journal(game.id)
    assert [entry.kind for entry in entries] == ["begun", "resign", "computer"]
    before = game.id
    for entry in entries:
        row = {"number": entry.number, "at": entry.at, "phase_number": entry.phase_number}
        before = entry_hash(before, {**row, "kind": entry.kind, "text": entry.text, "sentence": entry.sentence})
        assert entry.hash == before
    tenures = service.view(game.id, host, None).tenures
    assert with_names(store.journal(game.id)[1].text, tenures) == "Anna resigned; France is vacant."
