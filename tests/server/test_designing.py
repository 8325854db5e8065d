"""The page of a designer: mistakes and picture after every save, and games that go on meanwhile."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from shutil import copytree, rmtree

import pytest
from fastapi.testclient import TestClient

from boards_in.test_readers import written
from plenipo import charts, library, user_files
from plenipo.engine.position import Power
from plenipo.library import definition, plugins
from plenipo.library.mistakes import Mistake
from plenipo.server import boards
from plenipo.server.backup import back_up, check_backup, restore
from plenipo.server.boards import chart_for
from plenipo.server.hosted_game import legal_orders
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store, schema
from plenipo.server.store.boards import BoardStore
from plenipo.server.store.variant_versions import VERSIONS_KEPT, VersionStore
from plenipo.server.web import designing
from plenipo.server.web.app import create_app
from plenipo.server.web.context import DESIGNERS, Services
from plenipo.server.web.designing import find_mistakes, try_folder
from proofs import share
from server.clocks import ManualClock
from server.loops import alone
from server.test_added_variants import mine, save
from waiting import wait_until

__all__ = ["mine"]

PAGE = "/variants/isle/design"
HERE = ("127.0.0.1", 5000)
WRONG = ("F POR", "F SBX")


@pytest.fixture
def designer(service: GameService) -> Iterator[TestClient]:
    """The browser of the person at the machine of a server for one person alone."""
    app = create_app(service, loops="none", for_others=False)
    with TestClient(app, raise_server_exceptions=False, follow_redirects=False, client=HERE) as made:
        yield made


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Forget what was found in folders of the same name, by tests of other files too."""
    library._PLAYABLE.clear()
    designing._FOUND.clear()
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
    try_folder("isle")
    assert find_mistakes("isle").tried
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


def test_a_mistake_in_what_only_the_picture_needs_is_found_with_the_years(mine: Path) -> None:
    (mine / "isle" / "look.toml").write_text("no = 1\n", "utf-8")
    assert find_mistakes("isle").mistakes == ()
    try_folder("isle")
    assert find_mistakes("isle").mistakes[0].file.name == "look.toml"


def test_the_picture_follows_every_file_that_is_saved(mine: Path, designer: TestClient) -> None:
    before = designer.get("/variants/isle/picture.svg").text
    edit(mine, 'name = "Upland"', 'name = "Moor"')
    named = designer.get("/variants/isle/picture.svg").text
    assert named != before
    (mine / "isle" / "look.toml").write_text("no = 1\n", "utf-8")
    assert designer.get("/variants/isle/picture.svg").text == named, "the last one without a mistake"


@pytest.mark.usefixtures("mine")
def test_only_added_folders_have_the_page(designer: TestClient) -> None:
    for path in ("", "/events"):
        for name in ("standard", "france-austria", "..%2Fisle", "nothere"):
            assert designer.get(f"/variants/{name}/design{path}").status_code == 404
    assert "/variants/isle/design" in designer.get("/bank").text


def test_a_folder_with_the_name_of_a_shipped_variant_has_no_page(mine: Path, designer: TestClient) -> None:
    for name in ("standard", "france-austria"):
        written(mine / name, {"variant.toml": 'title = "Mine"\nparent = "standard"\n'})
        assert designer.get(f"/variants/{name}/design").status_code == 404
        assert f"/variants/{name}/design" not in designer.get("/bank").text


@pytest.mark.usefixtures("mine")
def test_strangers_see_neither_the_page_nor_whether_there_is_one(service: GameService, designer: TestClient) -> None:
    app = create_app(service, loops="none")
    with TestClient(app, raise_server_exceptions=False, client=HERE) as behind_a_silent_proxy:
        for path in ("", "/events"):
            for name in ("isle", "standard", "nothere"):
                assert behind_a_silent_proxy.get(f"/variants/{name}/design{path}").status_code == 403
        assert "/design" not in behind_a_silent_proxy.get("/bank").text
    for header in ("x-forwarded-for", "forwarded", "x-real-ip", "via"):
        assert designer.get(PAGE, headers={header: "192.0.2.1"}).status_code == 403
        assert designer.get(f"{PAGE}/events", headers={header: "192.0.2.1"}).status_code == 403
    alone = create_app(service, loops="none", for_others=False)
    with TestClient(alone, client=("192.0.2.1", 5000)) as stranger:
        assert stranger.get(PAGE).status_code == 403
        assert "/design" not in stranger.get("/bank").text


def put_a_folder(folder: Path) -> None:
    """Put a folder in the place of the file."""
    (folder / "variant.toml").unlink()
    (folder / "variant.toml").mkdir()


