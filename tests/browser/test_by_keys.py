"""A game from the invitation to its end with the keys alone; the focus is seen at each step, and never lost."""

from playwright.sync_api import Locator, Page, expect

from browser.conftest import DESK, NewWindow, post
from browser.hands import printed, wait_for_table

IS_SEEN = """one => {
  const drawn = (element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
  };
  return one.matches(':focus-visible') && (drawn(one) || drawn(one.closest('label') ?? one));
}"""

MOST_TABS = 90


def expect_focus(page: Page) -> None:
    """Expect that the focus is on something after what was done."""
    page.wait_for_function("() => !('busy' in document.body.dataset)")
    assert page.evaluate("document.activeElement !== document.body")


def walk_to(page: Page, target: Locator) -> None:
    """Press the tab key until an element has the focus, and see that it shows it."""
    expect(target).to_be_visible()
    for _ in range(MOST_TABS):
        if target.evaluate("one => one === document.activeElement"):
            break
        page.keyboard.press("Tab")
    assert target.evaluate("one => one === document.activeElement"), "the tab key does not lead there"
    assert target.evaluate(IS_SEEN), target.evaluate("one => one.outerHTML")


def test_a_game_is_joined_ordered_drawn_by_vote_and_ended_by_keys_alone(window: NewWindow, site: str) -> None:
    game = post(site, "/api/games", {"variant": "france-austria", "lobby": True})
    at, invitation = f"/games/{game['id']}", game["invitation"].rpartition("/")[2]
    key = post(site, f"/api{at}/join", {"name": "Ben"}, invitation)["key"]
    page, ben = window(viewport=DESK), window(viewport=DESK)
    page.goto(game["invitation"])
    walk_to(page, page.get_by_label("Your name"))
    page.keyboard.type("Cleo")
    walk_to(page, page.get_by_role("button", name="Join"))
    page.keyboard.press("Enter")
    wait_for_table(page)  # the last seat is taken, and the game begins
    reached = page.locator("#ask-reach")
    expect(reached).to_be_visible()
    unit = page.locator(".order-row .order-button").first
    walk_to(page, unit)
    page.keyboard.press("Enter")
    expect_focus(page)
    walk_to(page, page.locator("[data-kind=hold]"))
    page.keyboard.press("Enter")
    expect_focus(page)
    expect(page.locator(".order-row .order-text").first).to_contain_text(printed(" H"))
    walk_to(page, page.get_by_role("tab", name="Orders"))
    while not page.get_by_role("tab", name="Votes").evaluate("one => one === document.activeElement"):
        page.keyboard.press("ArrowRight")
    walk_to(page, page.get_by_role("button", name="End the game in a draw"))
    page.keyboard.press("Enter")
    expect_focus(page)
    walk_to(page, page.get_by_role("button", name="Propose", exact=True))
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of 2 in favour.")).to_be_visible()
    expect_focus(page)
    ben.goto(f"{at}/sit/{key}")
    wait_for_table(ben)
    ben.get_by_role("button", name="Vote on: A draw of all surviving powers").click()
    ben.get_by_role("button", name="For: A draw of all surviving powers").click()
    for one in (page, ben):
        expect(one.get_by_role("heading", name="The game is over")).to_be_visible()
    expect(reached).to_be_hidden()  # there is no deadline any more
    expect_focus(page)
    walk_to(page, page.get_by_role("button", name="Rematch"))
