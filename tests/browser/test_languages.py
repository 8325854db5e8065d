"""Pages in another language than English."""

from playwright.sync_api import Page, Route, expect

from browser.hands import Table


def test_a_page_stays_in_english_when_its_catalogue_cannot_be_loaded(page: Page, site: str) -> None:
    asked = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=503, json={"error": "busy"})

    page.context.add_cookies([{"name": "language", "value": "de", "url": site}])
    page.route("**/languages/de.json", refuse)
    Table.open(page, seat="France")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("button", name="Hint")).to_be_visible()
    assert asked
