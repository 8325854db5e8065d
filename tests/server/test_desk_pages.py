"""The page of the GM tools: it works without script, and keeps secrets from the host."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from plenipo.server.service import GameService
from server.test_people_pages import Browser, hosted, link_in

UNREVEALED = ("A PAR - BUR", "A PAR - PIC")


@pytest.fixture
def master(service: GameService) -> Browser:
    return Browser(service)


@pytest.fixture
def player(service: GameService) -> Browser:
    return Browser(service)


def begun(
    master: Browser, player: Browser, you: str = "rule", variant: str = "standard", schedule: str = "Weekdays"
) -> str:
    """A game that Anna runs and in which Ben plays France; computers play the others."""
    game = hosted(master, "Anna", you=you, schedule=schedule, variant=variant)
    player.get(link_in(master.get(game).text))
    player.post(f"{game}/join", data={"name": "Ben", "power": "France"})
    master.post(f"{game}/start")
    return game


def order(player: Browser, game: str, text: str, number: int = 1) -> None:
    body = {"phase_number": number, "seat": "France", "orders": [text]}
    assert player.put(f"/api{game}/orders", json=body).status_code == 200


def entry_in(page: str) -> str:
    found = re.search(r'name="entry" value="(\d+)"', page)
    assert found
    return found[1]


def test_a_game_master_views_orders_once_and_the_game_log_shows_it(master: Browser, player: Browser) -> None:
    game = begun(master, player)
    order(player, game, UNREVEALED[0])
    page = master.get(f"{game}/gm-tools").text
    assert UNREVEALED[0] not in page
    number = entry_in(page)
    assert f"Adds entry {number} to the game log" in page
    body = {"power": "France", "phase_number": "1", "entry": number}
    assert UNREVEALED[0] in master.post(f"{game}/gm-tools/open", data=body).text
    assert UNREVEALED[0] not in master.get(f"{game}/gm-tools").text
    assert master.post(f"{game}/gm-tools/open", data=body).status_code == 409, "that entry was made"
    told = player.get(f"/api{game}/journal").json()["entries"]
    assert told[int(number) - 1]["sentence"] == "The game master looked into the orders of France."


def test_the_orders_of_a_seat_are_one_click_away(master: Browser, player: Browser) -> None:
    """The button stands in the row of the seat, behind nothing that has to be unfolded first."""
    game = begun(master, player)
    assert "Open the orders" not in master.get(f"{game}/gm-tools").text, "there are none yet"
    order(player, game, UNREVEALED[0])
    page = master.get(f"{game}/gm-tools").text
    button = page.index('aria-label="Open the orders of France"')
    assert page.count("<details", 0, button) == page.count("</details>", 0, button)
    assert page.index("all players can see that you looked", page.index('id="seats-title"')) < button


@pytest.mark.parametrize("you", ["keep", "rule"])
def test_the_gm_tools_say_the_same_whatever_was_ordered(service: GameService, you: str) -> None:
    pages = []
    for text in UNREVEALED:
        master, player = Browser(service), Browser(service)
        game = begun(master, player, you)
        order(player, game, text)
        page = master.get(f"{game}/gm-tools").text + "".join(
            browser.get(f"/api{game}/{what}").text
            for what in ("journal", "rulings")
            for browser in (master, Browser(service))
        )
        plain = re.sub(r'"(hash|at)": ?"[^"]*"|[0-9a-f]{64}', "", page.replace(game, "GAME"))
        pages.append(re.sub(r"<time.*?</time>|<b>\d+ [dhm].*?</b>", "", plain))
        assert text not in page
    assert pages[0] == pages[1]


def test_only_the_host_has_gm_tools(master: Browser, player: Browser, service: GameService) -> None:
    game = begun(master, player, "keep")
    assert player.get(f"{game}/gm-tools").status_code == 403
    assert Browser(service).get(f"{game}/gm-tools").status_code == 401
    page = master.get(f"{game}/gm-tools").text
    assert "Open the orders" not in page
    assert "Rulings" not in page
    for path, data in (("open", {"power": "France", "entry": "2"}), ("back", {"turn": "0", "reason": "No."})):
        answer = master.post(f"{game}/gm-tools/{path}", data={**data, "phase_number": "1"})
        assert (answer.status_code, "this game has none" in answer.text) == (403, True)


def test_rulings_by_form(master: Browser, player: Browser) -> None:
    game = begun(master, player)
    order(player, game, "A PAR - BUR")
    master.post(f"{game}/gm-tools/process", data={"phase_number": "1", "reason": "All are here."})
    page = master.get(f"{game}/gm-tools").text
    assert "The game master processed Spring 1901 movement before it was due. The reason: All are here." in page
    data = {"phase_number": "2", "order": "France|A PAR - BUR", "read": "A PAR - PIC", "reason": "He wrote Picardy."}
    page = master.post(f"{game}/gm-tools/again", data=data).text
    assert "adjudicated again" in page
    assert "He wrote Picardy." in page
    assert "A PIC" in page
    edit = {
        name: value
        for name, value in re.findall(r'name="((?:units|centres) [^"]+)" value="([^"]*)"', page)
        if name != "units Austria"
    }
    data = {**edit, "phase_number": "3", "reason": "Austria was drowned.", "withheld": "yes"}
    page = master.post(f"{game}/gm-tools/edit", data=data).text
    assert "was edited" in page
    assert "Austria was drowned." not in page
    assert "The reason is published after the game." in page
    wrong = master.post(f"{game}/gm-tools/edit", data={**data, "phase_number": "4", "units France": "A NTH"})
    assert wrong.status_code == 422
    assert "NTH" in wrong.text
    page = master.post(f"{game}/gm-tools/back", data={"phase_number": "4", "turn": "0", "reason": "Again."}).text
    assert "back to Spring 1901 movement; 1 turn undone" in page
    assert player.get(f"/api{game}").json()["order_sets"]["France"]["orders"], "they came back as drafts"
    ruled = player.get(f"/api{game}/rulings").json()["rulings"]
    assert [(one["kind"], one["reason"]) for one in ruled] == [
        ("back", "He wrote Picardy."),
        ("read as", "He wrote Picardy."),
        ("edited", None),
        ("back", "Again."),
    ]
    assert [turn["orders"]["France"] for turn in ruled[0]["undone"]] == [["A PAR - BUR"]]
    assert [turn["orders"]["France"] for turn in ruled[3]["undone"]] == [["A PAR - PIC"]]
    assert "Undone: Spring 1901 movement" in master.get(f"{game}/gm-tools").text
    assert "[" not in "".join(entry["sentence"] for entry in player.get(f"/api{game}/journal").json()["entries"])


def test_time_reminders_and_seats_by_form(master: Browser, player: Browser, service: GameService) -> None:
    game = begun(master, player, "keep")
    phase = {"phase_number": "1"}
    assert "paused" in master.post(f"{game}/gm-tools/time", data={**phase, "act": "pause"}).text
    assert "Resume" not in master.post(f"{game}/gm-tools/time", data={**phase, "act": "resume"}).text
    before = player.get(f"/api{game}").json()["time"]["due"]
    master.post(f"{game}/gm-tools/time", data={**phase, "act": "extend", "by": "24h"})
    assert player.get(f"/api{game}").json()["time"]["due"] > before
    assert "The host reminded" in master.post(f"{game}/gm-tools/remind", data=phase).text
    assert master.post(f"{game}/gm-tools/time", data={**phase, "act": "hurry"}).status_code == 422
    offered = master.post(f"{game}/gm-tools/seat", data={"power": "France", "act": "offer"}).text
    assert "Anyone with this link can take over" in offered
    other = Browser(service)
    other.get(link_in(offered.replace('id="offer" readonly', 'id="link" readonly')))
    other.post(f"{game}/join", data={"name": "Dora"})
    assert "Dora" in master.get(f"{game}/gm-tools").text
    assert "is vacant" in master.post(f"{game}/gm-tools/seat", data={"power": "France", "act": "remove"}).text
    assert (
        "A computer plays France"
        in master.post(f"{game}/gm-tools/seat", data={"power": "France", "act": "computer"}).text
    )


@pytest.mark.parametrize(
    ("schedule", "words", "longest"),
    [
        ("Live", ["Extend by 2 minutes", "Extend by 10 minutes"], "10m"),
        ("Weekdays", ["Extend by an hour", "Extend by a day"], "24h"),
    ],
)
def test_extensions_suit_the_pace_of_the_game(
    master: Browser, player: Browser, schedule: str, words: list[str], longest: str
) -> None:
    game = begun(master, player, "keep", schedule=schedule)
    page = master.get(f"{game}/gm-tools").text
    assert re.findall(r"<button[^>]*>(Extend by [^<]+)<", page) == words
    assert f'name="by" value="{longest}"' in page
    data = {"phase_number": "1", "act": "extend", "by": longest}
    assert master.post(f"{game}/gm-tools/time", data=data).status_code == 200


def test_a_deadline_is_set_in_the_zone_that_the_form_names(master: Browser, player: Browser) -> None:
    game = begun(master, player, "rule")
    page = master.get(f"{game}/gm-tools").text
    assert 'type="datetime-local"' in page
    day = (datetime.now(UTC) + timedelta(days=3)).date()
    body = {"phase_number": "1", "act": "set", "until": f"{day}T20:15", "zone": "Asia/Kolkata"}
    assert master.post(f"{game}/gm-tools/time", data=body).status_code == 200
    assert player.get(f"/api{game}").json()["time"]["due"] == f"{day}T14:45:00Z"
    for until, sentence in (("tomorrow", "is not a date and time"), ("", "Name the date and time")):
        refused = master.post(f"{game}/gm-tools/time", data={**body, "until": until})
        assert (refused.status_code in (409, 422), sentence in refused.text) == (True, True)


def test_an_announcement_reaches_all_players_once_and_is_listed(master: Browser, player: Browser) -> None:
    game = begun(master, player, "rule")
    assert 'name="sent" value="0"' in master.get(f"{game}/gm-tools").text
    for _ in range(2):
        page = master.post(f"{game}/gm-tools/announce", data={"text": "A break until Monday.", "sent": "0"}).text
    assert "Sent (1)" in page
    assert 'name="sent" value="1"' in page
    assert "A break until Monday." in page
    thread = player.get(f"/api{game}/press/thread?seat=everyone").json()
    assert [(one["seat"], one["text"]) for one in thread["messages"]] == [("GM", "A break until Monday.")]
    assert player.post(f"{game}/gm-tools/announce", data={"text": "I am the master."}).status_code == 403


def test_the_page_shows_the_map_the_colours_and_the_announcements(master: Browser, player: Browser) -> None:
    game = begun(master, player, "rule")
    page = master.get(f"{game}/gm-tools").text
    assert f'src="{game}/picture.svg?seat=observer' in page
    assert 'class="ground p-france"' in page
    assert master.get(f"{game}/picture.svg?seat=observer&orders=0&legend=0").status_code == 200
    assert "Please submit your orders for Spring 1901 movement by" in page


def test_a_player_is_removed_only_after_a_question(master: Browser, player: Browser) -> None:
    game = begun(master, player, "keep")
    page = master.get(f"{game}/gm-tools").text
    assert "Ben loses the seat at once and is notified. Only a new offer of the seat gives it back." in page
    assert "Reason (optional; public in the game log)" in page
    removal = {"power": "France", "act": "remove", "reason": "No word for a week."}
    sentence = "The host took the seat of France from Ben; France is vacant. The reason: No word for a week."
    assert sentence in master.post(f"{game}/gm-tools/seat", data=removal).text
    assert player.get(f"/api{game}").json()["viewer"]["former"]["sentence"]["text"] == sentence


def test_a_program_gives_the_reason_of_a_removal(master: Browser, player: Browser) -> None:
    game = begun(master, player, "keep")
    removal = {"power": "France", "act": "remove", "reason": "No word for a week."}
    assert master.post(f"/api{game}/seats", json=removal).status_code == 200
    assert player.get(f"/api{game}/journal").json()["entries"][-1]["sentence"].endswith("No word for a week.")
    assert master.post(f"/api{game}/seats", json={**removal, "reason": "x" * 1001}).status_code == 422


def test_a_host_with_a_seat_ends_no_phase_early(master: Browser, player: Browser) -> None:
    game = begun(master, player, "play")
    answer = master.post(f"{game}/gm-tools/process", data={"phase_number": "1", "reason": "I am in a hurry."})
    assert (answer.status_code, "cannot end a phase early" in answer.text) == (403, True)
