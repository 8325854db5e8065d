"""What a page asks for when it is opened for the first time."""

from playwright.sync_api import Browser, expect


def test_a_game_asks_for_nothing_twice_and_is_small(browser: Browser, site: str) -> None:
    with browser.new_context(base_url=site) as context:
        page = context.new_page()
        page.goto("/")
        asked: dict[str, str] = {}
        sizes: dict[str, float] = {}
        network = context.new_cdp_session(page)
        network.send("Network.enable")
        starts, ends = "Network.requestWillBeSent", "Network.loadingFinished"
        network.on(starts, lambda event: asked.update({event["requestId"]: event["request"]["url"]}))
        network.on(ends, lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
        page.locator("form.card-text button[type=submit]").first.click()
        expect(page.locator("#m-layer-units")).to_be_attached()
        expect(page.locator(".order-row").first).to_be_visible()
        page.wait_for_load_state("load")
        assert sum(sizes.values()) < 250 * 1024
        assert not [url for url in asked.values() if "picture.svg" in url]
        files = [url for url in asked.values() if not url.endswith("icon.svg")]
        assert len(set(files)) == len(files)
