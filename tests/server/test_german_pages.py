"""German pages: the sentences of the server are in German, whatever the game is like."""

import html
import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, update

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.position import Power
from plenipo.engine.sentences import Quoted, Sentence, SentenceKind
from plenipo.server import texts, web
from plenipo.server.backup import journal_faults
from plenipo.server.hosting.changes import changes_of
from plenipo.server.hosting.motions import KINDS, Motion, Rule, VotingRules, describe_motion
from plenipo.server.hosting.motions import in_words as votes_in_words
from plenipo.server.hosting.press import OFFICE, PressFacts, PressPolicy, why_not
from plenipo.server.hosting.press import PRESETS as PRESS_PRESETS
from plenipo.server.hosting.press import in_words as press_in_words
from plenipo.server.hosting.schedule import PRESETS, OnMissed, Schedule, schedule_of
from plenipo.server.hosting.schedule_words import hours_in_words, in_words, missed_in_words
from plenipo.server.hosting.settings import Settings, asked_in_words, time_bank_in_words
from plenipo.server.hosting.spectators import Spectators
from plenipo.server.hosting.spectators import in_words as spectators_in_words
from plenipo.server.hosting.tick import TimeAct
from plenipo.server.service import GameService
from plenipo.server.store import JournalEntry, Store, StoredEntry, StoredTenure, schema
from plenipo.server.store.values import chain_entries, entry_hash
from plenipo.server.texts import translate, using_language
from plenipo.server.web.app import create_app
from plenipo.server.web.game_log import fill_in
from server.test_desk_pages import begun, entry_in, order
from server.test_live import FRANCE, ITALY, START
from server.test_people_pages import Browser
from server.test_settings_changes import ENDS, Kept

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


@pytest.fixture
def kept(store: Store) -> Kept:
    return Kept(store, end={"at": ENDS.isoformat()})


@pytest.fixture
def master(service: GameService) -> Browser:
    return Browser(service)


@pytest.fixture
def player(service: GameService) -> Browser:
    return Browser(service)


WATCHING: tuple[Spectators, ...] = ("link", "public")
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
        *(spectators_in_words(who, delay) for who in WATCHING for delay in ("1 phase", "24h")),
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


def all_german(sentences: Iterable[str]) -> None:
    """Check that sentences are in German, apart from texts in quotation marks, which players wrote."""
    for sentence in sentences:
        assert not english_in(re.sub(r"„[^“]*“", "", german(sentence))), german(sentence)


def test_the_rules_and_titles_of_votes_appear_in_german() -> None:
    rules = VotingRules(draws="named", open=False, back=Rule(allowed=False), pause=Rule(allowed=False))
    instant, france = datetime(2026, 11, 23, 18, tzinfo=UTC), (Power("France"),)
    everything = changes_of({"time_bank": "30m", "end": {"year": 1910, "at": instant}, "spectators": "public"})
    motions = [
        *(Motion(1, kind, france, france[0], 1, START) for kind in KINDS),
        Motion(1, "draw", (), france[0], 1, START),
        Motion(1, "tomorrow", (), france[0], 1, START, goes_on=instant),
        Motion(1, "settings", (), france[0], 1, START, changes=everything),
        Motion(1, "settings", (), france[0], 1, START, changes=changes_of({"delay": "2 phases", "end": None})),
    ]
    all_german([*votes_in_words(rules), *votes_in_words(VotingRules()), *map(describe_motion, motions)])
    assert german(describe_motion(motions[1])) == "Aufgabe zugunsten von Frankreich"


def test_the_answer_of_votes_has_kinds_and_parts_for_the_page(kept: Kept) -> None:
    assert kept.change(time_bank="4m", spectators="public")
    headers = {"authorization": f"Bearer {kept.tokens[FRANCE]}"}
    with TestClient(create_app(kept.service), base_url="http://localhost") as client:
        found = client.get(f"/api/games/{kept.id}/votes", headers=headers).json()
    assert [one["text"] for one in found["sentences"]] == found["words"]
    assert found["motions"][0]["said"]["kind"] == "server-motion-settings"


def test_the_deadlines_of_a_game_have_kinds_and_parts_for_the_page(kept: Kept) -> None:
    headers = {"authorization": f"Bearer {kept.tokens[FRANCE]}"}
    with TestClient(create_app(kept.service), base_url="http://localhost") as client:
        time = client.get(f"/api/games/{kept.id}", headers=headers).json()["time"]
    assert (time["reason"]["kind"], time["reason"]["text"]) == ("server-waits-time-bank", time["waits_for"])
    assert [one["text"] for one in time["sentences"]] == time["words"]


def test_a_game_log_keeps_kinds_and_parts_and_is_read_in_german(kept: Kept) -> None:
    kept.ready(ITALY)
    assert not kept.change(time_bank="30m")
    kept.service.time.keep_time(kept.id, kept.host, 1, TimeAct("pause", until=START + timedelta(hours=3)))
    kept.service.time.keep_time(kept.id, kept.host, 1, TimeAct("resume"))
    kept.service.time.keep_time(kept.id, kept.host, 1, TimeAct("extend", timedelta(days=1)))
    kept.service.handover.act(kept.id, kept.host, "Italy", "remove")
    entries = kept.service.journal(kept.id)
    assert len(entries) >= 5
    assert all(isinstance(entry.statement, Sentence) and str(entry.statement) == entry.text for entry in entries)
    hosted = kept.service.games.load(kept.id)
    read = [fill_in(entry, hosted.tenures, {}) for entry in entries]
    all_german(read)
    assert german(read[1]) == (
        "Der Gastgeber hat die Einstellungen geändert: Zeitguthaben je Spieler für die ganze Partie: 30 Minuten."
    )
    assert list(journal_faults(kept.service.store, kept.id)) == []


