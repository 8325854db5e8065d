"""The server: programs play to the end over the network, and clients that misbehave disturb no others."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

import pytest

import daide_client
from plenipo import library
from plenipo.daide.frames import FrameFault, FrameKind, frame, initial, language
from plenipo.daide.room import Terms
from plenipo.daide.server import EACH_MESSAGE, ComputerSeat, DaideServer, DealtGame, ServerPlan
from plenipo.daide.tokens import Nested, Token, Tokens, build, quote
from plenipo.daide.vocabulary import vocabulary_of
from plenipo.engine.history.game import Game
from plenipo.engine.orders import Order
from server.loops import alone

RULES = library.load("standard")
PLAN = ServerPlan(vocabulary_of(RULES), "standard", Terms(), years=2)

Visit = Callable[[int], Awaitable[None]]
"""The visit of other clients to the port of a server, before a game is played."""


async def do_nothing(*_: object) -> None:
    """Return at once."""


def play_game(
    visit: Visit = do_nothing, plan: ServerPlan = PLAN, after: Callable[[], Awaitable[object]] = do_nothing
) -> tuple[Game, list[list[Tokens]]]:
    """Play a game with seven clients of the example after a visit; return it and what the clients heard."""
    over: list[Game] = []
    codes = dict.fromkeys(RULES.names, 1)
    server = DaideServer(plan, lambda _: DealtGame(Game.new(RULES), codes), lambda game, _: over.append(game))

    async def play() -> list[list[Tokens]]:
        port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(server.serve("127.0.0.1", 0, port.set_result))
        number = await port
        await visit(number)
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(7) as threads:  # the usual number of threads depends on the machine
            clients = [loop.run_in_executor(threads, daide_client.play, "127.0.0.1", number, seed) for seed in range(7)]
            heard = await asyncio.gather(*clients)
        await serving
        await after()
        return heard

    heard = alone(play())
    return over[0], heard


async def send(port: int, content: bytes) -> list[Tokens | bytes]:
    """Send bytes; return the messages and the contents of other frames that come until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(content)
    heard: list[Tokens | bytes] = []
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            head = await reader.readexactly(4)
            answer = await reader.readexactly(int.from_bytes(head[2:], "big"))
            tokens = (answer[at : at + 2] for at in range(0, len(answer), 2))
            is_message = head[0] == FrameKind.LANGUAGE
            heard.append(tuple(int.from_bytes(token, "big") for token in tokens) if is_message else answer)
    writer.close()
    return heard


def check_undisturbed(game: Game, heard: list[list[Tokens]]) -> None:
    assert game.position.phase.year == 1903
    for messages in heard:
        assert not [message for message in messages if message[0] in (Token.HUH, Token.PRN)]
        assert messages[-1] == (Token.OFF,)
        assert (Token.DRW,) in messages


def test_seven_clients_of_the_example_play_to_the_end() -> None:
    check_undisturbed(*play_game())


HOLDS: Nested = [[0x4101, Token.AMY, 0x5510], Token.HLD]
MILLION = language(build(Token.SUB, *[HOLDS] * 1_000)) * 1_000
SENT = {
    "garbage": (b"GET / HTTP/1.1\r\n\r\n", FrameFault.NOT_FIRST),
    "nothing": (b"", FrameFault.TIMER),
    "half of the first message": (initial()[:5], FrameFault.TIMER),
    "half a token": (initial() + frame(FrameKind.LANGUAGE, b"abc"), FrameFault.SHORT),
    "a message without an end": (initial() + b"\2\0\xff\xff", FrameFault.UNKNOWN),
    "a private token": (initial() + frame(FrameKind.LANGUAGE, b"\x58\x00"), FrameFault.TOKEN),
}


@pytest.mark.parametrize(("content", "fault"), SENT.values(), ids=SENT)
def test_a_broken_client_is_told_its_fault_and_disturbs_nobody(content: bytes, fault: FrameFault) -> None:
    async def visit(port: int) -> None:
        heard = await send(port, content)
        assert heard[-1] == fault.to_bytes(2, "big")

    check_undisturbed(*play_game(visit, replace(PLAN, first_message=3.0)))


LEFT = {
    "half a message": initial() + language((Token.HLO,))[:-1],
    "a name and no more": initial() + language(build(Token.NME, quote("me"), quote("1"))),
}


@pytest.mark.parametrize("content", LEFT.values(), ids=LEFT)
def test_a_client_that_stops_is_sent_away_and_holds_no_seat(content: bytes) -> None:
    async def visit(port: int) -> None:
        heard = await send(port, content)
        assert heard[-2:] == [(Token.OFF,), b""]

    check_undisturbed(*play_game(visit, replace(PLAN, idle=3.0)))


def test_a_client_that_sends_a_million_orders_and_reads_nothing_disturbs_nobody() -> None:
    writers: list[asyncio.StreamWriter] = []

    async def visit(port: int) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(initial() + MILLION)  # no drain: the server does not take it all
        writers.append(writer)

    check_undisturbed(*play_game(visit))


