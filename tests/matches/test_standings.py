"""The standings of a match: intervals against published values, shares that add up, ratings that follow results."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.matches.lineup import Match
from plenipo.matches.referee import Played, PlayerFault
from plenipo.matches.report import by_power, cells, faults_of, html
from plenipo.matches.standings import estimate, fraction, ratings, standings


def played(game: int, seats: Mapping[str, str], scores: Mapping[str, int], winners: tuple[str, ...] = ()) -> Played:
    squares = {power: float(power in winners) if winners else score**2 for power, score in scores.items()}
    shares = {power: square / sum(squares.values()) for power, square in squares.items()}
    alive = tuple(power for power, score in scores.items() if score)
    return Played(game, seats, "", "", 5, winners, scores, shares, alive, {}, (), ())


# Wilson's intervals as tables give them (Newcombe 1998 has the first three)
@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_of_a_fraction_is_wilsons(hits: int, of: int, low: float, high: float) -> None:
    found = fraction([1.0] * hits + [0.0] * (of - hits))
    assert [found.low, found.high] == pytest.approx([low, high], abs=5e-5)


def test_the_interval_of_a_mean_is_students() -> None:
    found = estimate([0.1, 0.2, 0.3, 0.4])
    assert found.mean == pytest.approx(0.25)
    assert found.high - found.mean == pytest.approx(3.182 * 0.1290994 / 2, abs=1e-5)


def test_one_game_says_nothing_of_the_spread() -> None:
    assert (estimate([0.5]).low, estimate([0.5]).high) == (0, 1)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=60))
def test_an_interval_holds_its_mean_and_stays_in_range(values: list[float]) -> None:
    for found in (estimate(values), fraction(values)):
        assert 0 <= found.low <= found.mean + 1e-9
        assert found.mean - 1e-9 <= found.high <= 1


def test_a_player_of_several_seats_has_the_mean_of_a_seat() -> None:
    games = [
        played(0, {"X": "a", "Y": "b", "Z": "b"}, {"X": 3, "Y": 4, "Z": 0}),
        played(1, {"X": "b", "Y": "a", "Z": "b"}, {"X": 9, "Y": 1, "Z": 1}, ("X",)),
    ]
    found = {standing.player: standing for standing in standings(games)}
    assert found["a"].share.mean == pytest.approx((9 / 25 + 0) / 2)
    assert found["b"].share.mean == pytest.approx((16 / 25 / 2 + 1 / 2) / 2)
    assert found["b"].seats == 2
    assert found["b"].solos.mean == 0.5
    assert found["b"].survived.mean == pytest.approx(0.75)
    assert found["a"].by_power["X"].mean == pytest.approx(9 / 25)
    assert sum(standing.seats * standing.share.mean for standing in found.values()) == pytest.approx(1)


def test_the_winner_is_rated_higher_and_the_uncertainty_falls() -> None:
    pytest.importorskip("openskill", reason="openskill is not installed")
    games = [played(i, {"X": "a", "Y": "b", "Z": "b"}, {"X": 9, "Y": 1, "Z": 1}, ("X",)) for i in range(10)]
    rated = ratings(games)
    assert rated["a"][0] > 25 > rated["b"][0]
    assert rated["a"][1] < 25 / 3
    assert ratings(games) == rated


def test_each_players_first_fault_is_reported_with_the_number_of_faults() -> None:
    faults = tuple(PlayerFault("Spring 1901 movement", "X", "a", f"'a' raised E: {i}.") for i in range(3))
    game = played(4, {"X": "a", "Y": "b"}, {"X": 1, "Y": 1})
    told = faults_of([Played(**{**vars(game), "faults": faults})])
    assert told == ["'a' raised E: 0 (game 4, Spring 1901 movement, X). 3 faults in all; the substitute ordered."]


@pytest.mark.parametrize(("faults", "scored"), [(0, True), (10, True), (11, False), (100, False)])
def test_a_player_replaced_in_more_than_a_tenth_of_its_phases_has_no_score(faults: int, scored: bool) -> None:  # noqa: FBT001
    seats = {"France": "mine", "Italy": "other"}
    fault = PlayerFault("Spring 1901 movement", "France", "mine", "'mine' ended.")
    games = [
        replace(
            played(number, seats, {"France": 6, "Italy": 3}),
            faults=(fault,) * (faults // 2 + faults % 2 * number),
            asked={"mine": 50, "other": 50},
        )
        for number in range(2)
    ]
    table = standings(games)
    mine = next(one for one in table if one.player == "mine")
    assert (mine.faults, mine.asked) == (faults, 100)
    assert (mine.why_unscored == "") is scored
    assert [one.player for one in table] == (["mine", "other"] if scored else ["other", "mine"])
    row, told = cells(mine, None), mine.to_json()
    assert (row[1] == "-") is not scored
    assert (told["share"] is None, told["unscored"] is None) == (not scored, scored)
    columns, rows = by_power(table)
    assert ("mine" in columns) is scored
    assert len(rows) == (2 if scored else 1)
    page = html(Match("standard", ("mine", "other"), bytes(32)), "Diplomacy", games, table, {})
    assert ("has no score: the substitute ordered for it in" in page) is not scored
    assert ("Share of mine by power" in page) is scored
