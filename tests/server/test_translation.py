"""The language of a page, and the marks of its texts."""

import pytest
from fastapi.testclient import TestClient
from starlette.requests import Request

from plenipo import languages
from plenipo.server.texts import gettext, ngettext, using_language
from plenipo.server.web.translation import direction_of, language_of
from pseudo import lengthen


def request_with(accepted: str = "", cookie: str = "") -> Request:
    headers = [(b"accept-language", accepted.encode()), (b"cookie", f"language={cookie}".encode())]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": headers})


@pytest.fixture
def three_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(languages, "available", lambda **_: ("en", "de", "pt-BR"))


@pytest.mark.usefixtures("three_languages")
@pytest.mark.parametrize(
    ("accepted", "cookie", "language"),
    [
        ("", "", "en"),
        ("de", "", "de"),
        ("de-AT, en;q=0.5", "", "de"),
        ("en;q=0.5, de;q=0.9", "", "de"),
        ("fr, pt-br;q=0.8, de;q=0.1", "", "pt-BR"),
        ("pt", "", "en"),
        ("de;q=0", "", "en"),
        ("de;q=much, ;;;, q", "", "en"),
        ("de", "en", "en"),
        ("de", "xx", "de"),
    ],
)
def test_the_cookie_chooses_the_language_and_then_the_browser(accepted: str, cookie: str, language: str) -> None:
    assert language_of(request_with(accepted, cookie)) == language


def test_arabic_is_written_from_right_to_left() -> None:
    assert [direction_of(language) for language in ("en", "ar", "fa-IR", "pt-BR")] == ["ltr", "rtl", "rtl", "ltr"]


def test_texts_follow_the_language_of_the_block() -> None:
    with using_language("de"):
        assert gettext("Join") == "Beitreten"
        assert ngettext("%(num)s player", "%(num)s players", 2) == "%(num)s Spieler"
    assert gettext("Join") == "Join"


def test_the_pseudo_language_keeps_placeholders_tags_and_entities() -> None:
    text = lengthen('Open <a href="%(link)s">the game</a> &amp; 100%% {name}')
    for kept in ('<a href="%(link)s">', "</a>", "&amp;", "%%", "{name}"):
        assert kept in text


def test_a_page_is_rendered_in_the_language_of_the_request(client: TestClient) -> None:
    assert '<html lang="en" dir="ltr"' in client.get("/bank").text
    page = client.get("/bank", headers={"cookie": "language=de"})
    assert '<html lang="de" dir="ltr"' in page.text
    assert "Suchen" in page.text
    assert "accept-language" in page.headers["vary"]


def test_a_browser_gets_no_language_whose_pages_are_not_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(languages, "available", lambda domain="*": ("en", "de") if domain == "*" else ("en",))
    assert language_of(request_with("de")) == "en"
    assert language_of(request_with("en", "de")) == "de"
