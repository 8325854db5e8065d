"""The pages of Backstabbr: whole games, single turns, every way to save a page, and contradictions."""

import html
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from formats.backstabbr_pages import address, pages, write_page
from formats.sample_games import games, play
from plenipo import library
from plenipo.engine.history.game import Game
from plenipo.engine.orders import Move
from plenipo.engine.position import Power
from plenipo.errors import InvalidRecord, PlenipoError
from plenipo.formats import FORMATS

BACKSTABBR = FORMATS["backstabbr"]

OPENING = {"France": {"Par": "A", "Mar": "A", "Bre": "F"}, "Germany": {"Mun": "A"}}
BURGUNDY = {"Par": {"type": "MOVE", "to": "Bur", "result": "SUCCEEDS", "result_reason": "Unchallenged"}}


def read(text: str) -> Game:
    """The game of pages, which only this format recognises."""
    assert [name for name, form in FORMATS.items() if form.sniff(text)] == ["backstabbr"]
    return BACKSTABBR.read(text, library.load)


def positions(game: Game) -> list[tuple[Any, ...]]:
    """The units, dislodged units and owners of each position of a game."""
    every = [game.position_after(number) for number in range(len(game.turns) + 1)]
    return [(str(one.phase), one.units, [it.unit for it in one.dislodged], one.owners) for one in every]


def without_chosen_routes(game: Game) -> Game:
    """The part of a game before the first order by convoy: a page does not say whether an army goes by land or sea."""
    for number, turn in enumerate(game.turns):
        if any(isinstance(one.order, Move) and one.order.via for one in turn.resolution.outcomes):
            return game.fork(number)
    return game


@pytest.mark.parametrize(
    ("seed", "player"), [(1, "careless"), (2, "careless"), (1, "sensible"), (2, "sensible"), (3, "sensible")]
)
def test_the_pages_of_a_game_lead_to_its_positions(seed: int, player: str) -> None:
    game = without_chosen_routes(play(seed, player=player))
    assert len(game.turns) > 3
    again = read("".join(pages(game)))
    assert again.rulings == ()
    assert positions(again) == positions(game)


@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], deadline=None)
@given(data=st.data())
def test_the_pages_of_any_game_in_any_order_are_that_game(data: st.DataObject) -> None:
    game = without_chosen_routes(data.draw(games()))
    assume(game.turns)
    again = read("".join(data.draw(st.permutations(pages(game)))))
    assert again.rulings == ()
    assert positions(again)[: len(game.turns)] == positions(game)[: len(game.turns)]


def as_source_page(text: str) -> str:
    """A page that shows the source of another one, as some browsers save it."""
    rows = (f"<tr><td>{html.escape(row)}</td></tr>\n" for row in text.split("\n"))
    return (
        f"<!DOCTYPE html><html><head><title>view-source: backstabbr</title></head><table>{''.join(rows)}</table></html>"
    )


def as_fragment(text: str) -> str:
    """The script of a page alone, after its address."""
    return f"{address('spring', 1901)}\n{text.partition('<script>')[2].partition('</script>')[0]}\n"


def as_heading(text: str) -> str:
    """The script of a page alone, after its turn."""
    return "Spring 1901\n" + as_fragment(text).partition("\n")[2]


def as_windows_text(text: str) -> str:
    """A page with other names and quotes for the same things."""
    return text.replace("var ", "window.").replace('name="state_key"', "name='state_key'").replace("\n", "\n\n")


@pytest.mark.parametrize("save", [str, as_source_page, as_fragment, as_heading, as_windows_text])
def test_a_page_is_read_however_it_was_saved(save: Any) -> None:
    text = save(write_page("spring", 1901, orders={"France": BURGUNDY}, unitsByPlayer=OPENING))
    game = read(text)
    assert str(game.position.phase) == "Fall 1901 movement"
    assert sorted(map(str, game.position.units_of(Power("France")))) == ["A BUR", "A MAR", "F BRE"]


def test_a_single_page_is_a_position_with_its_orders() -> None:
    units = {"Russia": {"Stp": {"type": "F", "coast": "sc"}, "Tyr": "A"}, "Italy": {"Ven": "A", "TYS": "F"}}
    orders = {
        "Russia": {
            "Stp": {"type": "MOVE", "to": "BOT", "result": "SUCCEEDS"},
            "Tyr": {"type": "HOLD", "result": "SUCCEEDS"},
        },
        "Italy": {"Ven": {"type": "MOVE", "to": "Tyr", "result": "FAILS"}},
    }
    owners = {"Stp": "Russia", "Ven": "Italy", "Nap": None}
    game = read(write_page("fall", 1905, orders=orders, unitsByPlayer=units, territories=owners))
    assert str(game.position_after(0).phase) == "Fall 1905 movement"
    assert sorted(map(str, game.position_after(0).units)) == ["A TYO", "A VEN", "F STP/SC", "F TYN"]
    assert dict(game.position_after(0).owners) == {"STP": "Russia", "VEN": "Italy"}
    assert game.turns[0].orders[Power("Italy")] == ("A VEN - TYO",)
    assert game.rulings == ()


