"""The page of the games that a person runs: what is due comes first, and games of others are not there."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from plenipo.server.service import GameService
from plenipo.server.store.games_run import GameRun
from plenipo.server.web.games_run import RunLine, sort_by_urgency
from server.test_people_pages import Browser, hosted, link_in

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture
def new(service: GameService) -> Callable[[], Browser]:
    return lambda: Browser(service)


def begun(master: Browser, player: Browser, title: str, **more: str) -> str:
    """A game that Anna runs and in which Ben plays France; computers play the others."""
    game = hosted(master, "Anna", game=title, schedule="Weekdays", **{"you": "rule", **more})
    player.get(link_in(master.get(game).text))
    player.post(f"{game}/join", data={"name": "Ben", "power": "France"})
    master.post(f"{game}/start")
    return game


def test_a_game_with_a_question_comes_first_and_others_see_no_games(new: Callable[[], Browser]) -> None:
    master, player = new(), new()
    quiet, asked = begun(master, player, "Loire"), begun(master, player, "Rhone")
    order = {"phase_number": 1, "seat": "France", "orders": ["A PAR - BUR"]}
    player.put(f"/api{asked}/orders", json=order)
    question = {"phase_number": "1", "seat": "France", "order": "A PAR - BUR", "text": "By land?"}
    player.post(f"{asked}/questions", data=question)
    page = master.get("/hosting").text
    assert page.index("Rhone") < page.index("Loire")
    assert "1 question to answer" in page
    assert page.count("waiting for France") == 2
    assert f'href="{quiet}/gm-tools"' in page
    assert 'href="/hosting"' in master.get("/me").text
    assert "You run no games." in player.get("/hosting").text
    assert 'href="/hosting"' not in player.get("/me").text
    assert new().get("/hosting").url.path == "/sign-in"


def test_requests_for_a_seat_and_vacant_seats_are_due(new: Callable[[], Browser]) -> None:
    master, player = new(), new()
    lobby = hosted(master, "Anna", game="Quai", schedule="Weekdays", approval="yes")
    player.get(link_in(master.get(lobby).text))
    player.post(f"{lobby}/join", data={"name": "Ben"})
    game = begun(master, new(), "Seine", you="keep")
    master.post(f"{game}/gm-tools/seat", data={"power": "France", "act": "remove"})
    page = master.get("/hosting").text
    assert "1 player requests a seat" in page
    assert "Vacant: France" in page
    assert f'href="{lobby}"' in page


def test_who_is_not_ready_is_not_listed_for_an_anonymous_game(new: Callable[[], Browser]) -> None:
    master = new()
    game = hosted(master, "Anna", game="Nuit", schedule="Weekdays", deal="drawn", anonymous="yes", you="keep")
    link = link_in(master.get(game).text)
    player = new()
    player.get(link)
    player.post(f"{game}/join", data={"name": "Ben"})
    master.post(f"{game}/start")
    page = master.get("/hosting").text
    assert "Nuit" in page
    assert "waiting for" not in page


def line(name: str, due: datetime | None, questions: int = 0) -> RunLine:
    game = GameRun(
        id=name,
        name=name,
        variant="standard",
        phase="Spring 1901 movement",
        state="running",
        due=due,
        anonymous=False,
        waits=(),
        master=True,
        plays=False,
        vacant=(),
        questions=questions,
        requests=0,
    )
    return RunLine.of(game, NOON)


def test_games_are_sorted_by_what_is_due_and_then_by_their_deadlines() -> None:
    hour = timedelta(hours=1)
    lines = [line("none", None), line("far", NOON + 9 * hour), line("near", NOON + hour), line("late", NOON - hour)]
    lines.append(line("asked", NOON + 20 * hour, questions=1))
    assert [one.game.name for one in sort_by_urgency(lines)] == ["late", "asked", "near", "far", "none"]