BROKEN: dict[str, Callable[[Path], object]] = {
    "half a text": lambda folder: save(folder / "variant.toml", "title = "),
    "an empty text": lambda folder: save(folder / "variant.toml", ""),
    "not UTF-8": lambda folder: (folder / "variant.toml").write_bytes(b"title = '\xff'"),
    "no contacts": lambda folder: (folder / "contacts.toml").unlink(),
    "half the contacts": lambda folder: save(folder / "contacts.toml", "[spaces"),
    "code": lambda folder: (folder / "rules.py").write_text("raise SystemExit\n", "utf-8"),
    "a parent that is none": lambda folder: save(folder / "variant.toml", 'title = "A"\nparent = "../nothere"\n'),
    "a figure that is none": lambda folder: save(folder / "variant.toml", 'title = "A"\nfigure = "figure.json"\n'),
    "a folder in its place": put_a_folder,
    "no file": lambda folder: (folder / "variant.toml").unlink(),
    "no folder": rmtree,
}
"""Ways in which a folder is not a variant, or not at the moment."""


@pytest.mark.parametrize("way", share(list(BROKEN), 3))
def test_a_folder_that_is_broken_says_so_and_comes_back(way: str, mine: Path, designer: TestClient) -> None:
    folder, kept = mine / "isle", mine.parent / "kept"
    copytree(folder, kept)
    before = designer.get("/variants/isle/picture.svg")
    assert "No mistakes" in designer.get(PAGE).text
    BROKEN[way](folder)
    page = designer.get(PAGE)
    assert page.status_code == 200
    assert " mistake" in page.text
    assert "No mistakes" not in page.text
    assert str(mine) not in page.text
    assert str(mine.resolve()) not in page.text
    if folder.is_dir():
        rmtree(folder)
    kept.rename(folder)
    assert "No mistakes" in designer.get(PAGE).text
    assert designer.get("/variants/isle/picture.svg").text == before.text


def test_a_file_that_is_replaced_by_another_one_is_read_again(mine: Path, designer: TestClient) -> None:
    assert "Isle" in designer.get(PAGE).text
    beside = mine / "isle" / "variant.toml~"
    beside.write_text(read(mine).replace('title = "Isle"', 'title = "Islet"'), "utf-8")
    beside.replace(mine / "isle" / "variant.toml")
    assert "Design of Islet" in designer.get(PAGE).text


def test_a_save_while_the_file_is_read_is_not_missed(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, text = mine / "isle" / "variant.toml", read(mine)
    whole = user_files.read_text

    def read_and_save(path: Path) -> str:
        content = whole(path)
        if path == file and text == content:
            save(file, text.replace('title = "Isle"', 'title = "Islet"'))
        return content

    monkeypatch.setattr(definition, "read_text", read_and_save)
    library._SOURCES.clear()
    assert library.load("isle").title == "Isle"
    assert library.load("isle").title == "Islet"


class Passing:
    """Time that passes for a page: each wait takes as long as it says, and more may happen in it."""

    def __init__(self, happens: Mapping[int, Callable[[], object]]) -> None:
        self.happens, self.waits, self.seconds = happens, 0, 0.0

    async def wait(self, seconds: float) -> None:
        """Wait for the years that are being played, and then let happen what is to happen."""
        await asyncio.to_thread(wait_until, lambda: find_mistakes("isle").tried)
        self.waits, self.seconds = self.waits + 1, self.seconds + seconds
        self.happens.get(self.waits, lambda: None)()


async def watch(service: GameService, passing: Passing, number: int) -> list[tuple[str, int, float]]:
    """The first versions that a page hears of, each with the looks and the seconds before it."""
    heard: list[tuple[str, int, float]] = []
    async with aclosing(designing._watch(Services(service), "isle", passing.wait)) as stream:
        async for line in stream:
            if line.startswith(b"event: findings"):
                version = json.loads(line.decode().partition("data: ")[2])["version"]
                heard.append((version, passing.waits, passing.seconds))
            if len(heard) == number:
                break
    return heard


def test_a_page_hears_of_a_save_at_the_next_look_and_of_the_years_after_it(mine: Path, service: GameService) -> None:
    passing = Passing({5: lambda: edit(mine, *WRONG), 9: lambda: edit(mine, *WRONG[::-1])})
    first, tried, wrong, mended = alone(watch(service, passing, 4))
    assert [first[0].endswith("-read"), tried[0].endswith("-tried"), wrong[0].endswith("-tried")] == [True] * 3
    assert tried[0] == first[0].replace("-read", "-tried")
    assert (first[1], tried[1], wrong[1], mended[1]) == (0, 1, 5, 9), "without a look in between"
    assert wrong[2] == 5 * designing.LOOK
    assert 4 * designing.LOOK <= 2, "two seconds have room for four looks"


def test_findings_do_not_wait_for_the_years_of_the_save_before(mine: Path, service: GameService) -> None:
    """While a trial is going on, a save is heard of, and the trial ends."""
    phases = [0]
    saves = iter([lambda: edit(mine, *WRONG)])

    def troubles(_rules: object, plays: Callable[[], bool]) -> Iterator[tuple[Sequence[str], str]]:
        while plays():
            phases[0] += 1
            yield from ()
            if phases[0] == 3:
                next(saves)()

    async def wait(seconds: float) -> None:
        await asyncio.sleep(seconds / 100)

    async def heard() -> list[str]:
        versions: list[str] = []
        async with aclosing(designing._watch(Services(service), "isle", wait)) as stream:
            async for line in stream:
                if line.startswith(b"event"):
                    versions.append(line.decode())
                if len(versions) == 2:
                    break
        return versions

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "troubles", troubles)
        read_, wrong = alone(heard())
    assert "-read" in read_
    assert "-tried" in wrong
    assert phases[0] >= 3
    assert not designing._FOUND.trying.locked()
    assert "SBX" in str(find_mistakes("isle").mistakes[0])


