"""The pages of variants in other languages: all are there, with the shape, the numbers and the code of the English."""

import re
from collections import Counter
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from plenipo import library

PAGES = sorted(library.VARIANTS.rglob("README.*.md"))

WHOLE = ("de",)
"""The languages that have the page of every variant; others may have some."""

NUMBER = re.compile(r"\d+")


def english(file: Path) -> Path:
    return file.with_name("README.md")


def shape(file: Path) -> list[str]:
    """Return what a page consists of: headings, paragraphs, items and cells, in their order."""
    tokens = MarkdownIt("commonmark").enable("table").parse(file.read_text(encoding="utf-8"))
    return [f"{token.type} {token.tag}" for token in tokens]


def kept(file: Path) -> Counter[str]:
    """Return what no translation changes: code, blocks of commands, and the targets of links."""
    found: Counter[str] = Counter()
    for token in MarkdownIt("commonmark").enable("table").parse(file.read_text(encoding="utf-8")):
        if token.type == "fence":
            found[token.content] += 1
        for child in token.children or ():
            if child.type == "code_inline":
                found[child.content] += 1
            elif child.type == "link_open":
                found[str(child.attrs["href"])] += 1
    return found


def name(file: Path) -> str:
    return f"{file.parent.name}-{file.name}"


@pytest.mark.parametrize("language", WHOLE)
def test_a_whole_language_has_the_page_of_every_variant(language: str) -> None:
    wanted = {file.parent for file in library.VARIANTS.rglob("README.md")}
    missing = wanted - {file.parent for file in PAGES if file.name == f"README.{language}.md"}
    assert not missing, f"without README.{language}.md: {', '.join(sorted(folder.name for folder in missing))}"


@pytest.mark.parametrize("file", PAGES, ids=name)
def test_a_page_has_the_shape_of_the_english_one(file: Path) -> None:
    assert shape(file) == shape(english(file))


@pytest.mark.parametrize("file", PAGES, ids=name)
def test_code_commands_and_links_are_those_of_the_english_page(file: Path) -> None:
    assert kept(file) == kept(english(file))


@pytest.mark.parametrize("file", PAGES, ids=name)
def test_each_paragraph_has_the_numbers_of_the_english_one(file: Path) -> None:
    """A year, a count or the number of a rule is the same in every language; words for small numbers are not read."""
    paragraphs = [file.read_text(encoding="utf-8").split("\n\n") for file in (file, english(file))]
    for own, theirs in zip(*paragraphs, strict=True):
        assert Counter(NUMBER.findall(own)) == Counter(NUMBER.findall(theirs)), own
