"""The requests of the first load of a game and of the first page, and the time they take on a slow machine.

Run it by hand beside a running server: `PYTHONPATH=tests python tests/browser/first_load.py http://127.0.0.1:8021`.
"""

import sys
from dataclasses import dataclass
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from browser.hands import UNHINTED, Table, chromium, open_context

SLOWER = 4
"""The factor by which the browser is slowed down."""

LOADS = 3

VARIANTS = ("standard", "1897", "corner", "napoleonic", "cline", "irish")

SLOW_3G = {"offline": False, "latency": 2000, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
"""The connection that Chromium's tools call slow 3G: milliseconds to an answer, and bytes a second."""

DESK = (1440, 900)

WHEN_READY = """new MutationObserver(() => {
  if (document.body?.dataset.ready) window.readyAt ??= performance.now();
}).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-ready'] })"""


TIMES = """() => [
  performance.getEntriesByName('first-contentful-paint')[0].startTime,
  performance.getEntriesByType('navigation')[0].loadEventEnd,
  Math.max(...performance.getEntriesByType('resource').map((one) => one.responseEnd)),
].map((time) => time / 1000)"""


@dataclass(frozen=True)
class FirstLoad:
    """The bytes received, with headers, and every address requested, in order.

    Until the page accepts orders: `ready` in seconds of wall time, `work` in seconds of processor time.
    """

    received: int
    addresses: tuple[str, ...]
    ready: float
    work: float


def first_load(browser: Browser, site: str, variant: str, slower: float = 1) -> FirstLoad:
    """Open a new game in a browser that has never been here, `slower` times slower than it could be."""
    with open_context(browser, base_url=site) as context:
        page = context.new_page()
        page.add_init_script(WHEN_READY)
        addresses: list[str] = []
        sizes: list[float] = []
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        session.on("Network.requestWillBeSent", lambda event: addresses.append(event["request"]["url"]))
        session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        Table.open(page, variant)
        counted = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
        page.wait_for_load_state("load")
        page.evaluate("document.fonts.ready")
        ready = page.evaluate("readyAt / 1000")
        asked = tuple(address for address in addresses if address.startswith(site))
        return FirstLoad(round(sum(sizes)), asked, ready, counted["TaskDuration"])


@dataclass(frozen=True)
class FirstPage:
    """The bytes of the first page, with headers, and the seconds until it can be read, used, and is complete."""

    received: int
    readable: float
    usable: float
    complete: float


def first_page(browser: Browser, site: str, *, slow: bool = False) -> FirstPage:
    """Open the first page in a browser that has never been here, perhaps on slow 3G and a quarter of the processor."""
    with open_context(browser, base_url=site, viewport={"width": DESK[0], "height": DESK[1]}) as context:
        page = context.new_page()
        sizes: list[float] = []
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        if slow:
            session.send("Network.emulateNetworkConditions", SLOW_3G)
            session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        page.goto("/", wait_until="networkidle")
        readable, usable, complete = page.evaluate(TIMES)
        return FirstPage(round(sum(sizes)), readable, usable, complete)


def _span(values: list[float]) -> str:
    return f"{median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def main(site: str) -> None:
    """Print a line a variant: the median and the extremes of some loads.

    On a busy machine the clock says little; the work, times `SLOWER`, is what remains of it on a quiet one.
    """
    sys.stdout.write(f"variant       bytes  requests  work x {SLOWER}, s  ready at 1/{SLOWER} of the speed, s\n")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", UNHINTED])
        for variant in VARIANTS:
            work = [SLOWER * first_load(browser, site, variant).work for _ in range(LOADS)]
            loads = [first_load(browser, site, variant, SLOWER) for _ in range(LOADS)]
            received, requests = loads[0].received, len(loads[0].addresses)
            columns = f"{_span(work):>18}  {_span([load.ready for load in loads])}"
            sys.stdout.write(f"{variant:<12}{received:>7}{requests:>10}  {columns}\n")
        sys.stdout.write("\nfirst page     bytes  readable, usable, complete at slow 3G and 1/4 of the speed, s\n")
        for page in (first_page(browser, site, slow=True) for _ in range(LOADS)):
            sys.stdout.write(f"{page.received:>18}  {page.readable:.1f}  {page.usable:.1f}  {page.complete:.1f}\n")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
