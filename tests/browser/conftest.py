"""One server, one browser and a few windows for a whole run; what a test does in a window no other test sees."""

import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Page,
    Playwright,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)

from browser.hands import PATIENCE, UNHINTED, chromium, forget, open_context, wait_for_table
from browser.years import pictures
from waiting import LIMIT

DESK: ViewportSize = {"width": 1260, "height": 760}
PHONE: ViewportSize = {"width": 390, "height": 844}
NewWindow = Callable[..., Page]
expect.set_options(timeout=PATIENCE)  # a machine with other work on it is slow, not wrong


def _chromium(*, whole: bool = False) -> str:
    """Return the path of the browser; without one, skip the tests and explain what to install."""
    if found := chromium(whole=whole):
        return found
    pytest.skip("no Chromium is installed: `make browser` installs it, or name one in PLENIPO_BROWSER")


def _free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/api/variants", timeout=LIMIT) as answer:  # noqa: S310  # our own server
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real server with an empty store."""
    folder, port = tmp_path_factory.mktemp("server"), _free_port()
    database = f"sqlite:///{folder / 'games.sqlite'}"
    command = [str(Path(sys.executable).with_name("plenipo")), "serve", "--no-open", "--port", str(port)]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen([*command, "--database", database], stdout=log, stderr=log)  # noqa: S603
        url = f"http://127.0.0.1:{port}"
        end = time.monotonic() + PATIENCE / 1000
        while not _answers(url):
            if server.poll() is not None or time.monotonic() > end:
                server.kill()
                pytest.fail(f"the server did not start:\n{(folder / 'log').read_text(encoding='utf-8')}")
            time.sleep(0.1)
        yield url
        server.terminate()
        server.wait(PATIENCE / 1000)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Yield the driver of the browsers."""
    with sync_playwright() as driver:
        yield driver


def _running(driver: Playwright, path: str) -> Iterator[Browser]:
    """A browser without a screen."""
    # without memory for pixels nothing is painted: tests ask for boxes, and a map takes long to paint
    unpainted = [] if pictures() else ["--force-gpu-mem-available-mb=0"]
    # a process for a window, not for each page that it goes to
    lasting = ["--no-sandbox", "--disable-gpu", "--process-per-site", UNHINTED]
    running = driver.chromium.launch(executable_path=path, args=[*lasting, *unpainted])
    yield running
    running.close()


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Debian's Chromium, in its headless build where there is one."""
    yield from _running(playwright, _chromium())


@pytest.fixture
def whole_browser(playwright: Playwright) -> Iterator[Browser]:
    """A Chromium that can do what the headless build cannot, such as show notices."""
    yield from _running(playwright, _chromium(whole=True))