def test_orders_that_wait_for_others_are_not_played_but_those_of_a_single_page_are() -> None:
    first = write_page("spring", 1901, orders={"France": BURGUNDY}, unitsByPlayer=OPENING)
    moved = {"France": {"Bur": "A", "Mar": "A", "Bre": "F"}, "Germany": {"Mun": "A"}}
    draft = {"France": {"Bur": {"type": "MOVE", "to": "Mun"}}}
    now = write_page("fall", 1901, orders=draft, unitsByPlayer=moved)
    assert len(read(first + now).turns) == 1
    assert len(read(now).turns) == 1
    everybody = {**draft, "Germany": {"Mun": {"type": "HOLD"}}}
    assert len(read(first + write_page("fall", 1901, orders=everybody, unitsByPlayer=moved)).turns) == 2


def test_retreats_stand_in_the_orders_of_the_movement_and_may_be_awaited() -> None:
    units = {"France": {"Bur": "A", "Ruh": "A"}, "Germany": {"Mun": "A"}}
    attack = {
        "Bur": {"type": "MOVE", "to": "Mun", "result": "SUCCEEDS"},
        "Ruh": {"type": "SUPPORT", "from": "Bur", "to": "Mun", "result": "SUCCEEDS"},
    }
    stands = {"type": "HOLD", "result": "FAILS"}
    went = {**stands, "retreat": {"type": "MOVE", "to": "Ber", "result": "SUCCEEDS"}}
    gone = {**stands, "retreat": {"type": "DISBAND", "to": None, "result": "SUCCEEDS"}}
    for retreat, left in ((went, ["A BER"]), (gone, [])):
        orders = {"France": attack, "Germany": {"Mun": retreat}}
        game = read(write_page("spring", 1902, orders=orders, unitsByPlayer=units))
        assert str(game.position.phase) == "Fall 1902 movement"
        assert [str(unit) for unit in game.position.units_of(Power("Germany"))] == left
    orders = {"France": attack, "Germany": {"Mun": stands}}
    game = read(write_page("spring", 1902, orders=orders, unitsByPlayer=units, retreatOptions={"Mun": ["Ber"]}))
    assert str(game.position.phase) == "Spring 1902 retreats"


def test_builds_and_removals_of_a_winter_are_read_also_where_the_page_shows_the_units_after_them() -> None:
    owners = {"Stp": "Russia", "Mos": "Russia", "Ven": "Italy"}
    before = {"Russia": {"Mos": "A"}, "Italy": {"Ven": "A", "ADR": "F"}}
    orders = {
        "Russia": {"Stp": {"type": "BUILD", "unit_type": "F", "coast": "nc", "result": "SUCCEEDS"}},
        "Italy": {"ADR": {"type": "DISBAND", "result": "SUCCEEDS"}},
    }
    game = read(write_page("winter", 1903, orders=orders, unitsByPlayer=before, territories=owners))
    assert sorted(map(str, game.position.units)) == ["A MOS", "A VEN", "F STP/NC"]
    fall = write_page(
        "fall", 1903, orders={"Russia": {"Mos": {"type": "HOLD", "result": "SUCCEEDS"}}}, unitsByPlayer=before,
        territories=owners,
    )  # fmt: skip
    after = {"Russia": {"Mos": "A", "Stp": {"type": "F", "coast": "nc"}}, "Italy": {"Ven": "A"}}
    game = read(fall + write_page("winter", 1903, orders=orders, unitsByPlayer=after, territories=owners))
    assert game.rulings == ()
    assert sorted(map(str, game.position.units)) == ["A MOS", "A VEN", "F STP/NC"]


def test_a_page_that_is_there_twice_counts_once_and_one_with_results_goes_before_one_without() -> None:
    orders = {"France": {"Par": {"type": "MOVE", "to": "Pic"}}}
    draft = write_page("spring", 1901, orders=orders, unitsByPlayer=OPENING)
    done = write_page("spring", 1901, orders={"France": BURGUNDY}, unitsByPlayer=OPENING)
    for text in (done + done, done + draft, draft + done):
        assert "A BUR" in map(str, read(text).position.units_of(Power("France")))


