"""What designers come with, and how each of them gets to a game: ten journeys of at most twelve steps each.

A step is a command, a file that is written or changed, or a page that is opened.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZipFile

import pytest
from PIL import Image, ImageDraw
from starlette.testclient import TestClient
from typer.testing import CliRunner

from boards_in.samples import JUDGE, SAMPLES
from boards_in.test_pictures import ISLE
from plenipo import library
from plenipo.cli import app
from plenipo.library import plugins
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.web.app import create_app

MOST_STEPS = 12


class Journey:
    """The steps of one designer, in a folder of his own; there is one step too many after `MOST_STEPS`."""

    def __init__(self, home: Path) -> None:
        self.home, self.steps = home, 0

    def _step(self) -> None:
        self.steps += 1
        assert self.steps <= MOST_STEPS, "a designer gives up"

    def command(self, words: str, typed: str = "", code: int = 0) -> str:
        """Give a command of `plenipo`, as words with spaces between, and return what it prints."""
        self._step()
        done = CliRunner().invoke(app, words.split(), input=typed)
        assert done.exit_code == code, done.output
        assert "Traceback" not in done.output
        return done.output

    def write(self, file: str, text: str) -> None:
        """Write a file."""
        self._step()
        (self.home / file).parent.mkdir(parents=True, exist_ok=True)
        (self.home / file).write_text(text, encoding="utf-8")

    def change(self, file: str, *changes: tuple[str, str]) -> None:
        """Replace texts in a file."""
        text = (self.home / file).read_text("utf-8")
        for one, other in changes:
            assert one in text, text
            text = text.replace(one, other)
        self.write(file, text)

    @contextmanager
    def serve(self, folder: str) -> Iterator[TestClient]:
        """Serve the variants in a folder to a browser on the same machine."""
        self._step()
        plugins.add_folders([self.home / folder])
        store = Store(f"sqlite:///{self.home / 'games.sqlite'}")
        site = create_app(GameService(store), loops="none", for_others=False)
        with TestClient(site, client=("127.0.0.1", 5000)) as browser:
            yield browser
        store.close()

    def open(self, browser: TestClient, path: str) -> str:
        """Open a page, and return its text."""
        self._step()
        page = browser.get(path)
        assert page.status_code == 200, page.text
        return page.text


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Journey]:
    """The journey of one designer, whose terminal is in his own folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(plugins, "_ADDED", [])
    yield Journey(tmp_path)
    plugins._SEEN.clear()


def test_i_have_a_judge_file(mine: Journey) -> None:
    for name, text in JUDGE.items():
        mine.write(f"judge/{name}", text)
    assert "1 board is playable, in boards." in mine.command("import judge/isle.map --to boards")
    assert "0 mistakes found." in mine.command("check boards/isle")
    assert "Isle, 2 powers" in mine.command("play boards/isle", typed="quit\n")
    mine.command("show boards/isle --svg isle.svg")
    assert "Upland" in (mine.home / "isle.svg").read_text("utf-8")


def test_i_have_a_zip_of_several_programs(mine: Journey) -> None:
    with ZipFile(mine.home / "all.zip", "w") as packed:
        for sample, texts in SAMPLES.items():
            for name, text in texts.items():
                packed.writestr(f"{sample}/{name}", text)
    told = mine.command("import all.zip --to boards", code=2)
    assert "There are 8 boards" in told
    assert "--all" in told
    assert "8 boards are playable" in mine.command("import all.zip --all --to boards")
    with mine.serve("boards") as browser:
        assert mine.open(browser, "/bank?q=isle").count('href="/variants/isle') >= 2


TABLE = """\
code,name,kind,centre,owner,unit,touches
UPL,Upland,inland,yes,,,CAP TWN
CAP,Cape,coast,yes,Red,A,TWN BAY
TWN,Town,coast,yes,Blue,F,BAY
BAY,Bay,sea,,,,
"""


def test_i_have_a_table(mine: Journey) -> None:
    mine.write("isle.csv", TABLE.replace("CAP TWN", "CAP TWM"))
    told = mine.command("import isle.csv --to boards", code=1)
    assert "isle.csv, line 2" in told
    assert "TWM" in told
    mine.write("isle.csv", TABLE)
    mine.command("import isle.csv --to boards")
    assert "0 mistakes found." in mine.command("check boards/isle")
    mine.change("isle.csv", ("BAY,Bay,sea,,,,", "BAY,Bay,sea,,,,\nROC,Rock,coast,yes,,,BAY"))
    mine.command("import isle.csv --to boards --replace")
    assert "ROC" in library.load(mine.home / "boards" / "isle").board.centres
    assert "0 mistakes found." in mine.command("check boards/isle")


def test_i_have_an_inkscape_map(mine: Journey) -> None:
    mine.write("isle.svg", ISLE)
    told = mine.command("import isle.svg --to boards")
    assert "1 board is playable" in told
    assert "import.toml" in told
    mine.change("boards/isle/import.toml", ('name = "Upland"', 'name = "Moor"'))
    mine.write("isle.svg", ISLE.replace("H230", "H236").replace("M230", "M236"))
    mine.command("import isle.svg --to boards --replace")
    assert "0 mistakes found." in mine.command("check boards/isle")
    mine.command("show boards/isle --svg drawn.svg")
    assert "Moor" in (mine.home / "drawn.svg").read_text("utf-8")


