"""Messages at the table: written, read, kept as drafts, to one, to several and to everyone; on phones."""

from playwright.sync_api import Page, expect

from browser import axe
from browser.axe import faults_beside_the_map as faults
from browser.hands import wait_for_table


def press(page: Page) -> None:
    page.get_by_role("tab", name="Press").click()


def test_a_message_arrives_at_once_at_its_recipient_only(phones: dict[str, Page]) -> None:
    france, germany, england = phones.values()
    press(france)
    assert faults(france) == []
    france.get_by_role("button", name="Germany Ben").tap()
    expect(france.get_by_text("Only Germany (Ben) and you read this.")).to_be_visible()
    expect(france.locator("#message-note")).to_contain_text("All messages are opened to the players after the game.")
    france.locator("#message").fill("Leave **Munich** alone <script>")
    assert faults(france) == []
    france.get_by_role("button", name="Send").tap()
    expect(france.locator(".message.mine")).to_contain_text("Leave Munich alone <script>")
    expect(france.locator("#message")).to_have_value("")
    tab = germany.get_by_role("tab", name="Press")
    expect(tab).to_contain_text("1")  # without asking for the page again
    press(germany)
    germany.get_by_role("button", name="France").first.tap()
    expect(germany.locator(".message")).to_contain_text("Leave Munich alone")
    expect(tab).not_to_contain_text("1")
    germany.locator("#message").fill("And Burgundy?")
    germany.locator("#message").press("Control+Enter")
    expect(france.locator(".message")).to_have_count(2)
    assert faults(france) == []
    press(england)
    expect(england.get_by_text("No messages yet.")).to_be_visible()


def test_a_draft_stays_on_the_device_and_everyone_needs_a_second_press(phones: dict[str, Page]) -> None:
    france, germany, _ = phones.values()
    press(france)
    france.get_by_role("button", name="Everyone").tap()
    france.locator("#message").fill("Good evening")
    france.reload()
    wait_for_table(france)
    press(france)
    france.get_by_role("button", name="Everyone").tap()
    expect(france.locator("#message")).to_have_value("Good evening")
    france.get_by_role("button", name="Send").tap()
    expect(france.get_by_text("Click again to send.")).to_be_visible()
    expect(france.locator(".message")).to_have_count(0)
    assert faults(france) == []
    france.get_by_role("button", name="Send to everyone").tap()
    expect(france.locator(".message.mine")).to_contain_text("Good evening")
    press(germany)
    expect(germany.get_by_text("France: Good evening")).to_be_visible()


def test_what_is_not_sent_is_kept_and_sent_again(phones: dict[str, Page]) -> None:
    france, germany, _ = phones.values()
    press(france)
    france.get_by_role("button", name="Group", exact=True).tap()
    france.get_by_role("button", name="Germany Ben").tap()
    france.get_by_role("button", name="England Cleo").tap()
    france.get_by_role("button", name="Write", exact=True).tap()
    france.context.set_offline(True)
    france.locator("#message").fill("Northern treaty")
    france.get_by_role("button", name="Send").tap()
    expect(france.get_by_text("Not sent.")).to_be_visible()
    france.context.set_offline(False)
    france.get_by_role("button", name="Send again").tap()
    expect(france.locator(".message.mine")).to_have_count(1)
    press(germany)
    expect(germany.get_by_text("Northern treaty")).to_be_visible()


def test_a_proposal_is_drawn_taken_into_orders_and_taken_back(phones: dict[str, Page]) -> None:
    france, germany, _ = phones.values()
    press(germany)
    germany.get_by_role("button", name="France Anna").tap()
    germany.get_by_role("button", name="Propose orders").tap()
    germany.locator("#proposal").fill("A MUN - RUH\nA PAR - BUR")
    assert faults(germany) == []
    germany.get_by_role("button", name="Send").tap()
    expect(germany.locator(".proposal")).to_contain_text("A MUN \N{EN DASH} RUH")
    press(france)
    france.get_by_role("button", name="Germany").first.tap()
    france.get_by_role("button", name="Show on map").tap()
    pill = france.get_by_role("button", name="Proposal by Germany, drawn dashed")
    expect(pill).to_be_visible()
    expect(france.locator("svg.the-map.proposing .order")).to_have_count(2)
    assert axe.faults(france) == []
    pill.tap()
    expect(france.locator("svg.the-map.proposing")).to_have_count(0)
    france.get_by_role("button", name="Use my orders").tap()
    expect(france.get_by_text("Added to your orders")).to_be_visible()
    france.get_by_role("tab", name="Orders").tap()
    expect(france.get_by_text("1 of 3 ordered", exact=True)).to_be_visible()
    press(france)
    france.get_by_role("button", name="Undo", exact=True).tap()
    france.get_by_role("tab", name="Orders").tap()
    expect(france.get_by_text("0 of 3 ordered", exact=True)).to_be_visible()


NEWEST_IN_VIEW = """() => {
  const pane = document.getElementById('pane').getBoundingClientRect();
  const last = [...document.querySelectorAll('.message')].at(-1)?.getBoundingClientRect();
  return Boolean(last) && last.bottom <= pane.bottom + 1 && last.bottom > pane.top;
}"""


def test_a_thread_opens_at_its_newest_message_and_follows_new_ones(phones: dict[str, Page]) -> None:
    france, germany, _ = phones.values()
    address = france.url.partition("?")[0].rstrip("/").replace("/games/", "/api/games/") + "/press"

    def write(number: int) -> None:
        body = {"seat": "France", "to": ["Germany"], "text": f"Message {number}. " + "We agree on it. " * 9}
        assert france.request.post(address, data=body).ok

    for number in range(30):
        write(number)
    press(germany)
    germany.get_by_role("button", name="France").first.tap()
    expect(germany.locator(".message")).to_have_count(30)
    germany.wait_for_function(NEWEST_IN_VIEW)
    germany.get_by_role("tab", name="Orders").click()
    press(germany)
    germany.wait_for_function(NEWEST_IN_VIEW)
    write(30)
    expect(germany.locator(".message")).to_have_count(31)
    germany.wait_for_function(NEWEST_IN_VIEW)
    germany.locator("#pane").evaluate("pane => { pane.scrollTop = 0; }")
    write(31)
    expect(germany.locator(".message")).to_have_count(32)
    assert germany.locator("#pane").evaluate("pane => pane.scrollTop") == 0, "one who reads old messages stays there"
