"""Votes at the table: moved, cast, taken back and decided, by touch, by mouse and by keys."""

from playwright.sync_api import Page, expect

from browser.axe import faults_beside_the_map as faults
from browser.conftest import DESK


def test_a_vote_is_moved_cast_and_decided_by_touch_by_mouse_and_by_keys(phones: dict[str, Page]) -> None:
    france, germany, england = phones.values()
    england.set_viewport_size(DESK)
    france.get_by_role("tab", name="Votes").tap()
    expect(france.get_by_text("No open votes.")).to_be_visible()
    assert faults(france) == []
    france.get_by_role("button", name="End the game in a draw").tap()
    france.get_by_role("button", name="Propose", exact=True).tap()
    expect(france.get_by_text("Needs every vote. 1 of 7 in favour.")).to_be_visible()
    assert faults(france) == []
    tab = germany.get_by_role("tab", name="Votes")
    expect(tab).to_contain_text("1 motion without your vote")  # without asking for the page again
    germany.keyboard.press("7")
    against = germany.get_by_role("button", name="Against: A draw of all surviving powers")
    against.focus()
    germany.keyboard.press("Enter")
    expect(germany.get_by_text("Click again to withdraw.")).to_be_visible()
    expect(tab).not_to_contain_text("without your vote")
    against.press("Enter")
    expect(germany.get_by_text("You have not voted.")).to_be_visible()
    england.get_by_role("button", name="Vote on: A draw of all surviving powers").click()  # beside the map
    england.get_by_role("button", name="For: A draw of all surviving powers").click()
    expect(france.get_by_text("2 of 7 in favour.")).to_be_visible()
    assert faults(england) == []
    france.get_by_role("button", name="Go back one turn").wait_for(state="detached")  # there is none yet
    france.get_by_role("button", name="Abandon the game").tap()
    france.get_by_role("button", name="Propose", exact=True).tap()
    germany.get_by_role("button", name="For: Abandon the game").tap()
    expect(england.get_by_text("Abandon the game: passed")).to_be_visible()
    assert faults(england) == []
