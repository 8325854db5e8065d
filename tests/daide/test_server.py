"""The server: seven clients of the example play a game to its end over the network."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import daide_client
from plenipo import library
from plenipo.daide.room import Terms
from plenipo.daide.server import DaideServer, NewGame, Plan
from plenipo.daide.tokens import Token
from plenipo.daide.vocabulary import vocabulary_of
from plenipo.engine.history.game import Game

RULES = library.load("standard")


def test_seven_clients_of_the_example_play_to_the_end() -> None:
    plan = Plan(vocabulary_of(RULES), "standard", Terms(), years=2)
    over: list[Game] = []
    codes = dict.fromkeys(RULES.names, 1)
    server = DaideServer(plan, lambda _: NewGame(Game.new(RULES), codes), lambda game, _: over.append(game))

    async def play() -> list[list[tuple[int, ...]]]:
        port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(server.serve("127.0.0.1", 0, port.set_result))
        number = await port
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(7) as threads:  # the default has fewer threads than there are clients
            clients = (loop.run_in_executor(threads, daide_client.play, "127.0.0.1", number, seed) for seed in range(7))
            heard = await asyncio.gather(*clients)
        await serving
        return heard

    heard = asyncio.run(play())
    assert over[0].position.phase.year == 1903
    for messages in heard:
        assert not [message for message in messages if message[0] in (Token.HUH, Token.PRN)]
        assert messages[-1] == (Token.OFF,)
        assert (Token.DRW,) in messages
