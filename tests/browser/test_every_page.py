"""Every page in pseudo-languages: each text comes from a catalogue, and nothing is cut off or covered."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from browser.every_page import SPOTS, World, find_unprepared, open_window, start_server
from browser.faults_of_pages import find_cut_off, find_untranslated
from plenipo import library
from plenipo.server.web.library import entries
from proofs import ALL
from pseudo import PSEUDO, RTL, WIDE, write_catalogues

SIZES = ((390, 844), (1366, 768), (1600, 1000)) if ALL else ((390, 844),)

MAIN = ("start", "variant", "host", "find", "account", "lobby-host", "order", "votes", "results", "gm-tools")
"""The pages that are looked at in other scripts; all of them in `make proofs`."""

AWAITED = re.compile(
    r"^(rules\S*| alt|m-layer-\S*|case-\S*): |^option-[^:]* placeholder: |^(new-game|card-options): Corner$"
    r"|^bank: \[Désîgñéd bý "  # designers and sources, as they are cited
    r"|^(pane)?: (IRISH|PSYCHIATRIST|\[(IRISH|PSYCHIATRIST)|black hole|split|cards of)"
    r"|\w \d\b.*öñé|\w \d(,|\]| \()|^m-unit-\S*: \w\w$|^pane: [0-9a-f]{64}$"  # halves of spaces, and short codes
    r"|(Spring|Fall) \d{4}|^phase-kind: |Army|Fleet"  # names of phases and units in templates
    r"|^pane: (text|JSON lines|Orders are proposed\.|Abandon the game)$|^pane: Everybody at|: Abandon the game"
    r"|^main: .*\.( \d\.)?$|Europe/London|@example|'nothere'|[Hh]arbour"  # the game log, and what people wrote
)
"""Texts that are known to be English in all languages; the fewer, the better."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A server that knows the made languages, with people and games in every state."""
    folder = tmp_path_factory.mktemp("every-page")
    with start_server(folder, write_catalogues(folder / "languages")) as site:
        made = World(site, folder)
        yield made
        made.close()


def test_every_page_has_room_for_long_texts_and_each_comes_from_a_catalogue(browser: Browser, world: World) -> None:
    variants = [library.load(name) for name in library.names()]
    names = {entry.title for entry in entries()} | {rules.title for rules in variants} | {"Deutsch"}
    names |= {str(name) for rules in variants for name in rules.names}
    cut_off, english = [], []
    for width, height in SIZES:
        with open_window(browser, world, PSEUDO, width, height) as opened:
            for spot in SPOTS:
                page = opened(spot)
                cut_off += [f"{spot.name} {width}: {fault}" for fault in find_cut_off(page)]
                if width == SIZES[0][0]:
                    english += [
                        f"{spot.name}: {text}" for text in find_untranslated(page, names) if not AWAITED.search(text)
                    ]
    assert cut_off == [], "\n".join(cut_off)
    assert english == [], "\n".join(english)


@pytest.mark.parametrize("language", [RTL, WIDE])
def test_pages_have_room_for_other_scripts(browser: Browser, world: World, language: str) -> None:
    cut_off = []
    for width, height in SIZES:
        with open_window(browser, world, language, width, height) as opened:
            for spot in SPOTS:
                if ALL or spot.name in MAIN:
                    cut_off += [f"{spot.name} {width}: {fault}" for fault in find_cut_off(opened(spot))]
    assert cut_off == [], "\n".join(cut_off)


def test_every_route_that_answers_with_a_page_is_looked_at() -> None:
    assert find_unprepared() == set()
