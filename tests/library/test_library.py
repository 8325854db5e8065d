"""Variant folders: what is found, what is made of it, and what is refused with which sentence."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pytest

import generated_docs
from clockwise import standard_board
from plenipo import library
from plenipo.engine.board import Code, Location, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.hooks import RuleModule
from plenipo.engine.position import Power, Unit
from plenipo.engine.rulebook import Rulebook
from plenipo.errors import InvalidVariant, PlenipoError, UnknownName
from plenipo.library import plugins

Edit = Callable[[str, str], Path]


@pytest.fixture
def edit(tmp_path: Path) -> Edit:
    """Copy a variant beside the tests and replace a piece of its `variant.toml`; returns the folder."""

    def changed(old: str, new: str) -> Path:
        folder = tmp_path / "mine"
        shutil.copytree(library.VARIANTS / "standard", folder)
        file = folder / "variant.toml"
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")
        return folder

    return changed


def refusal(folder: Path) -> str:
    """The sentence with which a faulty folder is refused, without the path before it."""
    with pytest.raises(InvalidVariant) as caught:
        library.load(folder)
    assert str(folder) in str(caught.value)
    place, _, sentence = str(caught.value).partition(": ")
    assert place.partition(", line ")[0] == str(folder / "variant.toml")
    return sentence


@pytest.mark.parametrize("name", library.names())
def test_every_variant_of_the_package_loads_with_a_sound_opening(name: str) -> None:
    rules = library.load(name)
    assert rules.variant == name
    assert not list(rules.opening.faults(rules.board))
    assert rules.opening.phase == rules.calendar.first
    assert 1 <= rules.to_win <= len(rules.board.centres)


def test_the_opening_has_the_units_and_their_centres() -> None:
    rules = library.load("standard")
    russia = Power("Russia")
    assert len(rules.opening.units) == 22
    assert Unit(russia, UnitKind.FLEET, Location(Code("STP"), rules.board.spaces[Code("STP")].coasts[1])) in (
        rules.opening.units
    )
    assert rules.opening.homes[russia] == {"MOS", "SEV", "STP", "WAR"}
    assert set(rules.opening.centres_of(russia)) == {"MOS", "SEV", "STP", "WAR"}


def test_the_board_is_the_one_the_clockwise_lists_give() -> None:
    board, other = library.load("standard").board, standard_board()
    assert board.armies == other.armies
    assert board.fleets == other.fleets
    assert board.centres == other.centres


def test_the_calendar_is_that_of_the_file() -> None:
    calendar = library.load("standard").calendar
    assert str(calendar.first) == "Spring 1901 movement"
    assert [step.kind for step in calendar.cycle].count(PhaseKind.MOVEMENT) == 2


def test_the_same_call_gives_the_same_rules_and_another_edition_the_same_board() -> None:
    assert library.load("standard") is library.load("standard")
    assert library.load("standard", {"rulebook": "1971"}) is not library.load("standard")
    assert library.load("standard", {"rulebook": "1971"}).board is library.load("standard").board


def test_the_board_is_still_shared_when_many_variants_were_read_in_between(tmp_path: Path) -> None:
    library.load("standard")
    for number in range(70):  # more than are remembered
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "variant.toml").write_text('title = "Tiny"\nparent = "standard"\n', encoding="utf-8")
        library.load(folder)
    assert library.load("standard", {"victory": "9"}).board is library.load("standard").board


def test_options_choose_edition_policies_and_victory() -> None:
    rules = library.load("standard", {"rulebook": "1971", "4.A.1": "all", "victory": "12"})
    assert rules.rulebook == Rulebook.edition("1971", {"4.A.1": "all"})
    assert rules.to_win == 12
    assert rules.options == {"rulebook": "1971", "4.A.1": "all", "victory": "12"}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"rulebok": "1971"}, "'rulebok' is not an option of Diplomacy; did you mean rulebook?"),
        ({"rulebook": "1972"}, "'1972' is not a rulebook; the editions are standard, 1971, 1982, 2000, 2023."),
        ({"4.A.1": "some"}, "'some' is not a choice of policy 4.A.1; the choices are all, any."),
        ({"victory": "35"}, "'35' is not a number of centres to win with; write one from 1 to 34."),
        ({"victory": "many"}, "'many' is not a number of centres to win with; write one from 1 to 34."),
    ],
)
def test_a_wrong_option_is_refused(options: dict[str, str], sentence: str) -> None:
    with pytest.raises(UnknownName) as caught:
        library.load("standard", options)
    assert str(caught.value) == sentence


def test_an_unknown_variant_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="'standrad' is neither a variant nor a folder with one; did you mean stand"):
        library.load("standrad")
    with pytest.raises(UnknownName, match=r"there are .*standard"):
        library.load("xyz")
    with pytest.raises(UnknownName, match=r"is a folder without a variant\.toml"):
        library.load(tmp_path)


@pytest.mark.parametrize("name", ["x" * 300, "x" * 100_000, "a\0b", "", "+", "standard+", "\ud800", "~", "../.."])
def test_whatever_is_written_for_a_variant_that_is_none_gets_a_sentence(name: str) -> None:
    with pytest.raises(UnknownName, match=r"is neither a variant|without a variant") as caught:
        library.load(name)
    assert len(str(caught.value)) < 400


def test_a_variant_that_is_loaded_again_and_again_is_not_searched_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = library.load("irish")
    stamp, files = library.stamp_of, []  # type: ignore[attr-defined]

    def counted(file: Path) -> int:
        files.append(file)
        return stamp(file)

    monkeypatch.setattr(library, "stamp_of", counted)
    monkeypatch.delattr(Path, "glob")
    assert all(library.load("irish") is rules for _ in range(10))
    assert len(files) <= 10 * 5  # its file and its figure, whether there is code, and nothing else


def test_a_folder_anywhere_is_a_variant_too(edit: Edit) -> None:
    folder = edit('title = "Diplomacy"', 'title = "Mine"')
    rules = library.load(str(folder))
    assert (rules.variant, rules.title) == ("mine", "Mine")
    assert rules.board.armies == library.load("standard").board.armies


def test_a_folder_that_was_edited_is_read_again(edit: Edit) -> None:
    folder = edit('title = "Diplomacy"', 'title = "Mine"')
    assert library.load(folder).title == "Mine"
    file = folder / "variant.toml"
    stat = file.stat()
    file.write_text(file.read_text(encoding="utf-8").replace("Mine", "Yours"), encoding="utf-8")
    # a clock too coarse to see the change must not hide it
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns + 10**9))
    assert library.load(folder).title == "Yours"


def test_a_variant_names_its_own_rulebook_and_a_chosen_edition_replaces_it(edit: Edit) -> None:
    folder = edit("victory = 18", 'victory = 18\nrulebook = "1982"\npolicies = { "4.D.3" = "last" }\n')
    assert library.load(folder).rulebook == Rulebook.edition("1982", {"4.D.3": "last"})
    assert library.load(folder, {"4.D.3": "first"}).rulebook == Rulebook.edition("1982", {"4.D.3": "first"})
    assert library.load(folder, {"rulebook": "2000"}).rulebook == Rulebook.edition("2000")


def test_homes_may_differ_from_where_the_units_start(edit: Edit) -> None:
    folder = edit('units = ["F BRE", "A MAR", "A PAR"]', 'units = ["F BRE", "A GAS"], homes = ["PAR", "MAR"]')
    opening = library.load(folder).opening
    assert opening.homes[Power("France")] == {"PAR", "MAR"}
    assert opening.centres_of(Power("France")) == ("MAR", "PAR")
    assert opening.unit_at(Code("GAS")) is not None


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("victory = 18", "victory = ", "this is not TOML"),
        ("victory = 18", "", "'victory' is missing; it must be a whole number above 0."),
        ("victory = 18", "victory = 0", "'victory' is 0; it must be a whole number above 0."),
        ("victory = 18", 'victory = "18"', "'victory' is '18'; it must be a whole number above 0."),
        ("victory = 18", "victory = true", "'victory' is True; it must be a whole number above 0."),
        ("victory = 18", "victroy = 18", "'victroy' is not a key of a variant; did you mean victory?"),
        ('title = "Diplomacy"', 'title = ""', "'title' is empty."),
        ('figure = "figure.json"', 'figure = "map.json"', "'figure' names map.json, which is not there."),
        (
            "start = 1901",
            'start = "soon"',
            "'calendar.start' is 'soon'; it must be a year such as 1901, 0 or \"48 BC\".",
        ),
        (
            "start = 1901",
            "start = 123456",
            "'calendar.start' is 123456; it must be a year such as 1901, 0 or \"48 BC\".",
        ),
        (
            '["Spring", "retreats"]',
            '["Spring", "retreat"]',
            "'calendar.cycle' has 'retreat'; it may be 'choice'",
        ),
        ('"A BUD", "A VIE"', '"A BUD", "A VIX"', "'powers.Austria.units': 'VIX' is not a space of this board"),
        ('"A BUD", "A VIE"', '"A BUD", "A BUD"', "in the opening 'A BUD' and 'A BUD' stand in the same space."),
        ('"A BUD", "A VIE"', '"A BUD", "F VIE"', "'powers.Austria.units': 'F VIE' cannot stand there"),
        ('"A BUD", "A VIE"', '"A BUD", "VIE"', "'powers.Austria.units': 'VIE' must begin with A for an army"),
        ('"A BUD", "A VIE"', '"A BUD", 3', "'powers.Austria.units' has 3; it must be a text."),
        ('adjective = "Austrian"', 'adjektive = "x"', "'powers.Austria.adjektive' is not a key of a variant; did you"),
        ('"A BUD", "A VIE"', '"A BUD", "A PAR"', "'powers.France.units': PAR is a home centre of Austria."),
        ('ALB = { name = "Albania" }', "ALB = {}", "'spaces.ALB.name' is missing; it must be a text."),
        ("centre = true", 'centre = "yes"', "'spaces.ANK.centre' is 'yes'; it must be true or false."),
        ("victory = 18", 'victory = 18\nrulebook = "1066"', "'1066' is not a rulebook; the editions are standard"),
    ],
)
def test_a_faulty_definition_is_refused_with_file_and_key(edit: Edit, old: str, new: str, sentence: str) -> None:
    assert refusal(edit(old, new)).startswith(sentence)


def test_a_missing_space_and_a_faulty_figure_are_refused_with_the_file(edit: Edit) -> None:
    folder = edit('ALB = { name = "Albania" }', "")
    with pytest.raises(InvalidVariant, match=r"figure\.json, line \d+: face ALB of the figure is not a space"):
        library.load(folder)
    (folder / "figure.json").write_text("{", encoding="utf-8")
    with pytest.raises(PlenipoError, match=r"figure\.json, line 1: "):
        library.load(folder)


def test_the_schema_for_editors_is_current() -> None:
    assert generated_docs.SCHEMA.read_text(encoding="utf-8") == generated_docs.schema_text()


def test_every_mistake_is_found_at_once_with_its_line(edit: Edit) -> None:
    folder = edit("victory = 18", 'victory = "many"\nvictroy = 3')
    file = folder / "variant.toml"
    text = file.read_text(encoding="utf-8").replace('name = "Albania"', "name = 3").replace("[calendar]", "[kalendar]")
    file.write_text(text, encoding="utf-8")
    found = library.check(folder)
    assert [mistake.sentence for mistake in found] == [
        "'victory' is 'many'; it must be a whole number above 0.",
        "'spaces.ALB.name' is 3; it must be a text.",
        "'victroy' is not a key of a variant; did you mean victory?",
        "'kalendar' is not a key of a variant; did you mean calendar?",
    ]
    lines = text.splitlines()
    for mistake, piece in zip(found, ("victory =", "ALB =", "victroy", "[kalendar]"), strict=True):
        assert piece in lines[mistake.line - 1]


def child(tmp_path: Path, name: str, text: str) -> Path:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "variant.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_child_takes_over_what_it_does_not_give(tmp_path: Path) -> None:
    rules = library.load(child(tmp_path, "short", 'title = "Short"\nparent = "standard"\nvictory = 12'))
    assert (rules.title, rules.to_win, rules.names) == ("Short", 12, library.load("standard").names)
    assert rules.opening == library.load("standard").opening


def test_parents_in_a_circle_are_refused(tmp_path: Path) -> None:
    child(tmp_path, "one", 'title = "One"\nparent = "two"')
    two = child(tmp_path, "two", 'title = "Two"\nparent = "one"')
    with pytest.raises(InvalidVariant, match=r"line 2: 'parent' goes in a circle: two - one - two\."):
        library.load(two)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            'parent = "standrad"',
            "line 2: 'parent': 'standrad' is neither a variant nor a folder with one; did you mean",
        ),
        ('parent = "standard"\n[modules.korners]', "line 3: 'korners' is not a rule module; did you mean corners?"),
        (
            'parent = "standard"\n[modules.homes]\nfixed_im = 1899',
            "line 4: 'fixed_im' is not an option of 'homes'; did you mean fixed_in?",
        ),
        ('parent = "standard"\n[modules.homes]\nfixed_in = "soon"', "line 4: 'soon' is not a choice of fixed_in"),
        ('parent = "standard"\n[powers]\nFrance = { units = ["A PAX"] }', "line 4: 'powers.France.units': 'PAX'"),
    ],
)
def test_a_faulty_child_is_refused_with_its_own_line(tmp_path: Path, text: str, sentence: str) -> None:
    folder = child(tmp_path, "mine", f'title = "Mine"\n{text}')
    with pytest.raises(InvalidVariant) as caught:
        library.load(folder)
    assert sentence in str(caught.value)


def test_variants_compose_and_share_one_name_whatever_their_order() -> None:
    rules = library.load("corner+1897")
    assert rules is library.load("1897+corner")
    assert (rules.variant, rules.title) == ("1897+corner", "1897 and Corner Diplomacy")
    assert {module.name for module in rules.modules} == {"corners", "chosen_homes", "homes"}
    assert library.load(rules.variant) is rules


def test_variants_that_contradict_each_other_are_refused_with_the_reason(tmp_path: Path) -> None:
    one = child(tmp_path, "one", 'title = "One"\nparent = "standard"\nvictory = 10')
    two = child(tmp_path, "two", 'title = "Two"\nparent = "standard"\nvictory = 12')
    with pytest.raises(InvalidVariant, match="'victory' is given differently by One and Two: they cannot be played"):
        library.load(f"{one}+{two}")


@pytest.mark.parametrize(
    ("parent", "both"),
    [
        ("corner", "'corners' and 'rival' both decide spaces at corners"),
        ("standard", "'vetoes' and 'rival' both decide what 'VETO' means"),
    ],
)
def test_two_modules_that_claim_the_same_are_refused(
    parent: str, both: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @dataclass(frozen=True)
    class Rival(RuleModule):
        name: ClassVar[str] = "rival"
        claims: ClassVar[frozenset[str]] = frozenset({"spaces at corners"})
        words: ClassVar[frozenset[str]] = frozenset({"VETO"})

    shelf = plugins.rule_modules()
    with_rival = replace(shelf, plugins={**shelf.plugins, "rival": plugins.Plugin("rival", Rival)})
    monkeypatch.setattr(plugins, "rule_modules", lambda: with_rival)
    modules = "[modules.vetoes]\n[modules.rival]" if "vetoes" in both else "[modules.rival]"
    folder = child(tmp_path, "mine", f'title = "Mine"\nparent = "{parent}"\n{modules}')
    with pytest.raises(InvalidVariant, match=both):
        library.load(folder)


def test_options_of_modules_are_set_by_their_own_or_another_name() -> None:
    module = next(m for m in library.load("1897", {"w1897_build": "required"}).modules if m.name == "chosen_homes")
    same = next(m for m in library.load("1897", {"first_build": "required"}).modules if m.name == "chosen_homes")
    assert module == same != next(m for m in library.load("1897").modules if m.name == "chosen_homes")
    with pytest.raises(UnknownName, match="'sometimes' is not a choice of home_default"):
        library.load("1897", {"home_default": "sometimes"})
    with pytest.raises(UnknownName, match="'home_defualt' is not an option of 1897; did you mean home_default"):
        library.load("1897", {"home_defualt": "draw"})


@pytest.mark.parametrize(
    ("variant", "there", "missing"),
    [("homelands", ["after", "conquered"], ["homes"]), ("1897", ["year"], ["conquered"]), ("bridges", [], ["reading"])],
)
def test_an_option_that_belongs_to_others_is_offered_where_the_variant_gives_one_of_them(
    variant: str, there: list[str], missing: list[str]
) -> None:
    offered = {option.name for option in library.options_of(variant)}
    assert offered.issuperset(there)
    assert offered.isdisjoint(missing)


def test_a_child_may_leave_out_what_its_parent_has(tmp_path: Path) -> None:
    text = 'title = "Six"\nparent = "standard"\n[remove]\npowers = ["Italy"]'
    rules = library.load(child(tmp_path, "six", text))
    assert "Italy" not in rules.names
    assert rules.opening.unit_at(Code("ROM")) is None
    wrong = child(tmp_path, "wrong", text.replace("Italy", "Spain"))
    with pytest.raises(InvalidVariant, match=r"line 4: 'remove\.powers' has 'Spain', which is not there"):
        library.load(wrong)
