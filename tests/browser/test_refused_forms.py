"""A form that the server refuses is shown again: what was typed, the field marked, the message beside it."""

import re
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.axe import faults
from browser.conftest import PHONE, post
from browser.every_page import SPOTS, World, open_window, start_server
from browser.hands import open_context
from browser.wrong_forms import Answer, fill_wrongly

_HOST = "/variants/standard/host"
WRONG = {
    "name": ("Germany", "is reserved"),
    "end-year": ("1", "1"),
    "extensions": ("99", "extensions"),
    "vacant-after": ("99", "vacant_after"),
    "hour": ("25:99", "is not an hour of the week"),
    "zone": ("Mars/Olympus", "is not a time zone"),
}
"""The fields of the form for a new game, each with a wrong value and a part of the message."""

_SET = """([name, value]) => {
  const field = document.querySelector(`#new-game [name="${name}"]`);
  if (field.type === 'time' || field.type === 'number') field.type = 'text';
  field.value = value;
  document.querySelector('[name=schedule][value="by hand"]').checked = true;
  document.getElementById('new-game').noValidate = true;
}"""


@pytest.mark.parametrize("name", WRONG)
def test_a_refused_game_is_shown_again_with_all_that_was_typed(page: Page, name: str) -> None:
    value, message = WRONG[name]
    page.goto(_HOST)
    page.locator("#your-name").fill("Anna")
    page.evaluate("() => { document.getElementById('game-title').value = 'Quai Voltaire'; }")
    page.evaluate(_SET, [name, value])
    page.evaluate("() => document.getElementById('new-game').requestSubmit()")
    fault = page.locator("#new-game #refused")
    expect(fault).to_contain_text(message)
    expect(page).to_have_url(re.compile(re.escape(_HOST) + "$"))
    expect(page.locator("#game-title")).to_have_value("Quai Voltaire")
    assert page.locator("#your-name").input_value() == (value if name == "name" else "Anna")
    assert page.locator('[name=schedule][value="by hand"]').is_checked()
    if name == "name":
        expect(page.locator("#your-name")).to_have_attribute("aria-invalid", "true")


def test_a_host_who_closes_the_browser_half_way_finds_what_was_typed(browser: Browser, site: str) -> None:
    context = open_context(browser, base_url=site, viewport=PHONE)
    page = context.new_page()
    page.goto(_HOST)
    expect(page.locator("#restored")).to_be_hidden()
    page.get_by_label("Your name").fill("Anna")
    page.locator("#card-players summary").first.click()
    page.get_by_label("Game name").fill("Quai Voltaire")
    page.locator('[name=you][value="keep"]').check()
    page.close()
    page = context.new_page()
    page.goto(_HOST)
    expect(page.locator("#restored")).to_be_visible()
    expect(page.get_by_label("Your name")).to_have_value("Anna")
    expect(page.locator("#game-title")).to_have_value("Quai Voltaire")
    expect(page.locator('[name=you][value="keep"]')).to_be_checked()
    expect(page.locator("#card-players .host-line")).to_contain_text("Host without playing")
    assert faults(page) == []
    page.get_by_role("button", name="Start over").click()
    expect(page.locator("#restored")).to_be_hidden()
    expect(page.locator("#game-title")).to_have_value("")
    page.reload()
    expect(page.locator("#restored")).to_be_hidden()
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Create").click()
    expect(page).to_have_url(re.compile("/games/"))
    page.goto(_HOST)
    expect(page.locator("#restored")).to_be_hidden()
    context.close()


def test_a_guest_whose_name_is_taken_keeps_the_invitation(browser: Browser, site: str) -> None:
    game = post(site, "/api/games", {"variant": "standard", "lobby": True, "schedule": "Own pace"})
    for who, refused in (("Anna", False), ("Anna", True)):
        context = open_context(browser, base_url=site, viewport=PHONE)
        guest = context.new_page()
        guest.goto(game["invitation"])
        guest.get_by_label("Your name").fill(who)
        guest.get_by_role("button", name="Join").click()
        if refused:
            expect(guest.locator("#refused")).to_contain_text("Anna")
            expect(guest.get_by_label("Your name")).to_have_value("Anna")
            guest.get_by_label("Your name").fill("Ben")
            guest.get_by_role("button", name="Join").click()
        expect(guest.get_by_text("You have joined this game")).to_be_visible()
        context.close()


def test_every_form_of_some_pages_is_shown_again_with_what_was_typed(browser: Browser, tmp_path: Path) -> None:
    """A share of `scripts/wrong_forms.py`: pages that answer a form with themselves, and one that is led back to."""
    wanted = [spot for spot in SPOTS if spot.name in ("account", "sign-in", "lobby-join")]
    with (
        start_server(tmp_path) as site,
        closing(World(site, tmp_path)) as world,
        open_window(browser, world, "en", 1366, 768) as opened,
    ):
        attempts = list(fill_wrongly(opened, wanted))
    assert len(attempts) > 10
    assert [attempt for attempt in attempts if attempt.is_faulty] == []
    assert {("account", "/me/name"), ("sign-in", "/sign-in/words")} <= {
        (attempt.spot, attempt.action) for attempt in attempts if attempt.answer is Answer.SHOWN_AGAIN
    }


def test_a_form_that_is_accepted_is_forgotten_with_the_next_page(page: Page) -> None:
    page.goto("/learn")
    with page.expect_navigation():
        page.evaluate("() => document.querySelector('form.languages').requestSubmit()")
    page.wait_for_load_state()
    assert page.evaluate("() => sessionStorage.getItem('plenipo.form')") is None
