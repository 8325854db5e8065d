"""Readings of an open phase, previews, other eyes and questions: what a game master sees, and that no other does."""

import json
import re
from datetime import UTC, datetime

import pytest

from plenipo.server.broker import Broker
from plenipo.server.errors import NoKey, NotYours, QuestionRefused, RulingRefused, Stale
from plenipo.server.gm_tools import GmTools, RulingReason
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.settings import Settings
from plenipo.server.new_games import NewGameRequest
from plenipo.server.questions import OPEN_AT_ONCE, Asking
from plenipo.server.rulings import OrderCorrection
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.persons import Persons
from server.clocks import ManualClock, store_by_hand
from server.test_desk_pages import begun
from server.test_gm_tools import FRANCE, MASTER, MINE, WHY, opened, order, proved
from server.test_people_pages import Browser, link_in, mailed

kept = pytest.fixture(store_by_hand)

GIVEN, READ = "A PAR - BUR", "A PAR - PIC"
AS_PIC = [OrderCorrection("France", "a par - bur", "paris to picardy")]


def test_an_order_is_read_as_another_when_its_phase_is_processed(store: Store) -> None:
    desk, game = opened(store)
    order(desk, game, 1, GIVEN, "F BRE - MID")
    desk.read_as(game, MASTER, 1, AS_PIC, WHY)
    assert desk.service.view(game, MINE, FRANCE).order_sets[FRANCE].texts == (GIVEN, "F BRE - MID")
    desk.process(game, MASTER, 1)
    turn = desk.service.view(game, MINE, None).find_turn(0)
    assert turn.orders[FRANCE] == (READ, "F BRE - MID")
    assert proved(desk, game) == ["read as", "turn"]
    told = [entry.text for entry in desk.service.journal(game) if entry.kind == "ruling"]
    assert [text.partition(" [")[0] for text in told] == [
        f"The game master ruled: '{GIVEN}' of France is read as '{READ}'."
    ]
    assert set(desk.reasons(game).values()) == {WHY.text}
    order(desk, game, 2, "A PIC - BUR")
    desk.process(game, MASTER, 2)
    assert proved(desk, game) == ["read as", "turn", "turn"]


def test_what_was_ruled_is_there_after_a_restart_and_the_last_ruling_counts(kept: Store) -> None:
    desk, game = opened(kept)
    order(desk, game, 1, GIVEN)
    desk.read_as(game, MASTER, 1, AS_PIC, WHY)
    desk.read_as(game, MASTER, 1, [OrderCorrection("France", GIVEN, "A PAR - GAS")], RulingReason("It was written so."))
    again = GmTools(GameService(kept, Broker(), desk.service.clock))
    again.process(game, MASTER, 1)
    assert again.service.view(game, MINE, None).find_turn(0).orders[FRANCE] == ("A PAR - GAS",)
    assert proved(again, game) == ["read as", "turn"]
    assert set(again.reasons(game).values()) == {"It was written so."}


def test_a_ruling_about_a_withdrawn_order_has_no_effect_and_stays_secret(store: Store) -> None:
    desk, game = opened(store)
    order(desk, game, 1, GIVEN)
    desk.read_as(game, MASTER, 1, AS_PIC, RulingReason("The mail says Picardy."))
    order(desk, game, 1, "A PAR - GAS")
    desk.process(game, MASTER, 1)
    desk.service.phases.draw(game, MASTER, 2)
    assert desk.service.view(game, MINE, None).find_turn(0).orders[FRANCE] == ("A PAR - GAS",)
    assert proved(desk, game) == ["turn"]
    everything = json.dumps([desk.service.record(game, MASTER), [entry.text for entry in desk.service.journal(game)]])
    assert "Picardy" not in everything
    assert GIVEN not in everything


def test_a_ruling_says_nothing_of_whether_the_order_stands(store: Store) -> None:
    desk, game = opened(store)
    desk.read_as(game, MASTER, 1, AS_PIC, WHY)
    order(desk, game, 1, GIVEN)
    desk.read_as(game, MASTER, 1, AS_PIC, WHY)
    texts = [entry.text for entry in desk.service.journal(game)]
    assert (
        texts
        == [
            "The game master ruled how an order of France in Spring 1901 movement is read; "
            "the ruling is published when that phase is processed."
        ]
        * 2
    )