def test_i_have_a_picture_and_a_table(mine: Journey) -> None:
    picture = Image.new("RGB", (400, 300), "#a0c8e8")
    pen = ImageDraw.Draw(picture)
    for left, right, colour in ((100, 180, "#d02020"), (180, 230, "#f0e8c8"), (230, 300, "#2040d0")):
        pen.rectangle((left, 60, right, 240), colour)
    picture.save(mine.home / "isle.png")
    table = "code,name,kind,centre,owner,unit,touches,x,y\nCAP,Cape,coast,yes,Red,A,UPL SEA,140,150\n"
    table += "UPL,Upland,coast,yes,,,TWN SEA,205,150\nTWN,Town,coast,yes,Blue,A,SEA,265,150\nSEA,Sea,sea,,,,,30,30\n"
    mine.write("isle.csv", table)
    told = mine.command("import isle.png --contacts isle.csv --to boards")
    assert "1 board is playable" in told
    assert "0 mistakes found." in mine.command("check boards/isle")
    board = library.load(mine.home / "boards" / "isle").board
    assert {space.name for space in board.spaces.values()} == {"Cape", "Upland", "Town", "Sea"}


IRELAND = """\
[spaces]
IRE = "coast"
[fleets]
IRE = ["NAT", "IRI"]
"""


def test_i_want_the_standard_board_with_ireland(mine: Journey) -> None:
    mine.command("new emerald")
    mine.write("emerald/contacts.toml", IRELAND)
    mine.change("emerald/variant.toml", ('parent = "standard"', 'parent = "standard"\nmore_contacts = "contacts.toml"'))
    told = mine.command("check emerald", code=1)
    assert "IRE" in told
    assert "[spaces]" in told or "'spaces" in told
    mine.write("emerald/variant.toml", (mine.home / "emerald/variant.toml").read_text("utf-8") + EIRE)
    assert "0 mistakes found." in mine.command("check emerald")
    board = library.load(mine.home / "emerald").board
    assert "IRE" in board.centres
    assert len(board.spaces) == len(library.load("standard").board.spaces) + 1
    assert "Emerald, 7 powers" in mine.command("play emerald", typed="F LVP - IRI\nquit\n")


EIRE = """
[spaces]
IRE = { name = "Ireland", centre = true }
"""


FLEETS = """\
title = "Fleets"
parent = "standard"

[powers]
Italy = { units = ["F BUR"] }
"""


def test_i_want_another_opening(mine: Journey) -> None:
    mine.command("new fleets --like standard")
    mine.write(
        "fleets/variant.toml", 'title = "Fleets"\nparent = "standard"\n\n[powers]\nItaly = { units = ["F ROM"] }\n'
    )
    told = mine.command("check fleets", code=1)
    assert "line 5" in told
    assert "BUR" in told
    mine.change("fleets/variant.toml", ("F BUR", "F NAP"))
    assert "0 mistakes found." in mine.command("check fleets")
    assert [str(unit) for unit in library.load(mine.home / "fleets").opening.units if unit.power == "Italy"] == [
        "F NAP"
    ]


RULE = """
[[modules.builds.sites]]
where = "owned"
"""

CASE = """\
- id: ANYWHERE-01
  title: an army is raised in a captured centre
  variant: anywhere
  phase: Winter 1901 adjustments
  units: {France: [A SPA]}
  centres: {France: [PAR, SPA, POR]}
  orders: {France: [Build A POR]}
  expect: {units: {France: [A SPA, A POR]}}
"""


def test_i_have_a_house_rule_and_a_case_for_it(mine: Journey) -> None:
    mine.command("new anywhere")
    mine.write("anywhere/cases/rules.yaml", CASE)
    assert "1 failed" in mine.command("cases anywhere/cases/rules.yaml", code=1)
    mine.write("anywhere/variant.toml", (mine.home / "anywhere/variant.toml").read_text("utf-8") + RULE)
    assert "1 passed, 0 failed" in mine.command("cases anywhere/cases/rules.yaml")
    assert "0 mistakes found." in mine.command("check anywhere")


def test_i_have_a_piece_of_the_earth_and_a_drawing_program(mine: Journey) -> None:
    mine.command("map new isles --from-earth -11 49.5 3 59.5 --lands 5 --seas 3 --powers 2")
    assert "0 mistakes found." in mine.command("check isles")
    mine.command("map export isles --layers isles.svg")
    name = next(iter(library.load(mine.home / "isles").board.spaces.values())).name
    mine.change("isles.svg", (name, "Nowhere"))
    mine.command("import isles.svg --to boards")
    board = library.load(mine.home / "boards" / "isles").board
    assert "Nowhere" in {space.name for space in board.spaces.values()}


def test_my_friends_play_while_i_edit(mine: Journey) -> None:
    mine.command("new variants/harbour")
    with mine.serve("variants") as browser:
        assert "No mistakes" in mine.open(browser, "/variants/harbour/design")
        game = browser.post("/api/games", json={"variant": "harbour"}).json()["id"]
        good = (mine.home / "variants/harbour/variant.toml").read_text("utf-8")
        mine.write("variants/harbour/variant.toml", good + '\n[powers]\nItaly = { units = ["F XYZ"] }\n')
        page = mine.open(browser, "/variants/harbour/design")
        assert "XYZ" in page
        assert "variant.toml, line" in page
        mine.open(browser, f"/games/{game}")
        mine.change("variants/harbour/variant.toml", ("F XYZ", "F VEN"))
        assert "No mistakes" in mine.open(browser, "/variants/harbour/design")
        mine.open(browser, f"/games/{game}")
