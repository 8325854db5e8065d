"""German pages: the sentences of the server are in German, whatever the game is like."""

import html
import re

import pytest
from fastapi.testclient import TestClient

from plenipo.server.hosting.press import PRESETS as PRESS_PRESETS
from plenipo.server.hosting.press import PressPolicy
from plenipo.server.hosting.press import in_words as press_in_words
from plenipo.server.hosting.schedule import PRESETS, OnMissed, Schedule, schedule_of
from plenipo.server.hosting.schedule_words import hours_in_words, in_words, missed_in_words
from plenipo.server.hosting.settings import Settings, asked_in_words, time_bank_in_words
from plenipo.server.hosting.spectators import in_words as spectators_in_words
from plenipo.server.texts import translate, using_language

ENGLISH = frozenset(
    "a after all and are at been by can does each for from game games has have is it not of on or orders "
    "player players power powers seat than that the their them they this to until when which who with you your".split()
)
"""Frequent words of English sentences that are no German words."""


def english_in(text: str) -> frozenset[str]:
    """Return the English words of a text."""
    return ENGLISH & set(re.findall(r"[a-z]+", text.casefold()))


def visible(page: str, begin: str, end: str) -> str:
    """Return the visible text of a part of a page."""
    part = page[page.index(begin) : page.index(end, page.index(begin))]
    return html.unescape(re.sub(r"<script.*?</script>|<[^>]*>", " ", part, flags=re.DOTALL))


def german(text: str) -> str:
    """Return a sentence in German."""
    with using_language("de"):
        return translate(text)


LATER = {"later": [{"year": -48, "movement": {"within": "2d"}, "retreats": {"within": "1d"}}]}
SCHEDULES = [
    *PRESETS,
    {"movement": {"at": ["Mon 20:00", "Thu 18:30"], "grace": "1d"}, "zone": "Europe/Berlin", "early": "short"},
    {"movement": {"within": "1d"}, "draws": {"within": "1h", "else": "dice"}, "early": "never", **LATER},
    {"movement": {"within": "1d"}, "time_bank": "1h", "later": [{"after": "2h", "choice": {"within": "1m"}}]},
    {"movement": {"at": ["Sat 09:00"]}, "quiet": ["2026-12-24/2027-01-01", "2027-04-01"], "cool": "0m"},
    {"end": {"year": 1910, "at": "2027-01-01T12:00:00Z"}},
    {"early": "short", "cool": "0m", "adjustments": {"within": "1d"}, "end": {"year": 1910}},
]


@pytest.mark.parametrize("value", SCHEDULES, ids=str)
def test_a_schedule_appears_in_german(value: str | dict[str, object]) -> None:
    schedule = schedule_of(value)
    for sentence in (*in_words(schedule), hours_in_words(schedule), missed_in_words(schedule)):
        assert not english_in(german(sentence)), german(sentence)


@pytest.mark.parametrize("first", OnMissed)
@pytest.mark.parametrize("then", OnMissed)
def test_the_nmr_policy_appears_in_german(first: OnMissed, then: OnMissed) -> None:
    schedule = Schedule.model_validate({"movement": {"within": "1d"}, "missed": {"first": first, "then": then}})
    assert not english_in(german(missed_in_words(schedule)))


def test_a_schedule_in_german_names_days_and_times() -> None:
    schedule = schedule_of("Weekdays", "Europe/Berlin")
    assert german(in_words(schedule)[0]) == (
        "Frist für Züge: montags bis freitags um 20:00 Uhr (Zeitzone Berlin), "
        "frühestens 20 Stunden nach Beginn der Phase, dazu 2 Stunden Nachfrist."
    )
    assert german(missed_in_words(schedule)) == (
        "Wenn du eine Frist versäumst, halten deine Einheiten. "
        "In der ersten Phase wartet die Partie auf deine Befehle. "
        "Nach 2 versäumten Fristen in Folge wird dein Platz frei."
    )


def test_the_settings_of_a_game_appear_in_german() -> None:
    policy = PressPolicy(closing=90, grace=False, dead=False, observers=True, grey="allowed", opened="all")
    sentences = [
        asked_in_words(Settings(approval=True, reliable=9, newcomers=False, claimed=True)),
        *(time_bank_in_words(Settings(anonymous=anonymous)) for anonymous in (True, False)),
        *(spectators_in_words(who, delay) for who in ("link", "public") for delay in ("1 phase", "24h")),
        *press_in_words(policy),
        *(words for policy, _ in PRESS_PRESETS.values() for words in press_in_words(policy)),
    ]
    for sentence in sentences:
        assert not english_in(german(sentence)), german(sentence)


def test_the_form_that_hosts_a_game_has_no_english_sentence(client: TestClient) -> None:
    page = client.get("/variants/standard/host", headers={"accept-language": "de"}).text
    form = visible(page, '<form class="new-game"', 'id="schedule-words"')
    assert "Frist für Züge: montags bis freitags um 20:00 Uhr, frühestens 20 Stunden" in form
    assert not english_in(form), form


def test_a_schedule_of_the_form_has_kinds_and_parts_for_the_page(client: TestClient) -> None:
    found = client.post("/host/schedule", data={"schedule": "Weekly", "variant": "standard"}).json()
    assert [one["text"] for one in found["sentences"]] == found["words"]
    assert found["sentences"][1] == {
        "kind": "server-due-retreats",
        "parts": {
            "when": {
                "kind": "server-within",
                "parts": {"span": {"kind": "server-span-days", "parts": {"number": 2}, "text": "2 days"}},
                "text": "within 2 days",
            }
        },
        "text": "Retreats are due within 2 days.",
    }
    refused = client.post("/host/schedule", data={"schedule": "Weekly", "variant": "standard", "end-year": "1800"})
    assert refused.json()["refusal"]["kind"] == "server-end-before-start"
