"""The page of a variant's rules: the standard game on screens with boards, and what differs in the others."""

import gzip
import re
from collections import Counter
from html import escape

import pytest
from fastapi.testclient import TestClient

from plenipo import library
from plenipo.languages import pgettext
from plenipo.learning import load_rules_screens
from plenipo.server.texts import VARIANTS
from plenipo.server.web.models import summary_of

HEAVIEST = 300_000
"""The most bytes of the page with all its boards, compressed, as for the first page."""


def test_the_standard_game_stands_on_five_screens_with_a_board_for_each_rule(client: TestClient) -> None:
    page = client.get("/variants/standard/rules").text
    screens = load_rules_screens()
    assert page.count('<section class="rules-screen"') == len(screens)
    assert page.count('<li class="rule-board" id="rule-') == sum(len(screen.titles) for screen in screens)
    assert page.count('<div class="board-box ') == sum(len(screen.rules) for screen in screens)
    for screen in screens:
        assert screen.text[0] in page
        for lesson, _ in screen.rules:
            assert f'href="/learn/{lesson.id}"' in page
            assert lesson.text[0] in page
        for note in screen.notes:
            assert f'id="rule-{note.id}"' in page
            assert note.text[0] in page
    places = [page.index(words) for words in ('id="rules-orders"', 'id="rules-centres"', 'id="rules-standard"')]
    assert places == sorted(places), "the screens come first"


def test_the_page_is_small_and_no_id_is_there_twice(client: TestClient) -> None:
    page = client.get("/variants/standard/rules").text
    assert len(gzip.compress(page.encode())) < HEAVIEST
    idents = Counter(re.findall(r'(?<![-\w])id="([^"]+)"', page))
    assert [ident for ident, count in idents.items() if count > 1] == []


def test_the_boards_stand_still_until_a_script_begins_them(client: TestClient) -> None:
    page = client.get("/variants/standard/rules").text
    assert page.count("<animate") == page.count('begin="indefinite"') > 30


def test_the_screens_are_in_the_language_of_the_reader(client: TestClient) -> None:
    page = client.get("/variants/standard/rules", headers={"Accept-Language": "de"}).text
    assert "Vor jedem Zug sprechen die Spieler miteinander" in page
    assert "Einen Zug unterstützen" in page
    assert "Before each turn" not in page


@pytest.mark.parametrize(
    ("variant", "language"), [("standard", "de"), ("irish", "de"), ("irish", "en"), ("1897+corner", "en")]
)
def test_the_summary_is_on_the_page_once(client: TestClient, variant: str, language: str) -> None:
    page = client.get(f"/variants/{variant}/rules", headers={"Accept-Language": language}).text
    words = " ".join(page.partition("<main")[2].split())
    for part in variant.split("+"):
        assert words.count(escape(pgettext(language, part, summary_of(part), VARIANTS), quote=False)) == 1


def test_the_stylesheet_of_cards_is_for_every_width(client: TestClient) -> None:
    usual = client.get("/map.css?variant=standard&theme=dark").text
    cards = client.get("/map.css?variant=standard&theme=dark&cards=true").text
    assert "@media" in usual
    assert "@media" not in cards
    assert len(cards) > 2000


@pytest.mark.parametrize("variant", ["bridges", "napoleonic", "1897+corner"])
def test_a_variant_says_what_differs_before_examples_rulings_and_options(client: TestClient, variant: str) -> None:
    page = client.get(f"/variants/{variant}/rules").text
    assert 'href="/variants/standard/rules"' in page
    order = ["Differences from Diplomacy", "<h2>The rules</h2>", "<h2>Rulings</h2>", "<h2>Options</h2>"]
    places = [page.index(words) for words in order]
    assert places == sorted(places)
    if 'id="cases"' in page:
        assert places[1] < page.index('id="cases"') < places[2]


@pytest.mark.parametrize("variant", ["bridges", "napoleonic", "1897+corner"])
def test_what_differs_is_in_the_language_of_the_reader(client: TestClient, variant: str) -> None:
    page = client.get(f"/variants/{variant}/rules", headers={"Accept-Language": "de"}).text
    places = [page.index(f"<h2>{words}</h2>") for words in ("Die Regeln", "Klärungen", "Optionen")]
    assert places == sorted(places)
    assert "The rules" not in page
    if 'id="cases"' in page:
        assert places[0] < page.index('id="cases"') < places[1]


def test_comments_for_authors_are_not_shown(client: TestClient) -> None:
    for variant in ("chaos", "intimate", "irish"):
        assert "<!--" in (library.folder_of(variant) / "README.md").read_text(encoding="utf-8")
        assert "&lt;!--" not in client.get(f"/variants/{variant}/rules").text


def test_a_language_without_a_page_of_the_variant_has_the_english_one(client: TestClient) -> None:
    page = client.get("/variants/bridges/rules", headers={"Cookie": "language=fr"}).text
    assert '<article class="rules-text" id="rules-bridges" lang="en">' in page
    assert "<h2>Rulings</h2>" in page