def test_what_cannot_be_read_so_is_refused(store: Store) -> None:
    desk, game = opened(store)
    for given, read, sentence in (
        (GIVEN, GIVEN, "is already the order"),
        (GIVEN, "A PAR - MOS", "not allowed"),
        ("A PAR to the moon", READ, "is not a space"),
    ):
        with pytest.raises(RulingRefused, match=sentence):
            desk.read_as(game, MASTER, 1, [OrderCorrection("France", given, read)], WHY)
    with pytest.raises(RulingRefused, match="Name an order"):
        desk.read_as(game, MASTER, 1, [], WHY)
    with pytest.raises(Stale):
        desk.read_as(game, MASTER, 2, AS_PIC, WHY)
    assert desk.service.journal(game) == ()


def test_a_preview_shows_what_processing_gives_and_changes_nothing(store: Store) -> None:
    desk, game = opened(store)
    order(desk, game, 1, GIVEN, "F BRE - MID")
    desk.read_as(game, MASTER, 1, AS_PIC, WHY)
    before = desk.service.view(game, MASTER, None).position
    found = desk.preview(game, MASTER, 1, 2)
    assert desk.service.view(game, MASTER, None).position == before
    assert found.turn is not None
    desk.process(game, MASTER, 1)
    played = desk.service.view(game, MASTER, None).find_turn(0)
    assert found.turn.resolution.after == played.resolution.after
    assert desk.service.journal(game)[1].text == "The game master previewed the result of the submitted orders."


def test_no_game_master_with_a_seat_views_orders_and_every_viewing_names_its_log_entry(store: Store) -> None:
    desk, game = opened(store)
    both = Credentials((FRANCE,), all_seats=True)
    for who, refusal in ((both, NotYours), (MINE, NotYours), (Credentials(), NoKey)):
        with pytest.raises(refusal):
            desk.preview(game, who, 1, 1)
        with pytest.raises(refusal):
            desk.look_into(game, who, "France", 1, 1)
        with pytest.raises(refusal):
            desk.seen_by(game, who, "France", 1, 1)
        with pytest.raises(refusal):
            desk.whole(game, who, 1, 1)
        with pytest.raises(refusal):
            desk.read_as(game, who, 1, AS_PIC, WHY)
    with pytest.raises(Stale, match="adds entry 1"):
        desk.preview(game, MASTER, 1, 2)
    assert desk.service.journal(game) == ()


def test_in_fog_viewing_as_a_seat_is_logged_and_shows_none_of_its_orders(store: Store) -> None:
    service = GameService(store, Broker(), ManualClock(datetime(2026, 11, 22, 12, tzinfo=UTC)))
    desk, own = GmTools(service), Settings.model_validate({"host": "game master"})
    for variant, entries in (("fog-of-war", 1), ("standard", 0)):
        new = NewGameRequest(variant, {}, seating="links", schedule=schedule_of("Own pace"), settings=own)
        game = service.open(new).id
        order(desk, game, 1, GIVEN)
        seen = desk.seen_by(game, MASTER, "France", 1, 1)
        assert seen.who == FRANCE
        assert any(unit.power == FRANCE for unit in seen.position.units)
        assert any(unit.power == "Turkey" for unit in seen.position.units) is (variant == "standard")
        assert (dict(seen.order_sets), dict(seen.view.order_sets), seen.seats) == ({}, {}, ())
        assert len(service.journal(game)) == entries
        assert desk.whole(game, MASTER, 1, 2) == service.games.load(game).game.position
        assert len(service.journal(game)) == 2 * entries


def test_a_question_shows_one_order_to_the_game_master_and_the_answer_to_its_author(kept: Store) -> None:
    desk, game = opened(kept)
    asking = Asking(desk.service.games)
    order(desk, game, 1, GIVEN, "F BRE - MID")
    asking.ask(game, MINE, "France", 1, GIVEN, "Is that by land?")
    others = (Credentials(), Credentials(("Italy",)), Credentials((FRANCE,), player=3, tenures=(3,)))  # type: ignore[arg-type]
    assert [asking.of(game, who).questions for who in others] == [(), (), ()]
    (one,) = asking.of(game, MASTER).questions
    assert (one.power, one.order, one.text) == ("France", GIVEN, "Is that by land?")
    asking.answer(game, MASTER, one.number, "It is.")
    assert [one.answer for one in asking.of(game, MINE).questions] == ["It is."]
    with pytest.raises(QuestionRefused, match="is already answered"):
        asking.answer(game, MASTER, one.number, "It is not.")
    for given, words, sentence in (("A MAR - SPA", "Why?", "not among your orders"), (GIVEN, " ", "is empty")):
        with pytest.raises(QuestionRefused, match=sentence):
            asking.ask(game, MINE, "France", 1, given, words)
    with pytest.raises(NotYours):
        asking.answer(game, MINE, one.number, "I say so.")
    for _ in range(OPEN_AT_ONCE):
        asking.ask(game, MINE, "France", 1, GIVEN, "And this?")
    with pytest.raises(QuestionRefused, match="wait for an answer"):
        asking.ask(game, MINE, "France", 1, GIVEN, "And this?")
    assert desk.service.journal(game) == ()
    host = opened(kept, "host")
    order(host[0], host[1], 1, GIVEN)
    with pytest.raises(QuestionRefused, match="no game master"):
        Asking(host[0].service.games).ask(host[1], MINE, "France", 1, GIVEN, "Well?")


