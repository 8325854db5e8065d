"""Whatever a client sends, a room answers in the language, and nothing else changes."""

from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from plenipo import Position, library
from plenipo.daide.grammar import check_from_client, check_from_server
from plenipo.daide.room import Outbox, Room, Terms
from plenipo.daide.tokens import Nested, Token, Tokens, as_text, balance, build, integer, quote
from plenipo.daide.vocabulary import vocabulary_of
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.position import Power

RULES = library.load("standard")
WORDS = vocabulary_of(RULES)
KNOWN = frozenset(WORDS.names)
POSITIONS = [
    "S1901M: France A PAR, F BRE, A MAR, F ECH; England F LON, A LVP, F NTH; Russia F STP/SC, A UKR",
    "F1901M: France F BUL/SC, A SPA, F MAO; England F NWY, A YOR; Turkey A CON",
    "W1901A: France A SPA, A PIC; England F ECH",
]

POWERS = st.sampled_from([*WORDS.powers.values()])
PROVINCES = st.sampled_from([*WORDS.provinces.values()])
COASTS = st.sampled_from([token for token in Token if token >> 8 == 0x46])
PLACES = PROVINCES | st.tuples(PROVINCES, COASTS).map(list)
UNITS = st.tuples(POWERS, st.sampled_from([Token.AMY, Token.FLT]), PLACES).map(list)
ORDERS = st.one_of(
    st.tuples(UNITS, st.sampled_from([Token.HLD, Token.DSB, Token.BLD, Token.REM])),
    st.tuples(UNITS, st.sampled_from([Token.MTO, Token.RTO]), PLACES),
    st.tuples(UNITS, st.just(Token.SUP), UNITS),
    st.tuples(UNITS, st.just(Token.SUP), UNITS, st.just(Token.MTO), PLACES),
    st.tuples(UNITS, st.just(Token.CVY), UNITS, st.just(Token.CTO), PROVINCES),
    st.tuples(UNITS, st.just(Token.CTO), PROVINCES, st.just(Token.VIA), st.lists(PROVINCES, min_size=1, max_size=5)),
    st.tuples(POWERS, st.just(Token.WVE)),
).map(list)
NUMBERS = st.integers(-8192, 8191).map(integer)
TURNS = st.tuples(st.sampled_from([Token.SPR, Token.SUM, Token.FAL, Token.AUT, Token.WIN]), NUMBERS).map(list)
TEXTS = st.text(max_size=60).map(quote)
OFFERS = st.one_of(
    st.tuples(st.just(Token.PCE), st.lists(POWERS, min_size=1)),
    st.tuples(st.just(Token.XDO), ORDERS),
    st.tuples(st.just(Token.DMZ), st.lists(POWERS, min_size=1), st.lists(PROVINCES, min_size=1)),
    st.just((Token.DRW,)),
).map(list)
SENT = st.one_of(
    st.tuples(st.just(Token.SUB), st.lists(ORDERS, min_size=1, max_size=6)).map(
        lambda parts: build(parts[0], *parts[1])
    ),
    ORDERS.map(lambda order: build(Token.NOT, [Token.SUB, order])),
    st.tuples(st.lists(POWERS, min_size=1, max_size=4), OFFERS).map(
        lambda parts: build(Token.SND, [*parts[0]], [Token.PRP, parts[1]])
    ),
    st.tuples(POWERS, NUMBERS).map(lambda parts: build(Token.IAM, [parts[0]], [parts[1]])),
    TURNS.map(lambda turn: build(Token.HST, list[Nested](turn))),
    NUMBERS.map(lambda number: build(Token.TME, [number])),
    st.tuples(st.sampled_from([Token.NME, Token.OBS, Token.ADM]), TEXTS, TEXTS).map(lambda parts: build(*parts)),
    TEXTS.map(lambda text: build(Token.YES, [Token.MAP, text])),
    st.sampled_from(
        [Token.HLO, Token.MAP, Token.MDF, Token.NOW, Token.SCO, Token.ORD, Token.MIS, Token.GOF, Token.DRW, Token.SMR]
    ).map(lambda token: (int(token),)),
    st.lists(st.sampled_from([*Token, *WORDS.names, 7, 0x4601, 0x4B41]).map(int), min_size=1, max_size=40).map(tuple),
)
"""Messages of a client: most fit the grammar, and few make sense."""


def table(position: str, level: int) -> tuple[Room, Game]:
    """A game at a position in which client 1 plays France, 2 England, and 3 has only come in."""
    game = Game(RULES, Position.parse(position, RULES))
    room = Room(view(game, None, {}), WORDS, {Power("France"): 1, Power("England"): 2}, "standard", Terms(level, 60))
    for number in (1, 2):
        room.join(number)
        room.receive(number, build(Token.NME, quote(f"c{number}"), quote("1")), 0.0)
        room.receive(number, build(Token.YES, [Token.MAP, quote("standard")]), 0.0)
    room.start(0.0)
    room.join(3)
    return room, game


def check_answers(sent: Tokens, answers: Outbox, level: int) -> None:
    for receiver, message in answers:
        text = as_text(message, WORDS.names)
        assert receiver in (1, 2, 3), text
        assert len(message) < 32_767, text
        if message[0] not in (Token.PRN, Token.HUH):
            assert check_from_server(message, level, KNOWN) is None, text
    wrong = not balance(sent) or check_from_client(sent, level, KNOWN) is not None
    if wrong:
        assert len(answers) <= 1
        assert all(message[0] in (Token.PRN, Token.HUH) for _, message in answers)


@given(st.sampled_from(POSITIONS), st.sampled_from([0, 20]), st.lists(st.tuples(st.integers(1, 3), SENT), max_size=12))
def test_every_message_is_answered_in_the_language(
    position: str, level: int, messages: list[tuple[int, Tokens]]
) -> None:
    room, game = table(position, level)
    for number, message in messages:
        check_answers(message, room.receive(number, message, 1.0), level)
    game = game.process(dict(room.orders()))
    told = room.advance(view(game, None, {}), 2.0)
    for _, message in told:
        assert check_from_server(message, level, KNOWN) is None, as_text(message, WORDS.names)


@given(st.lists(SENT, max_size=8))
def test_a_stranger_changes_nothing_for_the_players(messages: list[Tokens]) -> None:
    room, _ = table(POSITIONS[0], 20)
    before = dict(room.drafts), room.waiting_for, room.deadline
    heard = chain.from_iterable(room.receive(3, message, 1.0) for message in messages)
    # one who has come to observe may write to all
    assert {number for number, message in heard if message[0] != Token.ADM} <= {3}
    assert (dict(room.drafts), room.waiting_for, room.deadline) == before