def test_a_folder_is_checked_once_for_all_who_watch(
    mine: Path, service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks: list[object] = []
    check = designing._check

    def count(folder: Path, name: str, tries: Callable[[], bool] | None = None) -> tuple[Mistake, ...]:
        checks.append(tries)
        return check(folder, name, tries)

    monkeypatch.setattr(designing, "_check", count)
    passing = [Passing({}) for _ in range(DESIGNERS)]

    async def watch_together() -> None:
        await asyncio.gather(*(watch(service, one, 2) for one in passing))

    alone(watch_together())
    assert mine
    assert len(checks) == 2, "once the files, and once picture and years"


def test_a_page_hears_that_its_folder_is_gone_and_that_it_is_back(mine: Path, service: GameService) -> None:
    file = mine / "isle" / "variant.toml"
    aside = mine / "isle" / "old.toml"
    passing = Passing({5: lambda: file.rename(aside), 9: lambda: aside.rename(file)})
    first, _, gone, back = alone(watch(service, passing, 4))
    assert (gone[1], back[1]) == (5, 9)
    assert back[0] == first[0]


def read(folder: Path) -> str:
    return (folder / "isle" / "variant.toml").read_text("utf-8")


@pytest.mark.usefixtures("mine")
def test_so_many_pages_are_open_at_a_time_and_no_more(service: GameService) -> None:
    app = create_app(service, loops="none", for_others=False)
    with TestClient(app, client=HERE) as designer:
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


@pytest.fixture
def restart(mine: Path, store: Store) -> Callable[[], GameService]:
    """A function that starts another server on the same database, in a process that knows nothing of the first."""

    def start() -> GameService:
        library._PLAYABLE.clear()
        library._SOURCES.clear()
        boards._DRAWN.clear()
        charts.chart_of.cache_clear()
        library._KEPT.clear()
        plugins._SEEN.clear()
        assert mine
        return GameService(store)

    return start


def lose_the_port(mine: Path) -> None:
    """Give a space another code."""
    folder = mine / "isle"
    table, toml = (folder / "contacts.toml").read_text("utf-8"), read(mine)
    save(folder / "contacts.toml", table.replace("POR", "QUX"))
    save(folder / "variant.toml", toml.replace("POR", "QUX").replace("Port", "Quay"))
    assert library.check(folder) == []


EDITS: dict[str, Callable[[Path], object]] = {
    **{way: partial(lambda act, mine: act(mine / "isle"), act) for way, act in BROKEN.items()},
    "a wrong unit": lambda mine: edit(mine, *WRONG),
    "another code of a space": lose_the_port,
    "another name": lambda mine: edit(mine, 'name = "Upland"', 'name = "Moor"'),
}
"""Edits of a folder of which games are running."""


@pytest.mark.parametrize("way", share(list(EDITS), 4))
def test_a_running_game_goes_on_after_an_edit_and_a_restart(
    way: str, mine: Path, running: str, service: GameService, restart: Callable[[], GameService]
) -> None:
    before = service.games.load(running)
    picture = chart_for(before.game.rules).draw()
    EDITS[way](mine)
    after = restart().games.load(running)
    assert after.game.position == before.game.position
    assert legal_orders(after.game.rules, after.game.position, Power("Red"), ["A TWN H"])
    assert (chart_for(after.game.rules).draw() == picture) == (way != "another name")


def test_the_pages_of_a_game_go_on_by_a_kept_version(
    mine: Path, running: str, restart: Callable[[], GameService]
) -> None:
    lose_the_port(mine)
    with TestClient(create_app(restart(), loops="none"), raise_server_exceptions=False) as client:
        assert client.get(f"/games/{running}").status_code == 200
        assert "POR" in client.get(f"/games/{running}/picture.svg").text


def test_two_games_go_on_with_the_board_that_each_began_with(
    mine: Path, running: str, service: GameService, restart: Callable[[], GameService]
) -> None:
    lose_the_port(mine)
    second = service.open(NewGameRequest("isle", {})).id
    edit(mine, "QUX", "SBX")
    for _ in range(2):
        again = restart()
        first_board, second_board = (again.games.load(game).game.rules.board for game in (running, second))
        assert "POR" in first_board.spaces
        assert "QUX" in second_board.spaces
    edit(mine, "SBX", "QUX")
    assert restart().games.load(second).game.rules is library.load("isle"), "the folder itself where the game fits it"


def keep_versions(mine: Path, service: GameService, number: int) -> None:
    """Edit the Isle so many times, and open a game of each version."""
    for edition in range(number):
        edit(mine, f'title = "{library.load("isle").title}"', f'title = "Isle {edition}"')
        service.open(NewGameRequest("isle", {}))


def test_a_game_goes_on_however_many_newer_versions_were_played(
    mine: Path, running: str, service: GameService, restart: Callable[[], GameService]
) -> None:
    lose_the_port(mine)
    keep_versions(mine, service, VERSIONS_KEPT + 2)
    versions = service.games.kept_variants.find_versions("isle")
    assert len(versions) == VERSIONS_KEPT + 3
    assert f'title = "Isle {VERSIONS_KEPT + 1}"' in versions[0]["isle/variant.toml"]
    assert "POR" in restart().games.load(running).game.rules.board.spaces


def test_a_version_that_nobody_plays_for_a_year_is_removed_unless_it_is_one_of_the_last(
    mine: Path, store: Store
) -> None:
    clock = ManualClock(datetime(2026, 1, 1, tzinfo=UTC))
    service = GameService(store, clock=clock)
    service.open(NewGameRequest("isle", {}))
    keep_versions(mine, service, VERSIONS_KEPT)
    clock.time += timedelta(days=366)
    versions = service.games.kept_variants.find_versions
    assert len(versions("isle")) == VERSIONS_KEPT + 1
    keep_versions(mine, service, 1)
    assert len(versions("isle")) == VERSIONS_KEPT


def test_boards_that_expire_take_no_version_along(mine: Path, running: str, store: Store) -> None:
    assert mine
    assert running
    store.of(BoardStore).keep("a board", "text", datetime.now(UTC) + timedelta(days=1000))
    assert GameService(store).games.kept_variants.find_versions("isle")


def test_a_backup_has_the_versions_that_its_games_are_played_by(
    mine: Path, running: str, store: Store, tmp_path: Path, restart: Callable[[], GameService]
) -> None:
    lose_the_port(mine)
    restart()
    back_up(store, tmp_path / "backup")
    assert check_backup(tmp_path / "backup").faults == ()
    restore(tmp_path / "backup", str(tmp_path / "new.sqlite"))
    restored = Store(str(tmp_path / "new.sqlite"))
    assert "POR" in GameService(restored).games.load(running).game.rules.board.spaces
    restored.close()


def test_without_a_kept_version_a_game_names_the_file_that_stops_it(
    mine: Path, running: str, store: Store, restart: Callable[[], GameService]
) -> None:
    edit(mine, *WRONG)
    with store.engine.begin() as connection:
        connection.execute(schema.variant_versions.delete())
    with TestClient(create_app(restart(), loops="none")) as client:
        told = client.get(f"/api/games/{running}")
        assert told.status_code == 422
        assert (
            "cannot go on until the folder of its variant 'isle' fits it again: isle, line"
            in told.json()["error"]["message"]
        )
        assert str(mine) not in told.text
        edit(mine, *WRONG[::-1])
        assert client.get(f"/api/games/{running}").status_code == 200


def test_a_damaged_version_stops_no_other_one(
    mine: Path, running: str, service: GameService, store: Store, restart: Callable[[], GameService]
) -> None:
    bad = ['{"../isle/variant.toml": "title = 1"}', '{"isle/variant.toml": "title = "}', "{}", "no JSON"]
    for number, text in enumerate(bad):
        store.of(VersionStore).keep("isle", str(number), text, service.clock.now())
    edit(mine, *WRONG)
    assert "POR" in restart().games.load(running).game.rules.board.spaces


@pytest.mark.usefixtures("running")
def test_shipped_variants_are_not_kept(service: GameService) -> None:
    service.open(NewGameRequest("standard", {}))
    assert service.games.kept_variants.find_versions("standard") == []
    files = service.games.kept_variants.find_versions("isle")
    assert [sorted(one) for one in files] == [["isle/contacts.toml", "isle/variant.toml"]]
