"""A survey: what it counts is what happened in the games, and its page shows it for one board or two."""

from xml.etree import ElementTree as ET

import pytest

import surveys
from plenipo.engine.history.game import Game
from plenipo.engine.position import Power
from plenipo.matches.lineup import Match
from plenipo.matches.plots import curves, intervals, picture
from plenipo.matches.referee import Played
from plenipo.matches.run import game_of, play_match
from plenipo.matches.standings import Estimate
from plenipo.matches.survey import GameFacts, Survey, collect_facts, make_survey
from plenipo.matches.survey_page import by_year, html, rows
from table import standard

YEARS = 4
MATCH = Match("standard", ("sensible",) * 7, bytes(32), games=3, years=YEARS)


@pytest.fixture(scope="module")
def games() -> list[tuple[Played, GameFacts, Game]]:
    rules = standard()
    return [(played, collect_facts(rules, played), game_of(rules, played)) for played, _ in play_match(MATCH)]


@pytest.fixture(scope="module")
def survey(games: list[tuple[Played, GameFacts, Game]]) -> Survey:
    return make_survey(standard(), "sensible", YEARS, [game[1] for game in games])


def test_centres_by_year_are_those_of_the_game_played_again(games: list[tuple[Played, GameFacts, Game]]) -> None:
    for _, found, game in games:
        ends = {turn.resolution.before.phase.year: turn.resolution.after for turn in game.turns}
        for power in standard().names:
            owned = [len(game.start.centres_of(power))]
            owned += [len(ends[year].centres_of(power)) for year in sorted(ends)]
            assert found.centres[power] == tuple(owned)


def test_changes_and_firsts_are_those_of_the_game_played_again(games: list[tuple[Played, GameFacts, Game]]) -> None:
    for _, found, game in games:
        changes: dict[str, int] = {}
        firsts: dict[Power, set[str]] = {}
        for turn in game.turns:
            before, after = turn.resolution.before.owners, turn.resolution.after.owners
            taken = {code: power for code, power in after.items() if before.get(code) != power}
            for code in taken:
                changes[code] = changes.get(code, 0) + 1
            for power in standard().names:
                new = {str(code) for code, owner in taken.items() if owner == power}
                new -= set(map(str, game.start.centres_of(power)))
                if new:
                    firsts.setdefault(power, new)
        assert found.changes == changes
        assert found.firsts.keys() == firsts.keys()
        assert all(code in firsts[Power(power)] for power, code in found.firsts.items())


def test_shares_and_ends_make_one(survey: Survey) -> None:
    assert sum(power.share.mean for power in survey.powers) == pytest.approx(1)
    assert survey.solos.mean + survey.shared.mean + survey.cut_off.mean == pytest.approx(1)
    assert 0 < survey.failed < 1
    for power in survey.powers:
        assert sum(part for _, part in power.firsts) <= 1 + 1e-9
        assert len(power.centres) == YEARS + 1
        assert power.openings[0].games >= power.openings[-1].games


def test_the_page_shows_two_boards_side_by_side(survey: Survey) -> None:
    one, two = html([survey]), html([survey, survey])
    assert two.count("<svg") == 2 * one.count("<svg") == 8
    assert [row[0] for row in rows(survey)] == [
        power.power for power in sorted(survey.powers, key=lambda power: -power.share.mean)
    ]
    assert all(row[0] in one for row in rows(survey))
    assert "Changes of owner for each centre in a game" in one
    assert "no centre changed its owner in the last" in one


def test_plots_escape_names_and_stay_inside() -> None:
    drawn = intervals("a & b", [("<x>", Estimate(0.5, 0.2, 1.0))]) + curves("c", {"<y>": [(0, 1), (3, 2)]}, across="d")
    assert "<x>" not in drawn
    assert "&lt;x&gt;" in drawn
    assert "&lt;y&gt;" in drawn
    assert "a &amp; b" in drawn


def test_a_plot_as_a_file_of_its_own_brings_its_colours(survey: Survey) -> None:
    root = ET.fromstring(picture(by_year(survey)))  # noqa: S314  # our own drawing
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    style = root.findtext("{http://www.w3.org/2000/svg}style") or ""
    assert "--ink:" in style
    assert ".curve" in style


def test_a_page_of_surveys_is_read_as_the_sections_it_was_written_of(survey: Survey) -> None:
    sections = {name: surveys.section(name, survey) for name in ("standard", "corner")}
    assert surveys.known(surveys.HEAD + "\n".join(sections.values())) == sections
    assert "](surveys/standard.svg)" in sections["standard"]
