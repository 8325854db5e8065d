"""Whole games through the language: every order, result, map and position, in several variants."""

import pytest

from plenipo import library
from plenipo.bots import BOTS, orders_of
from plenipo.daide.grammar import check_from_client, check_from_server
from plenipo.daide.orders import OrderDraft, OrderReceiver
from plenipo.daide.reports import (
    BracketContent,
    describe_centres,
    describe_position,
    describe_turn,
    find_route,
    owners_changed,
    write_order,
)
from plenipo.daide.tokens import Token, as_text, build, nest, parts_of
from plenipo.daide.vocabulary import TokenVocabulary, describe_map, vocabulary_of
from plenipo.engine.board import Code, Location, UnitKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.orders import Move, Order, Waive
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.errors import InvalidVariant
from plenipo.matches.lineup import random_of

SEED = bytes(range(32))
VARIANTS = ["standard", "ancient-mediterranean", "hundred", "crowded", "pure"]
REFUSED = {
    "corner": "board is more than provinces",
    "hussars": "it has cavalry",
    "fog-of-war": "parts of it are secret",
    "chaos": "its year is not that of DAIDE",
    "1897": "it has phases beside",
}


def submit(game: Game, words: TokenVocabulary, power: Power, orders: list[Order]) -> list[Order]:
    """The orders as a client sends them and the server reads them; each is accepted."""
    reader, draft = OrderReceiver(game.rules, words, game.position), OrderDraft()
    board, known = game.rules.board, frozenset(words.names)
    afloat = {unit.space for unit in game.position.units if board.spaces[unit.space].carries}
    for order in orders:
        if isinstance(order, Waive):
            texts: list[BracketContent] = [[words.powers[power], Token.WVE.value]] * order.count
        else:
            route: tuple[Code, ...] = ()
            if isinstance(order, Move) and order.unit.kind is UnitKind.ARMY:
                by_land = order.to.space in board.reach(order.unit.kind, order.unit.location)
                if order.via or not by_land:
                    route = find_route(board, order.unit.location.space, order.to.space, set(afloat))
            texts = [write_order(words, game.position, order, route)]
        for text in texts:
            sent = build(Token.SUB, list(text))
            assert check_from_client(sent, 0, known) is None, as_text(sent, words.names)
            draft, note = reader.submit(power, draft, parts_of(nest(sent)[1]))
            assert note is Token.MBV, as_text(sent, words.names)
    return reader.orders(power, draft)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_is_the_same_through_the_language(variant: str) -> None:
    rules = library.load(variant)
    words, game, chance = vocabulary_of(rules), Game.new(rules, Dice(SEED)), random_of(SEED)
    known = frozenset(words.names)
    for phase in range(24):
        if game.over:
            break
        ordered: dict[Power, list[Order]] = {}
        for power in view(game, None, {}).may_order:
            legal = Legality(rules, game.position).orders_of(power)
            bot = BOTS["careless" if phase % 5 == 4 else "sensible"]
            orders = orders_of(bot, view(game, power, {}), power, chance)
            read = submit(game, words, power, orders)
            assert {str(order).removesuffix(" VIA") for order in read} == {
                str(order).removesuffix(" VIA") for order in orders
            }
            assert all(order in legal for order in read)
            ordered[power] = read
        game = game.process(ordered)
        turn = game.turns[-1]
        told = [*describe_turn(rules, words, turn, {}), describe_centres(rules, words, turn.resolution.after)]
        told.append(describe_position(rules, words, turn.resolution.after))
        for message in told:
            assert check_from_server(message, 0, known) is None, as_text(message, words.names)
        if turn.resolution.before.owners != turn.resolution.after.owners:
            assert owners_changed(rules, turn.resolution)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_map_has_each_contact_of_the_board(variant: str) -> None:
    rules = library.load(variant)
    words, board = vocabulary_of(rules), rules.board
    message = describe_map(rules, words)
    assert check_from_server(message, 0, frozenset(words.names)) is None
    powers, provinces, contacts = (parts_of(part) for part in nest(message)[1:])
    homes, plain = map(parts_of, provinces)
    assert powers == [words.powers[info.name] for info in rules.powers]
    assert {words.code_of[token] for token in plain if isinstance(token, int)} == {
        code for code in words.provinces if code not in board.centres
    }
    assert {token for whose in map(parts_of, parts_of(homes)) for token in whose[1:]} == {
        words.provinces[code] for code in board.centres if code in words.provinces
    }
    found = {}
    for province, *ways in map(parts_of, contacts):
        for first, *places in map(parts_of, ways):
            kind, coast = (first, None) if isinstance(first, int) else parts_of(first)
            at = words.location(province if coast is None else [province, coast])
            unit = UnitKind.ARMY if kind == Token.AMY else UnitKind.FLEET
            found[unit, at] = {words.location(place) for place in places}
    assert found == {
        (kind, at): set(board.steps(kind, at)) for kind, at in board.destinations if at.space in words.provinces
    }


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_representation_numbers_powers_and_provinces_from_nought(variant: str) -> None:
    words = vocabulary_of(library.load(variant))
    content = words.representation
    if words.standard:
        assert content == b""
        return
    rows = [content[at : at + 6] for at in range(0, len(content), 6)]
    assert all(row[5] == 0 and row[2:5].decode().isalnum() for row in rows)
    assert len({row[2:5] for row in rows}) == len(rows)
    assert not {row[2:5].decode() for row in rows} & set(Token.__members__)
    for tokens in (words.powers.values(), words.provinces.values()):
        assert sorted(token & 0xFF for token in tokens) == list(range(len(tokens)))


@pytest.mark.parametrize(("variant", "why"), REFUSED.items())
def test_a_variant_that_daide_has_no_words_for_is_refused(variant: str, why: str) -> None:
    with pytest.raises(InvalidVariant, match=why):
        vocabulary_of(library.load(variant))


def test_the_standard_board_has_the_tokens_of_the_protocol() -> None:
    words = vocabulary_of(library.load("standard"))
    assert {words.names[words.provinces[Location.from_text(code).space]] for code in ("ENG", "BOT", "TYN", "NAT")} == {
        "ECH",
        "GOB",
        "TYS",
        "NAO",
    }
    assert words.tokens["STP"] == 0x574A
    assert words.tokens["TUR"] == 0x4106