def test_two_hundred_clients_come_at_once_and_see_the_game() -> None:
    crowd: list[asyncio.Task[list[Tokens | bytes]]] = []
    heard: list[list[Tokens | bytes]] = []

    async def visit(port: int) -> None:
        crowd.extend(asyncio.create_task(send(port, initial() + language((Token.OBS,)))) for _ in range(200))

    async def listen() -> None:
        heard.extend(await asyncio.gather(*crowd))

    check_undisturbed(*play_game(visit, after=listen))
    assert all(messages[0] == b"" and messages[-2:] == [(Token.OFF,), b""] for messages in heard)
    accepted, rejected = build(Token.YES, [Token.OBS]), build(Token.REJ, [Token.OBS])
    assert [sum(answer in messages for messages in heard) for answer in (accepted, rejected)] == [100, 100]
    assert sum((Token.DRW,) in messages for messages in heard) == 100


def test_a_player_that_falls_silent_in_a_game_without_deadlines_is_replaced_by_civil_disorder() -> None:
    over: list[Game] = []
    first, *others = RULES.names
    game = DealtGame(Game.new(RULES), {first: 1, others[0]: 2})
    plan = replace(PLAN, silent=3.0, years=1)
    server = DaideServer(plan, lambda _: game, lambda game, _: over.append(game))
    joins = initial() + language(build(Token.NME, quote("mute"), quote("1")))
    joins += language(build(Token.YES, [Token.MAP, quote("standard")]))

    async def play() -> list[Tokens | bytes]:
        port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(server.serve("127.0.0.1", 0, port.set_result))
        number = await port
        player = asyncio.create_task(asyncio.to_thread(daide_client.play, "127.0.0.1", number, 1))
        heard = await send(number, joins)
        assert (await player)[-1] == (Token.OFF,)
        await serving
        return heard

    heard = alone(play())
    assert heard[-3:] == [build(Token.ADM, quote("server"), quote("no orders for 3 seconds")), (Token.OFF,), b""]
    assert over[0].position.phase.year == 1902


async def listen(reader: asyncio.StreamReader) -> bytes:
    """Return all bytes until the connection is closed, or is cut because something was sent after that."""
    heard = b""
    with suppress(ConnectionError):
        while piece := await reader.read(4096):
            heard += piece
    return heard


def test_a_player_that_chats_and_orders_nothing_holds_a_game_without_deadlines_for_a_limited_time() -> None:
    over: list[Game] = []
    first, other, *_ = RULES.names
    plan = replace(PLAN, terms=Terms(level=10), silent=60.0, slow=3.0, years=1)
    game = DealtGame(Game.new(RULES), {first: 1, other: 2})
    server = DaideServer(plan, lambda _: game, lambda game, _: over.append(game))
    joins = initial() + language(build(Token.NME, quote("chatterbox"), quote("1")))
    joins += language(build(Token.YES, [Token.MAP, quote("standard")]))
    peace: Nested = [Token.PRP, [Token.PCE, [plan.words.powers[first], plan.words.powers[other]]]]
    chat = language(build(Token.SND, [plan.words.powers[other]], peace)) + language((Token.MIS,))

    async def play() -> bytes:
        port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(server.serve("127.0.0.1", 0, port.set_result))
        number = await port
        player = asyncio.create_task(asyncio.to_thread(daide_client.play, "127.0.0.1", number, 1))
        reader, writer = await asyncio.open_connection("127.0.0.1", number)
        writer.write(joins)
        listening = asyncio.create_task(listen(reader))
        while not listening.done():
            with suppress(ConnectionError):
                writer.write(chat)
                await writer.drain()
            await asyncio.sleep(0.2)
        assert (await player)[-1] == (Token.OFF,)
        await serving
        writer.close()
        return await listening

    heard = alone(play())
    assert language(build(Token.ADM, quote("server"), quote("orders missing after 3 seconds"))) in heard
    assert over[0].position.phase.year == 1902


def test_a_client_that_sends_too_much_is_read_at_the_pace_of_the_server() -> None:
    from plenipo.daide import server  # noqa: PLC0415

    connection = server._Client(1, None, None, 0.0, 0.0)  # type: ignore[arg-type]
    messages = server.ALLOWANCE // (900 + EACH_MESSAGE)
    assert [connection.charge(900, 0.0) for _ in range(messages)] == [0.0] * messages
    assert connection.charge(900, 0.0) == 1_000 / server.PACE
    assert connection.charge(900, 1.0) == 0.0


def test_the_fault_of_a_computer_player_ends_the_server() -> None:
    def fail(*_: object) -> list[Order]:
        raise ZeroDivisionError

    first, *others = RULES.names
    computers = {power: ComputerSeat("broken", fail, lambda *_: False) for power in others}
    server = DaideServer(PLAN, lambda _: DealtGame(Game.new(RULES), {first: 1}, computers), lambda *_: None)

    async def play() -> None:
        port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(server.serve("127.0.0.1", 0, port.set_result))
        await asyncio.to_thread(daide_client.play, "127.0.0.1", await port, 1)
        await serving

    with pytest.raises(ZeroDivisionError):
        alone(play())
