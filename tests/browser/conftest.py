"""One server and one browser for a whole run; every test gets a window of its own, with its own cookies."""

import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request, ViewportSize, expect, sync_playwright

from browser.hands import PATIENCE, chromium
from browser.years import pictures

DESK: ViewportSize = {"width": 1260, "height": 760}
PHONE: ViewportSize = {"width": 390, "height": 844}
expect.set_options(timeout=PATIENCE)  # a machine with other work on it is slow, not wrong


def _chromium() -> str:
    """Where the browser is; without one the tests are skipped, and say what to do."""
    if found := chromium():
        return found
    pytest.skip("no Chromium is installed: `make browser` installs it, or name one in PLENIPO_BROWSER")


def _free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/api/variants", timeout=30) as answer:  # noqa: S310  # our own server
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
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a screen."""
    path = _chromium()
    with sync_playwright() as playwright:
        # without memory for pixels nothing is painted: tests ask for boxes, and a map takes long to paint
        unpainted = [] if pictures() else ["--force-gpu-mem-available-mb=1"]
        running = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu", *unpainted])
        yield running
        running.close()


class Watch:
    """What a window must never do: ask another host for anything, or run into an error of its own."""

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


def _window(browser: Browser, site: str, **options: Any) -> Iterator[Page]:
    """A window that tests use in turn; each finds it without cookies, keepings or a page."""
    context = browser.new_context(base_url=site, reduced_motion="reduce", **options)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    yield page
    context.close()


@pytest.fixture(scope="session")
def _desk(browser: Browser, site: str) -> Iterator[Page]:
    yield from _window(browser, site, viewport=DESK)


@pytest.fixture(scope="session")
def _phone(browser: Browser, site: str) -> Iterator[Page]:
    yield from _window(browser, site, viewport=PHONE, has_touch=True, is_mobile=True)


def _turn(page: Page, site: str) -> Iterator[Page]:
    """One test's turn at a window, and a look at what the window must never do."""
    watch = Watch(page, site)
    yield page
    watch.leave()
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("() => { try { localStorage.clear() } catch { /* nothing was kept */ } }")
    page.goto("about:blank")
    page.context.clear_cookies()
    assert watch.faults == []


@pytest.fixture
def page(_desk: Page, site: str) -> Iterator[Page]:
    """A window on a desk, with a mouse; nothing travels, so that tests need not wait."""
    yield from _turn(_desk, site)


@pytest.fixture
def phone(_phone: Page, site: str) -> Iterator[Page]:
    """A phone: 390 pixels wide, held upright, with fingers."""
    yield from _turn(_phone, site)


def post(site: str, path: str, body: Any, key: str = "") -> Any:
    """What the server answers to a program."""
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {key}"} if key else {})
    request = urllib.request.Request(site + path, json.dumps(body).encode(), headers)  # noqa: S310  # our own server
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  # our own server
        return json.loads(answer.read() or b"{}")


@pytest.fixture
def phones(browser: Browser, site: str) -> Iterator[dict[str, Page]]:
    """Three phones at one game, each in the seat of a power."""
    settings = {"letters": {"preset": "Letters", "opened": "players"}}
    game = post(site, "/api/games", {"variant": "standard", "lobby": True, "settings": settings})
    invitation = game["invitation"].rpartition("/")[2]
    keys = {
        power: post(site, f"/api/games/{game['id']}/join", {"name": name, "power": power}, invitation)["key"]
        for power, name in {"France": "Anna", "Germany": "Ben", "England": "Cleo"}.items()
    }
    post(site, f"/api/games/{game['id']}/start", {}, game["keys"]["all"])
    pages = {}
    for power, key in keys.items():
        context = browser.new_context(base_url=site, viewport=PHONE, has_touch=True, reduced_motion="reduce")
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(f"/games/{game['id']}/sit/{key}")
        page.wait_for_selector("body[data-ready]", state="attached")
        pages[power] = page
    yield pages
    for page in pages.values():
        page.context.close()


@pytest.hookimpl(tryfirst=True)  # before the workers look who belongs together
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of a file of pages go to one worker; each worker has one browser and one server for all it gets."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.xdist_group(f"browser {item.path.stem}"))