def test_a_game_goes_by_the_results_of_the_page() -> None:
    orders = {
        "France": {"Par": {"type": "MOVE", "to": "Bur", "result": "SUCCEEDS"}},
        "Germany": {"Mun": {"type": "MOVE", "to": "Bur", "result": "FAILS"}},
    }
    game = read(write_page("spring", 1901, orders=orders, unitsByPlayer=OPENING))
    ((_, ruling),) = game.rulings
    assert "A PAR of France moves in the file." in str(ruling.reason.text)


GOOD = write_page("spring", 1901, orders={"France": BURGUNDY}, unitsByPlayer=OPENING)
LATER: dict[str, Any] = {"orders": {"France": {"Bur": {"type": "HOLD"}}}, "unitsByPlayer": {"France": {"Bur": "A"}}}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<html>backstabbr</html>", "No page has 'orders' or 'unitsByPlayer' in its script"),
        (write_page("spring", 1901, territories={}), "No page has 'orders' or 'unitsByPlayer'"),
        (GOOD[: GOOD.index("Unchallenged")], "Page 1: 'orders' is not valid JSON, or it was cut off."),
        (f"{address('spring', 1901)}\nvar orders = {'[' * 50_000}", "No page has 'orders'"),
        (f"{address('spring', 1901)}\nvar orders = {'{' * 50_000}", "Page 1: 'orders' is not valid JSON"),
        ("var unitsByPlayer = " + '{"a":' * 50_000, "Page 1: 'unitsByPlayer' is not valid JSON"),
        ('var unitsByPlayer = {"France": {"Par": "A"}};', "Page 1 does not say which turn it shows"),
        (GOOD.replace("1901/spring -->", "1902/fall -->"), "Page 1 shows another turn, spring 1901, than the one"),
        (GOOD + write_page("fall", 1902, **LATER), "The page of fall 1901 is missing"),
        (GOOD + write_page("fall", 1901, "B/18", **LATER), "The pages are of different games, 17 and 18"),
        (GOOD + GOOD.replace("Bur", "Pic"), "S1901M: two pages have different orders of this turn."),
        (
            as_fragment(GOOD) + as_fragment(GOOD).partition("\n")[2].replace("Bur", "Pic"),
            "Page 1 has different 'orders' twice",
        ),
        (GOOD.replace('"Par": "A"', '"Par": "X"'), "is no unit, order or place"),
        (GOOD.replace('"Par": "A"', '"Paris": "A"'), "is no unit, order or place"),
        (GOOD.replace('"MOVE"', '"FLY"'), "FLY.*is no unit, order or place"),
        (GOOD.replace('"MOVE"', "7"), "is no unit, order or place"),
        (
            GOOD.replace('{"Par": "A", "Mar": "A", "Bre": "F"}', "7"),
            "'unitsByPlayer' must have an object for each power",
        ),
        (GOOD.replace('"France"', '"Narnia"'), "'Narnia' is not a power of this game"),
        (GOOD.replace('"Mar": "A"', '"Qqq": "A"'), "QQQ"),
        (GOOD.replace('"Par": "A"', '"Gas": "A"'), "France orders a unit in 'Par', where 'unitsByPlayer' has none"),
        (write_page("fall", 1905, orders={"France": BURGUNDY}), "F1905M: the page has no 'unitsByPlayer'"),
        (write_page("winter", 1901, orders={"France": {"Par": {"type": "BUILD"}}}), "W1901A"),
    ],
)
def test_what_is_no_turn_or_contradicts_itself_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(PlenipoError, match=sentence) as caught:
        BACKSTABBR.read(text, library.load)
    assert "\n" not in str(caught.value)


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_a_page_that_was_cut_off_or_changed_is_read_or_refused_in_one_sentence(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(GOOD)))
    end = data.draw(st.integers(start, min(len(GOOD), start + 40)))
    broken = (
        GOOD[:start] + data.draw(st.sampled_from(["", "\n", "{", "A", "\x00", "é", "9" * 30, "<html"])) + GOOD[end:]
    )
    told = ""
    try:
        BACKSTABBR.read(broken, library.load)
    except PlenipoError as fault:
        told = str(fault)
    assert "\n" not in told


@pytest.mark.parametrize(
    "piece", ["<html", "<html>var orders = {", "<!doctype ", "var orders = {", "<title>(", "/game/"]
)
def test_a_page_of_the_same_piece_many_times_is_refused_and_not_searched_without_end(piece: str) -> None:
    with pytest.raises(InvalidRecord):
        BACKSTABBR.read(piece * 100_000, library.load)


def test_more_pages_than_a_game_has_are_refused() -> None:
    page = f"<html>{json.dumps('x')}</html>\nSpring 1901\nvar orders = {{}};\n"
    with pytest.raises(InvalidRecord, match="more than 2000 pages"):
        BACKSTABBR.read(page * 2001, library.load)
