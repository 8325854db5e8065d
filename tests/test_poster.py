"""Posters: the PDF itself, and what `plenipo show --poster` says of what it cannot print."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plenipo import poster
from plenipo.charts import chart
from plenipo.cli import app, pictures
from plenipo.errors import PlenipoError

MILLIMETRE = 72 / 25.4


@pytest.mark.parametrize(("paper", "wide", "high"), [("a4", 297, 210), ("a3", 420, 297), ("a1", 841, 594)])
def test_a_poster_is_a_page_of_paper_with_bleed_and_the_letters_of_the_map(paper: str, wide: int, high: int) -> None:
    on = chart("standard")
    made = poster.pdf(on.draw(on.scene(shape=paper)), paper, "#f4ecd9", title='Spring "1901"')
    assert made.startswith(b"%PDF-")
    (box,) = re.findall(rb"/MediaBox ?\[([^]]*)\]", made)
    size = [float(number) / MILLIMETRE for number in box.split()]
    assert size == pytest.approx([0, 0, wide + 2 * poster.BLEED, high + 2 * poster.BLEED], abs=0.1)
    assert {b"EBGaramond-SemiBold", b"EBGaramond-MediumItalic"} <= set(re.findall(rb"EBGaramond-\w+", made))
    assert b"/Subtype/Image" not in made.replace(b" ", b"")


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(PlenipoError, match="not a picture that can be printed"):
        poster.pdf("<svg", "a4", "#ffffff")


def test_show_writes_a_poster_and_refuses_paper_there_is_not(tmp_path: Path) -> None:
    out = tmp_path / "game.pdf"
    done = CliRunner().invoke(app, ["show", "1897", "--poster", str(out), "--paper", "A4"])
    assert done.exit_code == 0, done.output
    assert out.read_bytes().startswith(b"%PDF-")
    refused = CliRunner().invoke(app, ["show", "--poster", str(out), "--paper", "b7"])
    assert refused.exit_code != 0
    assert "'b7' is not a paper for posters; there are a4, a3, a2, a1." in " ".join(refused.output.split())


def test_a_game_that_is_won_says_so_on_its_poster(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def kept(svg: str, *_: str, **__: object) -> bytes:
        drawn.append(svg)
        return b""

    monkeypatch.setattr(poster, "pdf", kept)
    rules = chart("standard").rules
    assert rules is not None
    won = replace(rules.opening, winners=(rules.names[2],))
    pictures.poster(pictures.PictureMoment(rules, won), None, "light", "a3")
    assert ">Won by France</text>" in drawn[0]