# Over the web


def asked_of(page: str, what: str) -> str:
    found = re.search(rf'{what}" value="(\d+)"', page)
    assert found
    return found[1]


def around(browser: Browser, game: str) -> str:
    """Return everything that an uninvolved person sees of a game, without random values and times."""
    api = f"/api{game}"
    pages = (game, f"{game}/questions", api, *(f"{api}/{end}" for end in ("journal", "rulings", "questions", "record")))
    plain = "".join(browser.get(page).text for page in pages).replace(game, "GAME")
    plain = re.sub(r'"(hash|at|id|commitment|opened|due)": ?"[^"]*"|[0-9a-f]{64}|<time.*?</time>', "", plain)
    return plain.replace(game.rpartition("/")[2], "GAME")


def test_questions_and_rulings_about_an_open_phase_change_no_byte_of_what_others_are_shown(
    service: GameService,
) -> None:
    shown = []
    for given, read, words in ((GIVEN, READ, "Narnia?"), ("A PAR - GAS", "A PAR - PIC", "Mordor, or not?")):
        master, player = Browser(service), Browser(service)
        game = begun(master, player)
        where = {"phase_number": 1, "seat": "France"}
        player.put(f"/api{game}/orders", json={**where, "orders": [given]})
        question = player.post(f"/api{game}/questions", json={**where, "order": given, "text": words})
        assert question.status_code == 201, question.text
        why = {"phase_number": 1, "reason": f"Because of {words}"}
        reading = {"readings": [{"power": "France", "order": given, "read": read}]}
        ruled = master.post(f"/api{game}/rulings/reading", json={**why, **reading})
        assert ruled.json()["readings"][0]["read"] == read
        answering = f"/api{game}/questions/{question.json()['number']}/answer"
        assert master.post(answering, json={"text": f"{words} Never."}).status_code == 200
        assert f"{words} Never." in player.get(f"{game}/questions").text
        assert READ in player.get(f"/api{game}/questions").text
        shown.append(around(Browser(service), game))
        assert words not in shown[-1]
    assert shown[0] == shown[1]


def test_the_gm_tools_ask_view_and_rule_without_script(service: GameService, store: Store) -> None:
    master, player = Browser(service), Browser(service)
    master.post("/sign-in", data={"mail": "anna@example.org"})
    master.post("/sign-in/code", data={"code": mailed(store, service)[0]})
    game = begun(master, player)
    player.put(f"/api{game}/orders", json={"phase_number": 1, "seat": "France", "orders": [GIVEN, "F BRE - MID"]})
    page = player.get(f"{game}/questions?order=F+BRE+-+MID").text
    assert "<option selected>F BRE - MID</option>" in page
    fields = {"phase_number": "1", "seat": "France", "order": GIVEN, "text": "Is that by land?"}
    assert "Not answered yet." in player.post(f"{game}/questions", data=fields).text
    post = store.of(Persons).take_posts(service.clock.now())[0][0]
    assert (post.kind, GIVEN in post.body, "by land" in post.body) == ("question", False, False)
    desk = master.get(f"{game}/gm-tools").text
    assert ("Is that by land?" in desk, GIVEN in desk, "F BRE - MID" in desk) == (True, True, False)
    why = {"phase_number": "1", "power": "France", "order": GIVEN, "read": READ, "reason": "By mail."}
    assert "is corrected to" in master.post(f"{game}/gm-tools/read", data=why).text
    assert READ in player.get(f"{game}/questions").text
    number = asked_of(desk, 'name="number')
    entry = asked_of(
        master.post(f"{game}/gm-tools/answer", data={"number": number, "text": "It is."}).text, 'name="entry'
    )
    assert "It is." in player.get(f"{game}/questions").text
    looked = master.post(f"{game}/gm-tools/preview", data={"phase_number": "1", "entry": entry}).text
    assert (READ in looked, "<svg" in looked, f"Entry {entry}" in looked) == (True, True, True)
    told = player.get(f"/api{game}/journal").json()["entries"][int(entry) - 1]["sentence"]
    assert told == "The game master previewed the result of the submitted orders."
    eyes = master.post(f"{game}/gm-tools/seen", data={"phase_number": "1", "power": "France"}).text
    assert ("as France sees it" in eyes, GIVEN in eyes) == (True, False)
    for path, data in (("preview", {"entry": "9"}), ("seen", {"power": "France"}), ("read", why)):
        assert player.post(f"{game}/gm-tools/{path}", data={"phase_number": "1", **data}).status_code == 403


