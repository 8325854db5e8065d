"""Mail in the language of the account."""

import json
from datetime import UTC, datetime

import pytest

from plenipo import languages
from plenipo.engine.history.sentence_json import encode_sentence
from plenipo.engine.sentences import SentenceKind
from plenipo.server import texts
from plenipo.server.hosting.joining import join_paragraphs
from plenipo.server.hosting.schedule_words import instant_in_words
from plenipo.server.people import mail
from plenipo.server.people.digest import daily
from plenipo.server.store import StoredPost
from plenipo.server.store.notifications import DAY, SENTENCES
from plenipo.server.texts import translate, using_language
from pseudo import PSEUDO, lengthen

SUBJECT = SentenceKind("test-subject", "Turn of {power}")
BODY = SentenceKind("test-body", "Your orders are due.")
SAID = [encode_sentence(SUBJECT(power="France")), encode_sentence(BODY())]


@pytest.fixture(autouse=True)
def pseudo_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """A language in which every text is its English one with accents."""

    def change(text: str, language: str) -> str:
        return lengthen(text) if language == PSEUDO else text

    monkeypatch.setattr(languages, "gettext", lambda language, message: change(message, language))
    monkeypatch.setattr(languages, "pgettext", lambda language, _context, message, _domain: change(message, language))
    monkeypatch.setattr(texts, "names_in", lambda _language: {})


def test_a_notice_is_sent_in_the_language_of_the_account() -> None:
    post = StoredPost(
        "1", "anna@example.org", "Turn of France", "Your orders are due.", headers={SENTENCES: json.dumps(SAID)}
    )
    with using_language(PSEUDO):
        sent = mail.translate_post(post)
    expected = lengthen("Turn of {power}").format(power="France")
    assert (sent.subject, sent.body) == (expected, lengthen("Your orders are due."))
    assert mail.translate_post(post).subject == "Turn of France"


def test_a_digest_is_in_the_language_of_the_account() -> None:
    line = json.dumps(["game", "turn", "Turn of France", "Your orders are due.", SAID])
    with using_language(PSEUDO):
        sent = daily(StoredPost("1", "anna@example.org", "", f"{line}\n", DAY), (), "UTC")
    assert sent is not None
    assert sent.subject == f"Plenipo: {lengthen('What happened today')}"
    assert lengthen("What happened:") in sent.body
    assert lengthen("Your orders are due.") in sent.body
    assert "Your orders" not in sent.body


def test_names_and_links_are_not_translated() -> None:
    text = join_paragraphs((BODY(), "https://example.org/games/Save"))
    with using_language(PSEUDO):
        assert translate(text) == f"{lengthen('Your orders are due.')}\n\nhttps://example.org/games/Save"


def test_an_instant_is_a_sentence_with_parts() -> None:
    instant = instant_in_words(datetime(2026, 3, 2, 19, tzinfo=UTC), "Europe/Paris")
    assert instant == "Monday 2 March, 20:00 (Europe/Paris)"
    assert instant.parts["weekday"] == "Monday"
