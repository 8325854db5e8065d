"""Cases of variants: where the variant is found, what each power sees, what is declared, and what powers have."""

from pathlib import Path

import pytest

from plenipo import library
from plenipo.cases.run import CaseResult, run_file, run_text
from plenipo.errors import UnknownName

MARKET = """\
title = "Market"
parent = "standard"

[modules.money]
coin = "florin"
start = 2
secret = true

[[modules.special_actions.actions]]
name = "raze"
where = "centre"
price = 3
effect = { does = ["razes"] }

[modules.fog]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a variant with money, special actions and fog."""
    (tmp_path / "market" / "cases").mkdir(parents=True)
    (tmp_path / "market" / "variant.toml").write_text(MARKET, encoding="utf-8")
    return tmp_path / "market"


def results(file: Path, text: str) -> list[str]:
    """Return the results of the cases in a file with this content, each as a sentence."""
    file.write_text(text, encoding="utf-8")
    return [str(result) for result in run_file(file)]


@pytest.mark.parametrize("place", ["market/cases/a.yaml", "market/a.yaml", "a.yaml"])
def test_a_variant_is_found_from_the_file_of_the_case_wherever_one_stands(
    folder: Path, place: str, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    text = "- {id: a, variant: market, before: {phase: Spring 1901 movement}}\n"
    assert results(folder.parent / place, text) == ["a.yaml, case a: passed"]


def test_a_variant_that_is_not_there_is_answered_with_the_list_of_all() -> None:
    with pytest.raises(UnknownName, match=r"there are 1897, .*, and \d+ that 'plenipo variants --bank' lists\."):
        library.load("qqqqqq")
    with pytest.raises(UnknownName, match="did you mean scorched-earth"):
        library.load("scorched-earht")


def of_market(folder: Path, text: str) -> list[str]:
    """Return the results of one case that is played in the market variant."""
    body = "\n".join(f"  {line}" for line in text.strip().splitlines())
    return [
        said.partition(": ")[2]
        for said in results(folder / "cases" / "a.yaml", f"- id: a\n  variant: market\n{body}\n")
    ]


def test_what_powers_have_is_said_and_expected(folder: Path) -> None:
    text = """
units: {France: [A BEL], Italy: [A ROM]}
balances: {France: 7}
orders: {France: [A BEL H, DO raze BEL]}
expect: {balances: {France: 4, Italy: 2}, orders: {France: {DO raze BEL: declared}}}
"""
    assert of_market(folder, text) == ["passed"]
    assert of_market(folder, text.replace("{France: 7}", "{Atlantis: 7}")) == [
        "'Atlantis' is not a power of this game; there are Austria, England, France, Germany, Italy, Russia, Turkey."
    ]
    assert of_market(folder, text.replace("{France: 7}", "{France: rich}")) == [
        "key 'balances': 'rich' of France must be a whole number."
    ]


def test_what_powers_have_cannot_be_said_where_there_is_no_treasury() -> None:
    (result,) = run_text("- {id: a, units: {}, balances: {France: 2}, before: {unit_count: 0}}", "f.yaml")
    assert result.message == "key 'balances': no power has money or points in this variant; leave it out."


def test_declarations_are_among_what_is_legal_and_have_a_result(folder: Path) -> None:
    text = """
units: {France: [A BEL], Italy: [A ROM]}
balances: {France: 7}
before: {legal: {France: {$contains: [A BEL H, DO raze BEL, GIVE Italy 2]}, Italy: {$lacks: [DO raze ROM]}}}
orders: {France: [A BEL H, DO raze BEL, GIVE Italy 1], Italy: [DO raze ROM]}
expect:
  orders: {France: {DO raze BEL: declared, GIVE Italy 1: paid}, Italy: {DO raze ROM: void}}
  refusals: {$count: 1}
"""
    assert of_market(folder, text) == ["passed"]


def test_what_one_power_sees_is_expected_before_and_after_a_phase(folder: Path) -> None:
    text = """
units: {France: [A MAR], Italy: [A ROM], Turkey: [A BUR]}
before:
  views:
    Italy: {units: {$only: {Italy: [A ROM]}}}
    France: {units: {$only: {France: [A MAR], Turkey: [A BUR]}}}
orders: {France: [A MAR - SPA], Turkey: [A BUR - MAR]}
expect:
  views:
    Italy: {units: {$only: {Italy: [A ROM]}}, slots: {money: {$keys: [Italy]}}}
    France: {units: {$only: {France: [A SPA], Turkey: [A MAR]}}, results: {A MAR: moves}}
    spectator: {units: {}}
"""
    assert of_market(folder, text) == ["passed"]
    assert of_market(folder, text.replace("[A SPA], Turkey: [A MAR]", "[A SPA]")) == [
        'views, France, units: expected {"$only": {"France": ["A SPA"]}}, but it is '
        '{"Turkey": ["A MAR"], "France": ["A SPA"]}.'
    ]
    assert "'Narnia' is not a power" in of_market(folder, text.replace("    spectator", "    Narnia"))[0]


def only(text: str) -> CaseResult:
    """The result of a file with one case."""
    (result,) = run_text(text, "f.yaml")
    return result


WORDS = "- {{id: a, units: {{France: [A PAR]}}, orders: {{France: [A PAR - BUR]}}, expect: {}}}"


@pytest.mark.parametrize(
    "expect",
    [
        "{results: {A PAR: bounces}}",
        "{results: {A PAR: {result: bounces}}}",
        "{results: {A PAR: {$not: bounces}}}",
        "{results: {$not: {A PAR: {$one_of: [fails, bounces]}}}}",
        "{results: {$each: bounces}}",
        "{orders: {France: {A PAR - BUR: bounces}}}",
        "{orders: {France: {A PAR - BUR: [moves, bounces]}}}",
    ],
)
def test_a_word_that_no_result_has_is_refused_with_the_list(expect: str) -> None:
    assert only(WORDS.format(expect)).message == (
        "'bounces' is no result; there are moves, fails, holds, supports, cut, convoys, disrupted, void, converts, "
        "retreats, disbanded, builds, removed, waived, chosen, paid, unpaid, referred, declared."
    )


@pytest.mark.parametrize(
    "expect",
    [
        "{results: {A PAR: moves}}",
        "{results: {A PAR: {result: {$one_of: [moves, holds]}, why: {$has: bur}}}}",
        "{results: {A PAR: {power: France, reason: unopposed}}}",
        "{results: {$keys: [A PAR], $each: {$not: fails}}}",
    ],
)
def test_the_words_of_results_are_known(expect: str) -> None:
    assert "is no result" not in only(WORDS.format(expect)).message


def test_the_page_lists_the_words_of_results() -> None:
    page = (Path(__file__).parents[2] / "docs" / "cases.md").read_text(encoding="utf-8")
    from plenipo.cases.run import RESULTS  # noqa: PLC0415

    assert [word for word in RESULTS if f"| `{word}` |" not in page] == []