class Watch:
    """A watch over a window for forbidden behaviour: requests to other hosts and script errors."""

    def __init__(self, page: Page, site: str) -> None:
        self.page, self.site = page, site
        self.faults: list[str] = []
        page.on("pageerror", self._broke)
        page.on("request", self._asked)
        page.on("console", self._said)

    def leave(self) -> None:
        """Look no more."""
        self.page.remove_listener("pageerror", self._broke)
        self.page.remove_listener("request", self._asked)
        self.page.remove_listener("console", self._said)

    def _broke(self, error: Error) -> None:
        self.faults.append(f"script: {error}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.site, "data:", "blob:", "about:")):
            self.faults.append(f"asked another host: {request.url}")

    def _said(self, line: ConsoleMessage) -> None:
        # a refusal is an answer, and the page shows it; the browser logs it all the same
        if line.type == "error" and "Failed to load resource" not in line.text:
            self.faults.append(f"console: {line.text}")


class Windows:
    """Windows that tests reuse, each with its own cookies; a test always gets one without cookies and stored data.

    Opening a new window and fetching every file again takes as long as a whole turn of a game.
    """

    def __init__(self, browser: Browser, site: str) -> None:
        self.browser, self.site = browser, site
        self._idle: dict[str, list[Page]] = {}

    def new(self, site: str = "", **options: Any) -> Page:
        """Return a new window; without a service worker, which asks for each game twice, unless `options` allow it."""
        options = {"service_workers": "block", **options}
        context = open_context(self.browser, base_url=site or self.site, reduced_motion="reduce", **options)
        return context.new_page()

    def take(self, options: Mapping[str, Any]) -> Page:
        """Return an unused window of this kind."""
        idle = self._idle.setdefault(repr(options), [])
        return idle.pop() if idle else self.new(**options)

    def give_back(self, page: Page, options: Mapping[str, Any]) -> None:
        """Forget what was done in a window, and let others have it."""
        for other in page.context.pages:
            if other is not page:
                other.close()
        page.context.set_offline(offline=False)
        page.set_viewport_size(options["viewport"])
        page.emulate_media(reduced_motion="reduce")
        forget(page)
        self._idle[repr(options)].append(page)

    def close(self) -> None:
        """Close the unused windows."""
        for page in (page for pages in self._idle.values() for page in pages):
            page.context.close()


@pytest.fixture(scope="session")
def windows_in_turn(browser: Browser, site: str) -> Iterator[Windows]:
    """The windows of a whole run."""
    windows = Windows(browser, site)
    yield windows
    windows.close()


@pytest.fixture
def window(windows_in_turn: Windows) -> Iterator[NewWindow]:
    """Gives windows that know nothing of each other, by what they are like."""
    taken: list[tuple[Page, dict[str, Any]]] = []

    def another(**options: Any) -> Page:
        page = windows_in_turn.take(options)
        taken.append((page, options))
        return page

    yield another
    for page, options in taken:
        windows_in_turn.give_back(page, options)


def _watched(page: Page, site: str) -> Iterator[Page]:
    """A window, with a look at what it must never do."""
    watch = Watch(page, site)
    yield page
    watch.leave()
    assert watch.faults == []


@pytest.fixture
def page(window: NewWindow, site: str) -> Iterator[Page]:
    """A window on a desk, with a mouse; nothing travels, so that tests need not wait."""
    yield from _watched(window(viewport=DESK), site)


@pytest.fixture
def phone(window: NewWindow, site: str) -> Iterator[Page]:
    """A phone: 390 pixels wide, held upright, with fingers."""
    yield from _watched(window(viewport=PHONE, has_touch=True, is_mobile=True), site)


def post(site: str, path: str, body: Any, key: str = "") -> Any:
    """Return the answer of the server to a request of a program."""
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {key}"} if key else {})
    request = urllib.request.Request(site + path, json.dumps(body).encode(), headers)  # noqa: S310  # our own server
    with urllib.request.urlopen(request, timeout=LIMIT) as answer:  # noqa: S310  # our own server
        return json.loads(answer.read() or b"{}")


@pytest.fixture
def phones(window: NewWindow, site: str) -> dict[str, Page]:
    """Three phones at one game, each in the seat of a power."""
    return open_phones(window, site)


def open_phones(window: NewWindow, site: str, **options: Any) -> dict[str, Page]:
    """Return three phones at one game, each in the seat of a power; `options` are those of their windows."""
    settings = {"press": {"preset": "Full press", "opened": "players"}}
    game = post(site, "/api/games", {"variant": "standard", "lobby": True, "settings": settings})
    invitation = game["invitation"].rpartition("/")[2]
    keys = {
        power: post(site, f"/api/games/{game['id']}/join", {"name": name, "power": power}, invitation)["key"]
        for power, name in {"France": "Anna", "Germany": "Ben", "England": "Cleo"}.items()
    }
    post(site, f"/api/games/{game['id']}/start", {}, game["keys"]["all"])
    pages = {}
    for power, key in keys.items():
        page = window(viewport=PHONE, has_touch=True, **options)
        page.goto(f"/games/{game['id']}/sit/{key}")
        wait_for_table(page)
        pages[power] = page
    return pages
