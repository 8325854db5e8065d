"""Trial games: what `plenipo check` finds by playing a variant."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pytest

from plenipo import library
from plenipo.engine.dice import Dice
from plenipo.engine.hooks import Adjudication, Choices, Effects, RuleModule
from plenipo.engine.orders import Declare
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.step import OrderSets, process
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant, UnknownName
from plenipo.library import trying
from plenipo.library.trying import troubles

PLAGUE = """
[[modules.triggered_events.items]]
words = "the plague"
spaces = [{spaces}]
drawn = 1
effect = {{ does = ["destroys"] }}
"""


def variant(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "tried"
    folder.mkdir()
    (folder / "variant.toml").write_text(f'title = "Tried"\nparent = "standard"\n{text}', encoding="utf-8")
    return folder


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Position, OrderSets]]:
    """Every phase of the trial games of a test, with the orders that were submitted."""
    phases: list[tuple[Position, OrderSets]] = []

    def adjudicate(rules: Rules, position: Position, order_sets: OrderSets, dice: Dice) -> object:
        phases.append((position, order_sets))
        return process(rules, position, order_sets, dice)

    monkeypatch.setattr(trying, "adjudicate", adjudicate)
    return phases


def test_what_is_drawn_from_more_spaces_than_a_deck_has_cards_stops_no_game(tmp_path: Path) -> None:
    spaces = sorted(code for code, space in library.load("standard").board.spaces.items() if not space.impassable)
    folder = variant(tmp_path, PLAGUE.format(spaces=", ".join(f'"{code}"' for code in spaces)))
    assert len(spaces) == 75
    rules = library.load(folder)
    came = process(rules, rules.opening, {}, Dice(bytes(32)))
    assert [draw.label for draw in came.draws] == ["Spring 1901|where the plague"]
    assert library.check(folder) == []


class Undecided(RuleModule):
    """A rule module that is content with no choice."""

    name = "undecided"

    def missing_choices(self, rules: Rules, position: Position, choices: Choices) -> tuple[Power, ...]:
        return rules.names[:1]


def test_a_trial_game_that_cannot_go_on_is_reported() -> None:
    rules = library.load("1897")
    assert list(troubles(rules)) == []
    ((_, why),) = troubles(replace(rules, modules=(*rules.modules, Undecided())))
    assert why.startswith("in Autumn 1897 choice, when it is tried out, the game cannot go on: ")


@dataclass(frozen=True)
class Fragile(RuleModule):
    """A rule module with two declarations, of which one can break a game."""

    name: ClassVar[str] = "fragile"
    words: ClassVar[frozenset[str]] = frozenset({"SHOUT"})

    def offers(self, rules: Rules, position: Position, power: Power) -> tuple[Declare, ...]:
        return tuple(Declare("SHOUT", text) for text in ("softly", "loudly"))

    def after_orders(self, rules: Rules, adjudication: Adjudication) -> Effects:
        if any(one.text == "loudly" for declared in adjudication.declared.values() for one in declared):
            raise InvalidVariant("the glass breaks.")
        return Effects(adjudication.position)


def test_a_fault_that_only_a_declaration_shows_is_reported() -> None:
    rules = library.load("standard")
    ((_, why),) = troubles(replace(rules, modules=(*rules.modules, Fragile())))
    assert why == "in Spring 1901 movement, when it is tried out, the glass breaks."


def kinds(declarations: Iterable[object]) -> set[tuple[str, str]]:
    """The words of declarations, each with what is voted on, done, named or bid for."""
    return {(one.word, one.text.partition(" ")[0]) for one in declarations if isinstance(one, Declare)}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("congress", {("VOTE", "France")}),
        ("scorched-earth", {("DO", "raze")}),
        ("intimate", {("BID", "Germany"), ("BID", "Italy")}),
        ("secret-patrons", {("NAME", "patron")}),
        ("bribed-orders", {("BID", "A"), ("BID", "F"), ("GIVE", "Italy")}),
    ],
)
def test_declarations_of_every_kind_are_tried(
    name: str, wanted: set[tuple[str, str]], played: list[tuple[Position, OrderSets]]
) -> None:
    assert list(troubles(library.load(name))) == []
    tried = kinds(order for _, order_sets in played for orders in order_sets.values() for order in orders)
    assert wanted <= tried


def test_all_powers_vote_alike_at_times_so_that_something_is_carried(tmp_path: Path) -> None:
    ballot = '[modules.votes.ballot]\nenough = "all"\neffect = { does = ["topples"] }\n'
    rules = library.load(variant(tmp_path, ballot))
    carried: list[str] = []

    def adjudicate(rules: Rules, position: Position, order_sets: OrderSets, dice: Dice) -> Resolution:
        came = process(rules, position, order_sets, dice)
        carried.extend(name for event in came.events if event.kind == "votes_counted" for name in event.names)
        return came

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trying, "adjudicate", adjudicate)
        assert list(troubles(rules)) == []
    assert carried


@pytest.mark.parametrize("years", ["from_year = 1905", "from_year = 1960\nuntil_year = 1962", "odds = [1, 40]"])
def test_what_is_scheduled_for_any_year_is_reached(tmp_path: Path, years: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = library.load(variant(tmp_path, PLAGUE.format(spaces='"NAP", "ROM"') + years))
    happened: list[int] = []

    def adjudicate(rules: Rules, position: Position, order_sets: OrderSets, dice: Dice) -> Resolution:
        came = process(rules, position, order_sets, dice)
        happened.extend(came.after.phase.year for event in came.events if event.kind == "happened")
        return came

    monkeypatch.setattr(trying, "adjudicate", adjudicate)
    assert list(troubles(rules)) == []
    assert happened
    assert happened[0] >= int(years[12:16]) if years.startswith("from") else happened[0] <= 1906


def test_what_is_over_before_the_game_begins_is_a_mistake(tmp_path: Path) -> None:
    text = PLAGUE.format(spaces='"NAP", "ROM"') + "from_year = 1800\nuntil_year = 1850\n"
    (mistake,) = library.check(variant(tmp_path, text))
    assert mistake.sentence == (
        "'the plague' of 'triggered_events' counts until 1850, and the game begins in 1901: it never does."
    )
    assert mistake.line == text[: text.index("until_year")].count("\n") + 3


def test_a_variant_is_tried_with_the_same_orders_every_time(played: list[tuple[Position, OrderSets]]) -> None:
    make: Callable[[], list[object]] = lambda: list(troubles(library.load("congress")))  # noqa: E731
    assert make() == []
    first = list(played)
    played.clear()
    assert make() == []
    assert played == first


def test_a_variant_is_checked_by_its_name_or_by_a_path_of_either_kind(tmp_path: Path) -> None:
    folder = variant(tmp_path, "victory = 0")
    assert library.check("congress") == []
    assert library.check(str(folder)) == library.check(folder) != []
    with pytest.raises(UnknownName, match="'congres' is neither a variant"):
        library.check("congres")
