"""Records, links and pictures: out of the browser and in again; what is broken is told and loses nothing."""

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from browser.hands import Table

NAME = "<img src=x onerror=\"document.title='caught'\"><script>document.title='caught'</script>"


def _upload(page: Page, file: Path) -> None:
    page.goto("/")
    page.get_by_role("link", name="Open a game").click()
    page.get_by_label("Or choose a file").set_input_files(file)
    page.get_by_role("button", name="Open", exact=True).click()


def test_a_record_is_saved_and_loaded_and_a_broken_one_is_reported(page: Page, tmp_path: Path) -> None:
    table = Table.open(page).give({"France": ["A PAR - BUR"]}).judge().again()
    page.get_by_role("tab", name="Game").click()
    with page.expect_download() as told:
        page.get_by_role("link", name="Record").click()
    file = tmp_path / "game.json"
    told.value.save_as(file)
    record = json.loads(file.read_text(encoding="utf-8"))
    first = table.id
    _upload(page, file)
    page.get_by_role("link", name="Look at it and play on from here").click()
    table.arrived()
    assert table.id != first
    expect(table.phase).to_contain_text("Fall 1901")
    expect(page.locator("svg.the-map .unit[data-space=BUR]")).to_have_count(1)

    text = json.dumps(record).replace("A PAR - BUR", "A PAR - PIC")
    assert text != json.dumps(record)
    file.write_text(text, encoding="utf-8")
    _upload(page, file)
    expect(page.locator("#open-fault")).not_to_be_empty()
    expect(page).to_have_url("/open")
    file.write_text("this is no record", encoding="utf-8")
    page.get_by_label("Or choose a file").set_input_files(file)
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("#open-fault")).not_to_be_empty()


def test_a_position_is_shared_as_a_link_and_played_on(page: Page) -> None:
    table = Table.open(page).give({"France": ["A PAR - BUR"]}).judge().again()
    page.get_by_role("tab", name="Game").click()
    page.get_by_role("button", name="Link").click()
    link = page.get_by_label("Anyone with this link can see the position").input_value()
    page.goto(link)
    expect(page.locator(".board-power", has_text="France")).to_contain_text("Army Burgundy")
    expect(page.locator("svg.the-map .unit[data-space=BUR]")).to_have_count(1)
    size = page.viewport_size
    assert size is not None
    for width in (1024, size["width"]):
        page.set_viewport_size({"width": width, "height": 760})
        box = page.locator("#map").bounding_box()
        assert box is not None
        assert box["height"] > 600, "the map has the whole height"
        assert box["width"] > 0.5 * width, "the list is beside it"
    page.get_by_role("button", name="Play from this position").click()
    table.arrived()
    expect(table.phase).to_contain_text("Fall 1901")


def test_any_moment_is_saved_as_a_picture(page: Page) -> None:
    Table.open(page).give({"France": ["A PAR - BUR"]}).judge().again()
    page.get_by_role("slider", name="Turn").focus()
    page.keyboard.press("Home")
    expect(page.get_by_role("button", name="Orders", exact=True)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("tab", name="Game").click()
    with page.expect_download() as told:
        page.get_by_role("link", name="SVG").click()
    assert "A PAR - BUR" in told.value.path().read_text(encoding="utf-8")
    with page.expect_download() as told:
        page.get_by_role("button", name="PNG").click()
    assert told.value.path().read_bytes().startswith(b"\x89PNG")


def test_script_in_a_name_is_text(page: Page) -> None:
    table = Table.open(page, name=NAME)
    expect(page.locator(".game-name b")).to_have_text(NAME)
    table.process()
    page.get_by_role("tab", name="Board").click()
    page.goto("/")
    expect(page.locator("#resume")).to_contain_text(NAME)
    assert page.title() != "caught"
    assert page.locator("#resume img").count() == 0


def test_what_there_is_not_has_a_page_of_one_sentence(page: Page) -> None:
    answer = page.goto("/games/nothere")
    assert answer
    assert answer.status == 404
    expect(page.locator("main p")).to_contain_text("nothere")
    expect(page.get_by_role("main").get_by_role("link", name="Home", exact=True)).to_be_visible()


def test_a_picture_that_stands_alone_is_set_in_its_own_face(page: Page, site: str) -> None:
    page.goto(f"{site}/variants/standard/picture.svg")
    faces = page.evaluate("async () => { await document.fonts.ready; return [...document.fonts].map(f => f.status) }")
    assert faces == ["loaded", "loaded"]


ELSEWHERE = """PHASE 1901 Spring Movement
POSITIONS
France: army par
France: supply par
ORDERS
par move bur
PHASE 1901 Fall Movement
POSITIONS
France: army bur
France: supply par
ORDERS
"""


def test_a_game_from_elsewhere_is_pasted_or_chosen_described_and_played_on(page: Page, tmp_path: Path) -> None:
    page.goto("/open")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("#open-fault")).to_have_text("Paste a game or choose a file first.")
    page.get_by_label("Paste the game").fill("no game")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("#open-fault")).to_contain_text("not a game in a format that is known here")
    expect(page.get_by_label("Paste the game")).to_have_value("no game")
    page.get_by_label("Paste the game").fill("")
    file = tmp_path / "game.txt"
    file.write_text(ELSEWHERE, encoding="utf-8")
    page.get_by_label("Or choose a file").set_input_files(file)
    page.get_by_role("button", name="Open", exact=True).click()
    told = page.locator("#opened")
    expect(told).to_contain_text("This is a game of droidippy: 1 phase, 0 messages.")
    expect(told).to_contain_text("Such a file does not contain: results, messages")
    page.get_by_role("link", name="Look at it and play on from here").click()
    expect(page.locator("svg.the-map .unit[data-space=BUR]")).to_have_count(1)
