"""The texts of the page scripts: exported for the browser, and all of them marked for translation."""

import re
from pathlib import Path

import pytest
from babel.messages.extract import extract
from fastapi.testclient import TestClient

from plenipo.languages.catalogues import Catalogue
from plenipo.languages.po_files import PoEntry
from plenipo.server.web import script_texts

STATIC = Path(script_texts.__file__).with_name("static")
FUNCTIONS = {"t": None, "tc": ((1, "c"), 2), "tx": None, "n": (1, 2), "nx": (1, 2), "plural": (1, 2)}
VISIBLE = re.compile(
    r"""(?:\bsay\(|textContent\s*=\s*|'aria-label':\s|\b(?:title|placeholder):\s|\}, )"""
    r"""(['`])([A-Z][a-z]+(?: [^'`]*)?)\1"""
)
"""A literal where an element takes its text, label, title or placeholder, or where a text is announced."""


def test_a_catalogue_has_the_texts_and_the_plural_form_of_each_number() -> None:
    entries = (
        PoEntry(1, message="Save", forms={0: "Zapisz"}),
        PoEntry(
            2,
            message="{count} order",
            plural="{count} orders",
            forms={0: "{count} rozkaz", 1: "{count} rozkazy", 2: "{count} rozkazów"},
        ),
        PoEntry(3, context="month", message="March", forms={0: "marzec"}),
        PoEntry(4, context="server-result-over", message="The game is over.", forms={0: "Koniec."}),
    )
    rule = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"
    found = script_texts.export_catalogue(Catalogue("pl", entries, {"Plural-Forms": rule}))
    assert found["messages"] == {
        "Save": "Zapisz",
        "{count} order": ["{count} rozkaz", "{count} rozkazy", "{count} rozkazów"],
        "month\x04March": "marzec",
    }
    assert found["sentences"] == {"server-result-over": {"text": "Koniec."}}
    assert str(found["plurals"])[:6] == "201112"
    assert len(str(found["plurals"])) == 200


def test_english_has_no_catalogue(client: TestClient) -> None:
    assert client.get("/languages/en.json").status_code == 404
    assert client.get("/languages/xx.json").status_code == 404


@pytest.mark.parametrize(
    ("language", "catalogues"),
    [("en", []), ("de", ["/languages/de.json"]), ("en-XA", []), ("xx", [])],
)
def test_a_page_names_the_catalogue_of_its_language(client: TestClient, language: str, catalogues: list[str]) -> None:
    client.cookies.set("language", language)
    named = re.findall(r'id="catalogue"[^>]* href="([^"]*)"', client.get("/").text)
    assert named == catalogues
    assert [client.get(address).status_code for address in named] == [200] * len(named)


@pytest.mark.parametrize("script", sorted(STATIC.glob("*.js")), ids=lambda file: file.name)
def test_every_visible_text_of_a_script_is_marked(script: Path) -> None:
    unmarked = [match[2] for match in VISIBLE.finditer(script.read_text("utf-8"))]
    assert unmarked == []


def test_the_texts_of_the_scripts_can_be_extracted() -> None:
    found = set()
    for script in STATIC.glob("*.js"):
        with script.open("rb") as file:
            found |= {text for _, text, _, _ in extract("javascript", file, FUNCTIONS)}
    assert {"Propose a vote", "Or type an order {key}"} <= found
    assert ("{count} conditional order", "{count} conditional orders") in found
