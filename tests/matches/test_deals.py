"""Deals in matches: programs receive and answer offers, and whatever one says or does, the phase goes on."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from plenipo import library
from plenipo.bots import BOTS
from plenipo.bots.deals.talks import Talks
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.errors import UnknownName
from plenipo.matches.lineup import Match
from plenipo.matches.players import Function, OrderRequest, Player, find_installed_player
from plenipo.matches.programs import KEYS, TALK_KEYS, DealingProgram, line
from plenipo.matches.referee import Played, play
from plenipo.matches.report import count_deals
from plenipo.matches.run import decode_game, encode_game, player
from table import standard

FRANCE, GERMANY = Power("France"), Power("Germany")
SEED = bytes(range(32))
SENSIBLE = Function("sensible", BOTS["sensible"])

PARTNER = """
import json, sys
for text in sys.stdin:
    asked = json.loads(text)
    if "partners" not in asked:
        print(json.dumps({"orders": ANSWER_ORDERS}), flush=True)
        continue
    SAY
"""
"""A program that holds with all units unless it has promised something else, and negotiates in some way."""

ORDERS = """[clause["order"] for deal in asked["deals"] for clause, verdict in zip(deal["clauses"], deal["verdicts"])
    if clause["power"] == asked["power"] and "order" in clause and verdict is None]"""

OFFERS_PEACE = """
    peace = {"with": "Germany", "clauses": [{"power": "France", "keep_out": ["MUN"], "movements": 2},
        {"power": "Germany", "keep_out": ["PAR"], "movements": 2}, {"power": "France", "order": "A MAR H"},
        {"power": "Germany", "show": True}]}
    print(json.dumps({"offers": [peace] if asked["step"] == 0 and not asked["deals"] else []}), flush=True)
"""

ACCEPTS = """
    print(json.dumps({"answers": {str(offer["number"]): True for offer in asked["offers"]}}), flush=True)
"""

BAD: Mapping[str, tuple[str, str]] = {
    "nonsense": (
        "    print('peace in our time', flush=True)",
        "'bad+deals' printed 'peace in our time', which is not a JSON line.",
    ),
    "orders": (
        "    print(json.dumps({'orders': []}), flush=True)",
        "'bad+deals' printed '{\"orders\": []}'; in a negotiation an answer is like",
    ),
    "a list": ("    print('[1]', flush=True)", "'bad+deals': [1] is no answer; one is like"),
    "an offer that is none": (
        "    print(json.dumps({'offers': ['love']}), flush=True)",
        "'bad+deals': 'love' is no offer; one is like",
    ),
    "an offer for another power": (
        "    print(json.dumps({'offers': [{'from': 'Italy', 'with': 'Germany', 'clauses': []}]}), flush=True)",
        "'bad+deals': France cannot propose a deal for 'Italy'.",
    ),
    "a flood": (
        "    print(json.dumps({'offers': [{'with': 'Germany', 'clauses': [{'power': 'France', 'show': True}]}] * 500}),"
        " flush=True)",
        "France makes 7 offers at once; the first 6 are passed on.",
    ),
    "nothing": ("    pass", "'bad+deals' gave no orders within"),
    "its death": ("    sys.exit(3)", "'bad+deals' ended."),
}


def program(tmp_path: Path, name: str, say: str, limit: float = 20.0) -> DealingProgram:
    file = tmp_path / f"{name}.py"
    file.write_text(PARTNER.replace("ANSWER_ORDERS", ORDERS).replace("    SAY", say.strip("\n")), encoding="utf-8")
    return DealingProgram(f"{name}+deals", [sys.executable, str(file)], limit, 60.0)


def meet(france: Player, germany: Player) -> Played:
    """A year of France and Germany among others who do not negotiate."""
    rules = standard()
    seats: dict[Power, Player] = dict.fromkeys(rules.names, SENSIBLE)
    seats[FRANCE], seats[GERMANY] = france, germany
    try:
        return play(rules, seats, SENSIBLE, seed=SEED, years=1)
    finally:
        for one in (france, germany):
            if isinstance(one, DealingProgram):
                one.close()


def test_two_programs_make_a_deal_keep_it_and_the_game_tells_of_it(tmp_path: Path) -> None:
    played = meet(program(tmp_path, "first", OFFERS_PEACE), program(tmp_path, "second", ACCEPTS))
    assert played.faults == played.remarks == ()
    (deal,) = played.deals
    assert (deal.proposer, deal.partner, deal.phase) == ("France", "Germany", "Spring 1901 movement")
    assert deal.clauses == (
        ("France", "France moves nothing into MUN in 2 movements", "kept"),
        ("Germany", "Germany moves nothing into PAR in 2 movements", "kept"),
        ("France", "France orders A MAR H", "kept"),
        ("Germany", "Germany shows its orders", "kept"),
    )
    assert "A MAR H" in played.turns[0].orders["France"]
    match = Match("standard", tuple(played.seats.values()), SEED)
    assert decode_game(encode_game(match, played))[2] == played
    assert count_deals([played]) == {"first+deals": (1, 2, 0), "second+deals": (1, 2, 0)}


@pytest.mark.parametrize(("say", "told"), BAD.values(), ids=BAD)
def test_whatever_a_partner_says_or_does_the_phase_goes_on(say: str, told: str, tmp_path: Path) -> None:
    limit = 1.0 if "pass" in say else 20.0
    bad = program(tmp_path, "bad", say, limit)
    if "pass" in say:
        bad.first = 1.0
    played = meet(bad, find_installed_player("quick+loyal", 10))
    assert played.years == 1
    assert played.remarks
    assert played.remarks[0].sentence.startswith(told)
    assert {remark.power for remark in played.remarks} == {"France"}
    assert len(played.remarks) <= 3 * 2  # at most one in each step of a movement


def test_a_line_of_a_negotiation_has_the_offers_and_the_line_of_orders_the_deals() -> None:
    game = Game.new(standard())
    legal = Legality(game.rules, game.position).orders_of(FRANCE)
    asked = OrderRequest(view(game, FRANCE, {}), legal, 0, SEED)
    plain = json.loads(line(asked))
    assert not {*TALK_KEYS} & {*plain}
    assert {*KEYS} - {"last"} <= {*plain}
    ordering = json.loads(line(asked._replace(talks=Talks(0))))
    assert {*TALK_KEYS} & {*ordering} == {"deals", "breaches", "shown"}
    talking = json.loads(line(asked._replace(talks=Talks(0, (GERMANY,)))))
    assert {*TALK_KEYS} <= {*talking}


def test_functions_of_files_make_no_deals(tmp_path: Path) -> None:
    match = Match("standard", ("mine+deals",), SEED, sources=(("mine", f"{tmp_path}/mine.py:play"),))
    with pytest.raises(UnknownName, match="'mine\\+deals' is a function, and makes no deals"):
        player(match, "mine+deals")


def test_dealing_players_of_all_styles_play_a_year() -> None:
    for style in ("deals", "traitor", "trusting"):
        one = find_installed_player(f"quick+{style}", 10)
        played = meet(one, one)
        assert played.faults == played.remarks == ()
        assert played.asked[one.name] > 0
    assert library.names()
