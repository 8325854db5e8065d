"""A reader who has chosen German gets nothing in English: mail, webhook, push, feeds, calendar, and bans."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from icalendar import Calendar

from plenipo.engine.position import Power
from plenipo.server.hosting.notifications import KINDS
from plenipo.server.hosting.scoring import SYSTEMS, Final, score_seats
from plenipo.server.people.mail import Outgoing, translate_post
from plenipo.server.people.push import message_of
from plenipo.server.service import GameService
from plenipo.server.store import Store, schema
from plenipo.server.store.notifications import NotificationStore
from plenipo.server.store.persons import Persons
from plenipo.server.texts import translate, using_language
from plenipo.server.web.app import create_app
from server.test_bans import REASON, Case
from server.test_moderation import Door
from server.test_notifications import Inbox, Table

ENGLISH = re.compile(
    r"\b(the|is|are|was|were|of|and|or|you|your|has|have|for|to|it|due|no|by|on|with|Spring|Fall|movement|retreats"
    r"|builds|Monday|Tuesday|Wednesday|France|Italy|Turkey|Austria|Germany|Russia|December)\b"
)
"""Words that no German sentence of these posts has."""


def english(text: str) -> list[str]:
    """Return the English words of a text, apart from addresses."""
    return ENGLISH.findall(re.sub(r"https?://\S+|HERE\S*", "", text))


@pytest.fixture
def table(store: Store) -> Table:
    """A game whose three players read German; Anna, who plays France, also hosts it."""
    made = Table(store)
    for person in made.people.values():
        store.of(NotificationStore).preference(replace(store.of(NotificationStore).preferences(person), language="de"))
    host = {"game": made.game.id, "number": 9, "name": "Anna", "person": made.people["France"], "kind": "host"}
    with store.engine.begin() as connection:
        connection.execute(schema.tenures.insert().values(**host, power="", since=1, preferences=[]))
        connection.execute(schema.posts.delete())
    return made


def play(table: Table) -> None:
    """Let a turn be processed and a message be written."""
    table.process()
    table.write("France", "Italy", "Mordor")


def posts_of(table: Table) -> list[Any]:
    """Return the due posts as their reader gets them."""
    with using_language("de"):
        return [translate_post(post) for post, _ in table.service.store.of(Persons).take_posts(table.clock.now())]


def test_mail_about_a_game_is_german(table: Table) -> None:
    play(table)
    mails = table.sent()
    assert mails
    for mail in mails:
        said = f"{mail['Subject']}\n{mail.get_content()}"
        assert english(said) == [], said
        assert "Quai: " in said
    assert any("Frühjahr 1901" in str(mail["Subject"]) or "Herbst 1901" in str(mail["Subject"]) for mail in mails)


def test_the_daily_digest_is_german(table: Table) -> None:
    telling, store = table.service.store.of(NotificationStore), table.service.store
    for person in table.people.values():
        telling.preference(replace(telling.preferences(person), kinds=dict.fromkeys(KINDS, ("day",))))
    play(table)
    with store.engine.begin() as connection:
        connection.execute(schema.posts.update().values(not_before=table.clock.now()))
    mails = table.sent()
    assert len(mails) == 3
    for mail in mails:
        assert english(f"{mail['Subject']}\n{mail.get_content()}") == [], mail.get_content()


def test_a_webhook_writes_in_the_language_of_the_host(table: Table) -> None:
    came: list[str] = []

    class Receiver:
        def send(self, _url: str, body: str, *_more: object) -> None:
            came.append(body)

    table.service.store.of(NotificationStore).set_hook(table.game.id, "https://hook.example/x")
    table.mail = Outgoing(Inbox(), "https://plenipo.example", poster=Receiver())  # type: ignore[arg-type]  # it records
    play(table)
    table.sent()
    said = [json.loads(body)["content"] for body in came]
    assert [english(one) for one in said] == [[]], said
    assert said[0].startswith("**Quai**: Bewegungsphase Herbst 1901. ")


def test_a_push_notification_is_german(table: Table) -> None:
    play(table)
    posts = posts_of(table)
    assert posts
    for post in posts:
        told = json.loads(message_of(post))
        assert english(f"{told['title']} {told['body']}") == [], told


def test_feeds_are_in_the_language_of_their_address_or_of_the_browser(table: Table) -> None:
    table.process()
    table.process()
    address = f"/games/{table.game.id}"
    with TestClient(create_app(table.service, loops="none")) as client:
        for query, headers in (("?language=de", {}), ("", {"accept-language": "de"})):
            feed = client.get(f"{address}/feed.json{query}", headers=headers).json()
            assert feed["language"] == "de"
            for item in feed["items"]:
                assert english(f"{item['title']} {item['content_text']}") == [], item
            atom = client.get(f"{address}/feed.atom{query}", headers=headers).text
            assert 'xml:lang="de"' in atom
            assert feed["items"][0]["title"] in atom
        plain = client.get(f"{address}/feed.json").json()
        assert [item["id"] for item in plain["items"]] == [item["id"] for item in feed["items"]]
        assert plain["items"][-1]["title"] == "Spring 1901 movement"
        client.cookies.set("language", "de")
        assert f"{address}/feed.atom?language=de" in client.get(address).text


def test_a_calendar_is_german(table: Table) -> None:
    token = table.service.store.of(NotificationStore).preferences(table.people["France"]).calendar
    with TestClient(create_app(table.service, loops="none")) as client:
        (event,) = Calendar.from_ical(client.get(f"/calendar/{token}.ics").content).walk("VEVENT")
    (alarm,) = event.walk("VALARM")
    assert str(event["SUMMARY"]) == "Quai: Bewegungsphase Frühjahr 1901"
    assert str(alarm["DESCRIPTION"]) == "Quai: Deine Befehle sind fällig"
    assert "movement" in str(event["UID"]), "the same event in each language"


def test_the_mail_with_a_code_is_in_the_language_of_the_page(table: Table) -> None:
    with TestClient(create_app(table.service, loops="none")) as client:
        client.cookies.set("language", "de")
        client.post("/sign-in", data={"mail": "dora@example.org"})
    (mail,) = [mail for mail in table.sent() if str(mail["To"]) == "dora@example.org"]
    assert re.fullmatch(r"\d{6} ist dein Code für Plenipo", str(mail["Subject"]))
    assert english(mail.get_content()) == [], mail.get_content()


@pytest.fixture
def case(service: GameService, store: Store) -> Case:
    """A report about Ben, who has chosen German."""
    made = Case(Door(service, store))
    made.ben.post("/language", data={"language": "de", "back": "/me"})
    made.mails("ben@example.org")
    return made


def test_a_ban_and_its_end_are_explained_in_german(case: Case) -> None:
    case.ban()
    refused = case.ben.post("/me/name", data={"name": "Benno"}).text
    assert re.search(r"Dieses Konto ist bis \d+\. \w+ 20\d\d, \d\d:\d\d Uhr UTC gesperrt: Insults", refused)
    (ban,) = case.ben.get("/api/me/bans").json()["bans"]
    assert ban["words"].startswith("Dieses Konto ist bis ")
    assert ban["reason"] == REASON
    case.mod.post("/moderation/bans/1", data={"act": "lift", "reason": "Agreed."})
    with using_language("de"):
        posts = case.door.store.of(Persons).take_posts(case.door.service.clock.now())
        said = [translate_post(post) for post, _ in posts if post.to == "ben@example.org"]
    assert [one.subject for one in said] == ["Dein Konto ist gesperrt", "Deine Sperre ist aufgehoben"]
    for one in said:
        assert english(f"{one.subject}\n{one.body}".replace(REASON, "").replace("Agreed.", "")) == [], one.body
        assert "/appeal" in one.body


def test_a_report_that_lacks_its_reason_is_refused_in_german(case: Case) -> None:
    form = {"number": "1", "reason": " ", "act": "dismiss"}
    refused = case.mod.post("/moderation", data=form, headers={"accept-language": "de"}).text
    assert "Der Text fehlt (Begründung)" in refused


SIX = ("standard", "1897", "cline", "corner", "irish", "napoleonic")


def test_the_first_page_and_the_library_are_german(service: GameService) -> None:
    with TestClient(create_app(service, loops="none")) as client:
        client.cookies.set("language", "de")
        for address in ("/", "/bank", *(f"/variants/{name}{more}" for name in SIX for more in ("", "/host"))):
            page = client.get(address).text
            for summary in re.findall(r'<p class="summary">(.*?)</p>', page):
                assert english(summary) == [], summary
        first, library = client.get("/").text, client.get("/bank").text
        assert ">Mittel: denkt einen Zug voraus</option>" in first
        assert "Punkte zum Sieg" in first
        assert "meistgespieltes Duell" in library
        assert "Schwarze Löcher" in client.get("/variants/irish+corner").text
        assert "Nur Solosiege" in client.get("/variants/standard/host").text
        assert client.get("/bank?q=duell").text.count("<li>") == 1, "the search knows the words of the reader"
        opened = client.post("/api/games", json={"variant": "corner"}).json()
        assert "Die normale Karte" in client.get(f"/games/{opened['id']}").text


def test_options_and_signs_of_a_variant_are_german(service: GameService) -> None:
    with TestClient(create_app(service, loops="none")) as client:
        client.cookies.set("language", "de")
        page = client.get("/variants/irish").text
        assert ">Losziehungen</label>" in page
        assert ">vom Spielleiter eingetragen</option>" in page
        assert "PSYCHIATRIST: heilt eine Einheit von der Anarchie." in page
        opened = client.post("/api/games", json={"variant": "irish"}).json()
        assert "PSYCHIATRIST: heilt eine Einheit von der Anarchie" in client.get(f"/games/{opened['id']}").text
        client.cookies.set("language", "en")
        assert "PSYCHIATRIST: cures a unit of anarchy" in client.get(f"/games/{opened['id']}").text


def test_a_limit_is_explained_in_german(service: GameService) -> None:
    with TestClient(create_app(service, loops="none")) as client:
        client.cookies.set("language", "de")
        answers = [client.post("/sign-in", data={"mail": "dora@example.org"}).text for _ in range(4)]
    assert "Zu viele Codes wurden gesendet (an eine E-Mail-Adresse); versuche es in" in answers[-1]


def test_the_sum_of_each_score_is_german() -> None:
    france, italy, turkey, austria = map(Power, ("France", "Italy", "Turkey", "Austria"))
    counts = {france: 18, italy: 9, turkey: 7, austria: 0}
    ends = [Final(counts, (france,)), Final(counts, (italy, turkey))]
    with using_language("de"):
        sums = [translate(one.sum) for end in ends for name in SYSTEMS for one in score_seats(name, end).values()]
    assert [english(one) for one in sums if english(one)] == []
    assert {"Solosieg: 100", "Solosieg von Frankreich: 0", "nicht am Remis beteiligt: 0"} <= set(sums)


def test_a_summary_is_never_the_line_with_the_authors(client: TestClient) -> None:
    assert "By this project" not in client.get("/bank").text
    assert "Armies build a bridge over the Channel." in client.get("/bank").text