def test_a_changed_part_of_an_entry_is_found(kept: Kept) -> None:
    assert not kept.change(time_bank="30m")
    with kept.service.store.engine.begin() as connection:
        table = schema.journal
        row = connection.execute(select(table).where(table.c.kind == "settings")).mappings().one()
        changed = row["sentence"].replace("30", "60")
        assert changed != row["sentence"]
        connection.execute(update(table).where(table.c.number == row["number"]).values(sentence=changed))
    assert len(list(journal_faults(kept.service.store, kept.id))) == 1


def test_an_entry_of_an_earlier_version_is_read_as_it_was_written() -> None:
    values: dict[str, Any] = {
        "number": 1,
        "at": START,
        "phase_number": 1,
        "kind": "begun",
        "text": "The game began: <2> plays France.",
    }
    hashed = entry_hash("game", values)
    entry = JournalEntry(**values, hash=hashed)
    assert entry_hash("game", {**values, "sentence": ""}) == hashed
    assert fill_in(entry, (StoredTenure(2, "Ben"),), {}) == "The game began: Ben plays France."


def test_a_name_in_the_game_log_is_never_translated() -> None:
    entry = StoredEntry(
        "claimed",
        SentenceKind("server-log-plays", "{player} plays {power}.")(player=Quoted("<2>"), power=Power("Germany")),
    )
    (stored,) = chain_entries((0, ""), "game", [entry], 1, START)
    read = fill_in(stored, (StoredTenure(2, "Monday"),), {})
    assert (str(read), german(read)) == ("Monday plays Germany.", "Monday spielt Deutschland.")
    gone = fill_in(stored, (), {})
    assert german(gone) == "ein ehemaliger Spieler spielt Deutschland."


def test_the_parts_that_people_write_are_the_same_in_scripts() -> None:
    script = (Path(web.__file__).parent / "static" / "i18n.js").read_text(encoding="utf-8")
    listed = script[script.index("const WRITTEN") : script.index("]);", script.index("const WRITTEN"))]
    assert set(re.findall(r"'(\w+)'", listed)) == texts._WRITTEN


def test_the_gm_tools_have_no_english_sentence(master: Browser, player: Browser) -> None:
    game = begun(master, player)
    order(player, game, "A PAR - BUR")
    entry = entry_in(master.get(f"{game}/gm-tools").text)
    master.post(f"{game}/gm-tools/open", data={"power": "France", "phase_number": "1", "entry": entry})
    master.post(f"{game}/gm-tools/remind", data={"phase_number": "1"})
    master.post(f"{game}/gm-tools/process", data={"phase_number": "1", "reason": "Alle sind einverstanden"})
    body = {"phase_number": "2", "turn": "0", "reason": "Ein Versehen", "withheld": "yes"}
    master.post(f"{game}/gm-tools/back", data=body)
    page = master.get(f"{game}/gm-tools", headers={"accept-language": "de"}).text
    log = visible(page, 'id="journal-title"', "</section>")
    assert "Der Spielleiter hat die Befehle von Frankreich angesehen." in log
    assert "Die Begründung wird erst nach der Partie veröffentlicht." in log
    assert not english_in(log), log
    shown = visible(page, "<main", "</main>")
    for german_text in ("Frühjahr 1901", "Deutschland"):
        assert german_text in shown, german_text
    assert not english_in(visible(page, 'id="time-title"', "</section>")), shown


@pytest.mark.parametrize("who", ["none", "everyone", "two", "groups"])
@pytest.mark.parametrize("grey", ["no", "allowed", "only"])
def test_the_reasons_against_a_message_appear_in_german(who: str, grey: str) -> None:
    policy = PressPolicy.model_validate(
        {"who": who, "grey": grey, "closing": 60, "grace": False, "dead": False, "phases": ["movement", "retreats"]}
    )
    seats = (Power("France"), Power("Italy"), Power("Turkey"))
    facts = PressFacts(policy, seats, {"France": (1,), "Italy": (2,)}, PhaseKind.MOVEMENT, due=START)
    variants = [
        facts,
        replace(facts, forming=True),
        replace(facts, in_grace=True),
        replace(facts, kind=PhaseKind.ADJUSTMENTS),
        replace(facts, dead=frozenset({seats[0]})),
        replace(facts, computers=frozenset({seats[2]})),
    ]
    recipients = (["Italy"], ["*"], ["*", "Italy"], ["France"], ["Turkey"], [OFFICE], ["Moon"], ["Italy", "Turkey"])
    reasons = {
        why_not(one, "France", to, START, grey=signed)
        for one in variants
        for to in recipients
        for signed in (True, False)
    }
    assert len(reasons) > 6
    for reason in reasons:
        assert not english_in(german(reason)), german(reason)


def test_the_readers_of_a_thread_have_kind_and_parts_for_the_page(kept: Kept) -> None:
    headers = {"authorization": f"Bearer {kept.tokens[FRANCE]}"}
    with TestClient(create_app(kept.service), base_url="http://localhost") as client:
        found = client.get(f"/api/games/{kept.id}/press", headers=headers).json()
        thread = client.get(
            f"/api/games/{kept.id}/press/thread", params={"seat": ["France", "Italy"]}, headers=headers
        ).json()
    assert [one["text"] for one in found["sentences"]] == found["words"]
    assert all(one["why_not"] == (one["refusal"] or {"text": ""})["text"] for one in found["to"])
    assert (thread["said"]["kind"], thread["said"]["text"]) == ("server-press-read-by", thread["readers"])
    assert thread["readers"] == "Only Italy (Ben) and you read this."
