"""Events reach all listeners, on this server and on another, and only with content for their viewpoint."""

import asyncio
import json
from typing import Any

from plenipo.engine.position import Power
from plenipo.server.broker import WAITING, Announcement, Broker
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.submissions import Edit
from plenipo.server.texts import using_language
from plenipo.server.warm_up import QUICK_MEANWHILE
from plenipo.server.web.context import Services, Viewer
from plenipo.server.web.events import _stream
from server.loops import alone
from waiting import LIMIT


def test_an_event_is_private_for_some_and_public_for_others() -> None:
    async def run() -> list[Any]:
        broker = Broker()
        with broker.listening(frozenset({"France"}), "g") as own, broker.listening(frozenset(), "g") as other:
            broker.announce(
                "g", Announcement("order_set", {"power": "France"}, {"power": "France", "version": 2}, "France")
            )
            broker.announce("elsewhere", Announcement("phase", {}))
            return [await listener.queue.get() for listener in (own, other)]

    assert alone(run()) == [
        ("order_set", {"power": "France", "version": 2}),
        ("order_set", {"power": "France"}),
    ]


def test_a_listener_far_behind_is_asked_to_reload() -> None:
    async def run() -> tuple[str, int]:
        broker = Broker()
        with broker.listening(frozenset(), "g") as listener:
            for number in range(WAITING + 1):
                broker.announce("g", Announcement("phase", {"phase_number": number}))
            await asyncio.sleep(0.05)
            return (await listener.queue.get())[0], listener.queue.qsize()

    assert alone(run()) == ("behind", 0)


def test_no_listener_is_left_when_a_browser_leaves() -> None:
    async def run() -> tuple[str, ...]:
        broker = Broker()
        with broker.listening(frozenset(), "g"):
            pass
        return broker.games()

    assert alone(run()) == ()


async def heard(service: GameService, game: str, seat: str | None, act: Any, number: int) -> list[tuple[str, Any]]:
    """The first events of a stream during which `act` is done."""
    holder = service.credentials(game, [])
    who = None if seat is None else Power(seat)
    stream = _stream(Services(service), lambda: Viewer(game, holder, who, (1, (), (), "")))
    found = []
    for step in range(number):
        text = (await asyncio.wait_for(anext(stream), 5)).decode()
        kind, data = text.strip().split("\n")
        found.append((kind.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
        if not step:
            await asyncio.to_thread(act)
    await stream.aclose()
    return found


def test_a_sentence_of_an_event_is_in_the_language_of_its_reader(service: GameService) -> None:
    game = service.open(NewGameRequest("standard", {}, lobby=True))
    news = Announcement("computers", {"words": QUICK_MEANWHILE})

    async def listen(language: str) -> str:
        with using_language(language):
            events = await heard(service, game.id, None, lambda: service.broker.announce(game.id, news), 2)
        return str(events[1][1]["words"])

    assert alone(listen("en")) == QUICK_MEANWHILE
    assert alone(listen("de")).startswith("Die stärkeren Computer")


def test_two_browsers_on_one_seat_are_both_notified(service: GameService) -> None:
    opened = service.open(NewGameRequest("standard", {}))
    table = service.credentials(opened.id, [opened.all_seats])

    def act() -> None:
        service.orders.submit(opened.id, table, "France", 1, Edit(("A PAR H",), client="one"))
        service.phases.process(opened.id, table, 1)

    own = alone(heard(service, opened.id, "France", act, 3))
    assert own == [
        ("hello", {"phase_number": 1, "order_sets": {}, "computers": "", "players": 0, "forming": False}),
        ("order_set", {"power": "France", "status": "given", "phase_number": 1, "version": 1, "client": "one"}),
        ("phase", {"phase_number": 2, "turn": 1, "what": "processed"}),
    ]


def test_a_lobby_hears_in_the_greeting_that_the_game_has_begun_meanwhile(service: GameService) -> None:
    opened = service.open(NewGameRequest("standard", {}, lobby=True))
    host = service.credentials(opened.id, [opened.all_seats])
    service.lobby.join(opened.id, service.credentials(opened.id, [opened.invitation]), "Anna", "France")
    ((_, before),) = alone(heard(service, opened.id, None, lambda: None, 1))
    service.lobby.start(opened.id, host)
    ((_, after),) = alone(heard(service, opened.id, None, lambda: None, 1))
    assert (before["players"], before["forming"]) == (1, True)
    assert (after["players"], after["forming"]) == (1, False)


def test_what_another_server_did_is_seen(service: GameService, store: Store) -> None:
    opened = service.open(NewGameRequest("standard", {}))
    other = GameService(store)
    table = service.credentials(opened.id, [opened.all_seats])

    def act() -> None:
        other.phases.process(opened.id, table, 1)
        service.games.catch_up()

    told = alone(heard(service, opened.id, None, act, 2))
    assert told[1] == ("phase", {"phase_number": 2, "turn": 1, "what": "elsewhere"})


def test_a_player_who_lost_the_seat_hears_nothing_of_the_successor(service: GameService) -> None:
    opened = service.open(NewGameRequest("standard", {}, lobby=True))
    host = service.credentials(opened.id, [opened.all_seats])
    invited = service.credentials(opened.id, [opened.invitation])
    former = [service.lobby.join(opened.id, invited, "Anna", "France")]
    service.lobby.start(opened.id, host)

    def look() -> Viewer:
        holder = service.credentials(opened.id, former)
        return Viewer(opened.id, holder, *service.eyes(opened.id, holder, "France"))

    async def listen() -> list[str]:
        stream = _stream(Services(service), look)
        found = [(await asyncio.wait_for(anext(stream), LIMIT)).decode()]
        await asyncio.to_thread(service.handover.act, opened.id, host, "France", "remove")
        async with asyncio.timeout(LIMIT):
            return found + [line.decode() async for line in stream]

    assert [text.split("\n")[0] for text in alone(listen())] == ["event: hello", "event: time"]
