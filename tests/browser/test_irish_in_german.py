"""A year of Irish Diplomacy on a German page: no English sentence is visible."""

import re
from functools import cache
from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from browser.hands import Table
from plenipo.languages import FOLDER, catalogue, parse_po

FEWEST_WORDS = 3
"""The fewest words of a text that counts as an English sentence."""

MOST_PHASES = 16

_PLACEHOLDER = re.compile(r"\{\w*\}|%\(\w+\)s")
_WORD = re.compile(r"[A-Za-z']{2,}")

_SEEN = """() => {
  const shown = element => element.checkVisibility?.({visibilityProperty: true}) ?? true;
  const titles = [...document.querySelectorAll('[title],[aria-label],[placeholder]')].filter(shown)
    .flatMap(one => ['title', 'aria-label', 'placeholder'].map(name => one.getAttribute(name)));
  const drawn = [...document.querySelectorAll('svg.the-map title, svg.the-map text')].map(one => one.textContent);
  return [document.title, document.body.innerText, ...titles, ...drawn].filter(Boolean).join('\\n');
}"""
"""The visible text of a page, with its tooltips, labels, and the titles on the map."""


@cache
def english_sentences() -> tuple[tuple[tuple[str, ...], re.Pattern[str]], ...]:
    """Return the English texts of the catalogues: their fixed pieces, and a pattern of the whole."""
    found = []
    for domain in ("pages", "rules"):
        entries, _ = parse_po((FOLDER / f"{domain}.pot").read_text(encoding="utf-8"), FOLDER / f"{domain}.pot")
        german = {(context, message): texts for context, message, texts in catalogue("de", domain)}
        for entry in entries:
            for text in filter(None, (entry.message, entry.plural)):
                pieces = tuple(filter(None, _PLACEHOLDER.split(text)))
                is_same = entry.message in german.get((entry.context, entry.message), ())
                if len(_WORD.findall(" ".join(pieces))) >= FEWEST_WORDS and not is_same:
                    pattern = ".{1,200}?".join(map(re.escape, _PLACEHOLDER.split(text)))
                    found.append((pieces, re.compile(pattern)))
    return tuple(found)


@cache
def is_english(line: str) -> bool:
    """Return whether a line contains an English sentence of the catalogues."""
    return any(
        all(piece in line for piece in pieces) and pattern.search(line) for pieces, pattern in english_sentences()
    )


def english_in(text: str) -> set[str]:
    """Return the lines of a text that contain an English sentence of the catalogues."""
    lines = {line.strip() for line in text.splitlines() if len(_WORD.findall(line)) >= FEWEST_WORDS}
    return set(filter(is_english, lines))


def leaf(node: dict[str, Any], chance: Random) -> str:
    """Return an order of a tree of choices."""
    while "order" not in node:
        node = chance.choice(node["then"])
    return str(node["order"])


def give_random_orders(table: Table, chance: Random) -> None:
    """Give random orders for every power, beside the page."""
    answer = table.page.request.get(f"/api/games/{table.id}/options").json()
    movement = table.view["phase"]["kind"] in ("movement", "retreats")
    for options in answer["all"]:
        nodes = options["choices"] if movement else options["choices"][:1]
        for node in nodes:
            body = {"phase_number": answer["phase_number"], "seat": options["power"], "give": [leaf(node, chance)]}
            table.page.request.post(f"/api/games/{table.id}/orders", data=body)


def test_a_year_of_irish_is_german_throughout(page: Page, site: str) -> None:
    page.context.add_cookies([{"name": "language", "value": "de", "url": site}])
    table, chance, kinds = Table.open(page, "irish"), Random(3), set()  # the same game each time
    english: set[str] = set()

    def read() -> None:
        english.update(english_in(page.evaluate(_SEEN)))

    expect(page.locator("html")).to_have_attribute("lang", "de")
    for _ in range(MOST_PHASES):
        phase = table.view["phase"]
        kinds.add(phase["kind"])
        read()
        give_random_orders(table, chance)
        table.again()
        read()
        if phase["kind"] == "movement" and page.locator("#line").count():
            table.rows.first.locator(".order-button").click()
            read()
            page.locator("#line").fill("A Nirgendwo - Paris")
            expect(page.locator("#line-fault")).to_be_visible()
            read()
            page.locator("#line").press("Escape")
        page.locator("#process").click()
        if page.locator("#doubts[role=alert]").count():
            read()
            page.locator("#process").click()
        expect(page.locator("#go-on")).to_be_visible()
        page.evaluate("document.querySelectorAll('#pane details, .panel details').forEach(one => { one.open = true; })")
        read()
        for result in page.locator(".result-button:visible").all()[:1]:
            result.click()
        read()
        for tab in ("board", "game"):
            page.locator(f"#tab-{tab}").click()
            read()
        table.again()
        if phase["kind"] == "adjustments":
            break
    assert {"movement", "adjustments"} <= kinds
    assert sorted(english) == []


def test_the_oracle_finds_an_english_sentence_on_an_english_page(page: Page) -> None:
    Table.open(page, "irish")
    assert english_in(page.evaluate(_SEEN))
