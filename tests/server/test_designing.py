"""The page of a designer: mistakes and picture after every save, and games that go on meanwhile."""

import json
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from plenipo import library
from plenipo.errors import InvalidVariant
from plenipo.library import plugins
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.uploads import pack_position
from plenipo.server.web import designing
from plenipo.server.web.app import create_app
from plenipo.server.web.context import DESIGNERS, Services
from plenipo.server.web.designing import find_mistakes
from server.loops import alone
from server.test_added_variants import mine, save

__all__ = ["mine"]

PAGE = "/variants/isle/design"
WRONG = ("F POR", "F SBX")


@pytest.fixture
def designer(service: GameService) -> Iterator[TestClient]:
    """The browser of the person at the machine of the server."""
    app = create_app(service, loops="none")
    with TestClient(app, raise_server_exceptions=False, follow_redirects=False, client=("127.0.0.1", 5000)) as made:
        yield made


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Forget what earlier tests found in folders of the same name."""
    yield
    library._PLAYABLE.clear()
    designing._FOUND.clear()


def edit(folder: Path, one: str, other: str) -> None:
    """Save a `variant.toml` with one text in place of another."""
    file = folder / "isle" / "variant.toml"
    text = file.read_text("utf-8")
    assert one in text
    save(file, text.replace(one, other))


@pytest.mark.usefixtures("mine")
def test_a_folder_without_mistakes_shows_its_picture(designer: TestClient) -> None:
    page = designer.get(PAGE)
    assert page.status_code == 200
    assert "No mistakes in the files" in page.text
    assert "picture.svg" in page.text
    assert find_mistakes("isle", tried=True).tried
    assert "No mistakes: five years were played." in designer.get(PAGE).text


def test_a_mistake_stands_with_file_and_line_above_the_last_good_picture(mine: Path, designer: TestClient) -> None:
    before = designer.get("/variants/isle/picture.svg").text
    designer.get(PAGE)
    edit(mine, *WRONG)
    page = designer.get(PAGE)
    assert page.status_code == 200
    assert "1 mistake" in page.text
    assert "<b>variant.toml, line " in page.text
    assert "SBX" in page.text
    assert str(mine) not in page.text
    assert "the board as it was before" in page.text
    assert designer.get("/variants/isle/picture.svg").text == before
    edit(mine, *WRONG[::-1])
    assert "No mistakes" in designer.get(PAGE).text


def test_a_folder_that_was_never_right_has_no_picture(mine: Path, designer: TestClient) -> None:
    edit(mine, 'title = "Isle"', "title = ")
    page = designer.get(PAGE).text
    assert "this is not TOML" in page
    assert "picture.svg" not in page
    assert "The board is drawn when there are no mistakes." in page


def test_the_picture_follows_every_file_that_is_saved(mine: Path, designer: TestClient) -> None:
    before = designer.get("/variants/isle/picture.svg").text
    edit(mine, 'name = "Upland"', 'name = "Moor"')
    named = designer.get("/variants/isle/picture.svg").text
    assert named != before
    assert find_mistakes("isle", tried=False).mistakes == ()
    (mine / "isle" / "look.toml").write_text("no = 1\n", "utf-8")
    assert find_mistakes("isle", tried=False).mistakes[0].file.name == "look.toml"


@pytest.mark.usefixtures("mine")
def test_only_added_folders_have_the_page_and_only_at_the_machine(designer: TestClient, client: TestClient) -> None:
    for path in ("", "/events"):
        assert designer.get(f"/variants/standard/design{path}").status_code == 404
        assert designer.get(f"/variants/..%2Fisle/design{path}").status_code == 404
        assert client.get(PAGE + path).status_code == 403
        assert designer.get(PAGE + path, headers={"x-forwarded-for": "192.0.2.1"}).status_code == 403
    assert "/design" in designer.get("/bank").text
    assert "/design" not in client.get("/bank").text


async def heard(service: GameService, name: str, act: Any, number: int) -> list[str]:
    """The first versions that a page hears of, during which `act` is done after the second."""
    versions: list[str] = []
    async with aclosing(designing._watch(Services(service), name)) as stream:
        async for line in stream:
            if line.startswith(b"event: findings"):
                versions.append(json.loads(line.decode().partition("data: ")[2])["version"])
            if len(versions) == 2:
                act()
            if len(versions) == number:
                break
    return versions


def test_a_page_hears_of_every_save_and_of_the_years_that_were_played(mine: Path, service: GameService) -> None:
    versions = alone(heard(service, "isle", lambda: edit(mine, *WRONG) if "F POR" in read(mine) else None, 3))
    read_, tried, wrong = versions
    assert read_.endswith("-read")
    assert tried == read_.replace("-read", "-tried")
    assert wrong.endswith("-tried")
    assert wrong != tried


def read(folder: Path) -> str:
    return (folder / "isle" / "variant.toml").read_text("utf-8")


def test_a_page_hears_that_its_folder_is_gone(mine: Path, service: GameService) -> None:
    versions = alone(heard(service, "isle", lambda: (mine / "isle" / "variant.toml").unlink(missing_ok=True), 3))
    assert versions[-1] == "gone"


@pytest.mark.usefixtures("mine")
def test_so_many_pages_are_open_at_a_time_and_no_more(service: GameService) -> None:
    app = create_app(service, loops="none")
    with TestClient(app, client=("127.0.0.1", 5000)) as designer:
        designers = app.state.services.designers
        designers._open[designing.EVERYBODY] = DESIGNERS
        refused = designer.get(f"{PAGE}/events")
        assert refused.status_code == 429
        assert f"already {DESIGNERS} open pages of designers" in refused.text


@pytest.fixture
def running(mine: Path, service: GameService) -> str:
    """A running game of the Isle."""
    assert mine
    return service.open(NewGameRequest("isle", {})).id


def test_a_running_game_goes_on_while_its_folder_is_broken(
    mine: Path, running: str, service: GameService, client: TestClient
) -> None:
    before = client.get(f"/games/{running}/picture.svg").text
    edit(mine, *WRONG)
    service.games.forget(running)
    assert client.get(f"/games/{running}").status_code == 200
    assert client.get(f"/games/{running}/picture.svg").text == before
    assert client.post("/api/games", json={"variant": "isle"}).status_code == 422, "a new game waits for the designer"


def test_after_a_restart_a_broken_folder_is_named_in_one_sentence(
    mine: Path, running: str, service: GameService, client: TestClient
) -> None:
    edit(mine, *WRONG)
    library._PLAYABLE.clear()
    service.games.forget(running)
    with pytest.raises(InvalidVariant, match="cannot go on until the folder of its variant 'isle' fits it again: isle"):
        service.games.load(running)
    told = client.get(f"/api/games/{running}")
    assert told.status_code == 422
    assert str(mine) not in told.text
    edit(mine, *WRONG[::-1])
    assert client.get(f"/api/games/{running}").status_code == 200


def test_a_game_whose_board_lost_a_space_says_so(mine: Path, service: GameService) -> None:
    opening = library.load("isle").opening
    begun = pack_position(replace(opening, units=opening.units[1:]))
    running = service.open(NewGameRequest("isle", {}, position=begun)).id
    table = (mine / "isle" / "contacts.toml").read_text("utf-8")
    toml = read(mine)
    save(mine / "isle" / "contacts.toml", table.replace("POR", "QUX"))
    save(mine / "isle" / "variant.toml", toml.replace("POR", "QUX").replace("Port", "Quay"))
    assert library.check(mine / "isle") == []
    service.games.forget(running)
    with pytest.raises(InvalidVariant, match=r"until the folder of its variant 'isle' fits it again: .*POR"):
        service.games.load(running)


def test_a_folder_that_went_is_named_too(mine: Path, running: str, service: GameService) -> None:
    (mine / "isle" / "variant.toml").unlink()
    service.games.forget(running)
    library._PLAYABLE.clear()
    with pytest.raises(InvalidVariant, match="until the folder of its variant 'isle' fits it again"):
        service.games.load(running)
    assert "isle" not in plugins.find_added()