def test_in_fog_a_position_is_edited_only_after_viewing_the_whole_board(service: GameService) -> None:
    master, player = Browser(service), Browser(service)
    game = begun(master, player, variant="fog-of-war")
    desk = master.get(f"{game}/gm-tools").text
    assert 'name="units Turkey"' not in desk, "an observer sees no units, and what he sees would take their place"
    fields = {"phase_number": "1", "entry": asked_of(desk, 'name="entry')}
    assert player.post(f"{game}/gm-tools/whole", data=fields).status_code == 403
    form = master.post(f"{game}/gm-tools/whole", data=fields).text
    shown = dict(re.findall(r'name="((?:units|centres) [^"]*)" value="([^"]*)"', form))
    assert shown["units Turkey"] == "F ANK, A CON, A SMY"
    told = player.get(f"/api{game}/journal").json()["entries"][-1]["sentence"]
    assert told == "The game master looked at the whole board."
    edited = {**shown, "units Turkey": "A CON, A SMY", "phase_number": "1", "reason": "It had sunk."}
    assert master.post(f"{game}/gm-tools/edit", data=edited).status_code == 200
    units = service.games.load(game.rpartition("/")[2]).game.position.units
    assert (len(units), [str(unit) for unit in units if unit.power == "Turkey"]) == (21, ["A CON", "A SMY"])


def test_a_game_is_ruled_and_looked_into_by_a_program(service: GameService) -> None:
    master, player = Browser(service), Browser(service)
    game = begun(master, player)
    player.put(f"/api{game}/orders", json={"phase_number": 1, "seat": "France", "orders": [GIVEN]})
    entry = len(master.get(f"/api{game}/journal").json()["entries"]) + 1
    body = {"phase_number": 1, "power": "France"}
    opened_ = master.post(f"/api{game}/open", json={**body, "entry": entry}).json()
    assert (opened_["orders"], opened_["entry"]) == ([GIVEN], entry)
    found = master.post(f"/api{game}/preview", json={"phase_number": 1, "entry": entry + 1}).json()
    assert found["turn"]["orders"]["France"] == [GIVEN]
    seen = master.post(f"/api{game}/seen", json={**body, "entry": 0}).json()["view"]
    assert (seen["viewer"]["seat"], seen["order_sets"]) == ("France", {})
    master.post(f"/api{game}/process", json={"phase_number": 1})
    why = {"reason": "It was written so."}
    readings = [{"power": "France", "order": GIVEN, "read": READ}]
    done = master.post(f"/api{game}/rulings/again", json={"phase_number": 2, "readings": readings, **why}).json()
    assert done["view"]["last"]["orders"]["France"] == [READ]
    units = {"units": {"France": ["A PAR", "F MID"], "Turkey": []}}
    done = master.post(f"/api{game}/rulings/position", json={"phase_number": 3, "position": units, **why}).json()
    assert {unit["text"] for unit in done["view"]["position"]["units"]} == {"A PAR", "F MID"}
    done = master.post(f"/api{game}/rulings/back", json={"phase_number": 4, "turns": 0, **why}).json()
    assert done["view"]["turn"] == 0
    assert player.post(f"/api{game}/rulings/back", json={"phase_number": 5, "turns": 0, **why}).status_code == 403


def test_a_replacement_reads_no_earlier_questions(service: GameService) -> None:
    master, player, other = Browser(service), Browser(service), Browser(service)
    game = begun(master, player)
    where = {"phase_number": 1, "seat": "France"}
    player.put(f"/api{game}/orders", json={**where, "orders": [GIVEN]})
    player.post(f"/api{game}/questions", json={**where, "order": GIVEN, "text": "Narnia?"})
    offered = master.post(f"{game}/gm-tools/seat", data={"power": "France", "act": "offer"}).text
    other.get(link_in(offered.replace('id="offer" readonly', 'id="link" readonly')))
    other.post(f"{game}/join", data={"name": "Dora"})
    assert other.get(f"/api{game}").json()["viewer"]["seat"] == "France"
    assert "Narnia" not in other.get(f"{game}/questions").text + other.get(f"/api{game}/questions").text
