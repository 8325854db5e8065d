"""The language of the project keeps to its ceilings, and the terms to avoid are read from the glossary."""

from pathlib import Path

import pytest

from language import (
    CEILINGS,
    COMMENTS,
    PRONOUNS,
    ROOT,
    Passage,
    find_comments,
    is_participle,
    is_question,
    list_comments,
    list_replaced_terms,
    measure,
)


def test_every_count_of_the_language_is_at_most_its_ceiling() -> None:
    too_high = [f"{one.name}: {one.value:.2f}, at most {one.ceiling}" for one in measure() if not one.is_met]
    assert not too_high, "python scripts/language.py --where shows the places: " + "; ".join(too_high)


def test_every_ceiling_belongs_to_a_count() -> None:
    assert {one.name for one in measure()} == CEILINGS.keys()


@pytest.mark.parametrize(
    ("name", "answer"),
    [("told", "yes"), ("_seated", "yes"), ("process_phase", "no"), ("proceed", "no"), ("set", "no"), ("moves", "no")],
)
def test_a_function_named_by_a_participle_alone_is_recognised(name: str, answer: str) -> None:
    assert is_participle(name) is (answer == "yes")


def test_a_term_that_the_glossary_replaces_is_found_with_its_line() -> None:
    page = ROOT / "docs" / "page.md"
    found = list(list_replaced_terms([Passage(page, 7, "The keeper moves deadlines."), Passage(page, 8, "The host.")]))
    assert found == ["docs/page.md:7: 'keeper' in 'The keeper moves deadlines.'"]


@pytest.mark.parametrize(
    ("suffix", "source", "texts"),
    [
        (
            ".js",
            "/** Whom it helps. */\nconst a = 'https://x'; // how\n// nobody\n",
            ["Whom it helps.", "how", "nobody"],
        ),
        (".css", "/* one */a{b:c}\n/* two\nlines */", ["one", "two\nlines"]),
        (".html", "{# who sits where #}<p>{{ x }}</p>", ["who sits where"]),
    ],
)
def test_the_comments_of_page_files_are_found(suffix: str, source: str, texts: list[str]) -> None:
    found = list(find_comments(ROOT / f"page{suffix}", source, COMMENTS[suffix]))
    assert [passage.text.strip() for passage in found] == texts
    assert found[-1].line == (source[: source.rindex(texts[-1])].count("\n") + 1)


def test_the_comments_of_modules_are_found_with_their_lines(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('x = "# no comment"  # of both\n\n# What follows\n', encoding="utf-8")
    assert [(passage.line, passage.text.strip()) for passage in list_comments([module])] == [
        (1, "of both"),
        (3, "What follows"),
    ]


@pytest.mark.parametrize(
    ("text", "answer"),
    [("What is counted.", "yes"), (" who looks", "yes"), ("`Where` it lies", "yes"), ("Return what is said.", "no")],
)
def test_a_comment_that_begins_with_a_question_word_counts(text: str, answer: str) -> None:
    assert is_question(Passage(ROOT, 1, text)) is (answer == "yes")


def test_indefinite_and_masculine_pronouns_are_found() -> None:
    found = [
        match[0] for match in PRONOUNS.finditer("Nobody loses the orders that he or the host gave; the others wait.")
    ]
    assert found == ["Nobody", "he"]
