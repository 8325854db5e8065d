"""Play a hosted game in Firefox and in WebKitGTK by keys alone, from the invitation to the end.

    python scripts/other_browsers.py [--browser firefox] [--browser webkit] [--pictures FOLDER]

Two windows of a browser, each with cookies of its own: one hosts a game, the other joins by the link, both order the
first year, vote to abandon the game and come to its end. Every control is reached by Tab and pressed by Enter, Space or
arrows. Debian packages: firefox-esr; webkit2gtk-driver, xvfb. Prints a line a step and exits with 1 at a fault.
"""

import argparse
import base64
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

ROOT = Path(__file__).parents[1]

PATIENCE = 120.0
"""Seconds to wait for what a page shall show."""

MOST_TABS = 600
"""Presses of Tab after which a control counts as out of reach."""

VARIANT = "france-austria"
"""A variant for two players."""

MOST_UNITS = 20
"""More units than a power has in its first year."""

CHOICE = "^[A-Z]{3} ?,"
"""The name of a space that is offered for the selected unit."""

UNORDERED = "^[AF] [A-Z]{3}.*no order$"
"""The name of a unit without an order."""

KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Space": " ", "Down": "\ue015"}
"""The characters that WebDriver takes for keys."""

NAMED = """
const name = element => (element.getAttribute('aria-label')
    || [...(element.labels || [])].map(label => label.innerText).join(' ') || element.innerText || '')
    .replace(/\\s+/g, ' ').trim();
"""
"""The name of a control, nearly as a screen reader says it."""

FOCUSED = (
    NAMED + "const on = document.activeElement; return on === document.body || !on ? null : [name(on), on.tagName];"
)

FAULTS = {
    "firefox": re.compile(r"^JavaScript error: (?!resource:|chrome:)|^console\.error: "),
    "webkit": re.compile(r"^CONSOLE (JS|SECURITY) ERROR"),
}
"""What a browser prints about a script that broke."""


class StepFailed(Exception):  # noqa: N818  # a fault is named by what happened
    """A step that could not be made."""


class Session(Protocol):
    """A window of a browser that is driven by commands of WebDriver."""

    def ask(self, command: str, **values: Any) -> Any:
        """Return the answer to a command, by its name in Firefox."""


class Marionette:
    """Firefox, over the socket that it opens with `--marionette`: `length:[0, number, command, values]`."""

    def __init__(self, port: int) -> None:
        self._door = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._number = 0
        self._read()
        self.ask("NewSession", capabilities={"alwaysMatch": {}})

    def ask(self, command: str, **values: Any) -> Any:
        """Return the answer to a command."""
        self._number += 1
        text = json.dumps([0, self._number, f"WebDriver:{command}", values]).encode()
        self._door.sendall(b"%d:%s" % (len(text), text))
        _, _, fault, answer = self._read()
        if fault:
            raise StepFailed(f"{command}: {fault['message']}")
        return answer["value"] if isinstance(answer, dict) and set(answer) == {"value"} else answer

    def _read(self) -> Any:
        """Return the next message."""
        size = b""
        while not size.endswith(b":"):
            size += self._door.recv(1)
        text = b""
        while len(text) < int(size[:-1]):
            text += self._door.recv(int(size[:-1]) - len(text))
        return json.loads(text)


ROUTES = {
    "Navigate": ("POST", "url"),
    "ExecuteScript": ("POST", "execute/sync"),
    "PerformActions": ("POST", "actions"),
    "TakeScreenshot": ("GET", "screenshot"),
    "SetWindowRect": ("POST", "window/rect"),
}
"""The method and path of each command in WebKitWebDriver."""


class WebDriver:
    """WebKitGTK, over the HTTP of WebKitWebDriver."""

    def __init__(self, port: int) -> None:
        self._at = f"http://127.0.0.1:{port}/session"
        flags = ["--automation", "--enable-write-console-messages-to-stdout=1"]
        binary = next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
        options = {"webkitgtk:browserOptions": {"binary": str(binary), "args": flags}}
        session = self._send("POST", "", {"capabilities": {"alwaysMatch": options}})
        self._at += f"/{session['sessionId']}"

    def ask(self, command: str, **values: Any) -> Any:
        """Return the answer to a command."""
        method, path = ROUTES[command]
        return self._send(method, f"/{path}", values)

    def _send(self, method: str, path: str, values: dict[str, Any]) -> Any:
        data = json.dumps(values).encode() if method == "POST" else None
        request = urllib.request.Request(self._at + path, data, method=method)  # noqa: S310  # our own driver
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310  # our own driver
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise StepFailed(f"{path}: {json.load(error)['value']['message']}") from error


class Keyboard:
    """A person at a window who has a keyboard and no mouse."""

    def __init__(self, who: str, session: Session, pictures: Path | None) -> None:
        self.who, self.session, self.pictures = who, session, pictures
        self.shots = 0

    def go(self, url: str) -> None:
        """Open an address."""
        self.session.ask("Navigate", url=url)

    def run(self, script: str, *values: Any) -> Any:
        """Return what a script returns."""
        return self.session.ask("ExecuteScript", script=script, args=list(values))

    def press(self, *keys: str) -> None:
        """Press keys one after the other; a name of `KEYS`, or a text that is typed."""
        typed = [part for key in keys for part in ([KEYS[key]] if key in KEYS else key)]
        strokes = [{"type": kind, "value": one} for one in typed for kind in ("keyDown", "keyUp")]
        self.session.ask("PerformActions", actions=[{"type": "key", "id": "keys", "actions": strokes}])

    def reach(self, pattern: str) -> str:
        """Press Tab until a control whose name matches has the focus; return its name."""
        seen = []
        for _ in range(MOST_TABS):
            focused = self.run(FOCUSED)
            if focused and re.search(pattern, focused[0]):
                return str(focused[0])
            seen.append(focused and focused[0][:40])
            self.press("Tab")
        raise StepFailed(f"{self.who}: Tab does not come to /{pattern}/, only to {list(dict.fromkeys(seen))}")

    def push(self, pattern: str) -> None:
        """Reach a button or link and press Enter, when the page has stored what was done before."""
        self.wait_until(lambda: self.sees(pattern), f"a control named /{pattern}/")
        self.settle()
        name = self.reach(pattern)
        self.press("Enter")
        print(f"  {self.who}: {name[:70]}", flush=True)

    def settle(self) -> None:
        """Wait until the page has nothing to store."""
        busy = "return !document.body || 'busy' in document.body.dataset"
        self.wait_until(lambda: not self.run(busy), "the page to have stored everything")

    def sees(self, pattern: str) -> bool:
        """Return whether a control with such a name is shown and can be pressed."""
        script = NAMED + (
            "return [...document.querySelectorAll('a, button, input, select, summary, [role=tab]')].some("
            "one => one.checkVisibility() && !one.disabled && new RegExp(arguments[0]).test(name(one)))"
        )
        return bool(self.run(script, pattern))

    def text(self) -> str:
        """Return what the page says."""
        return str(self.run("return document.body?.innerText ?? ''"))

    def wait_until(self, true: Callable[[], bool], what: str) -> None:
        """Wait until something is so."""
        end = time.monotonic() + PATIENCE
        while not true():
            if time.monotonic() > end:
                raise StepFailed(f"{self.who} waits for {what} in vain; the page says: {self.text()[:1500]!r}")
            time.sleep(0.2)

    def wait_for(self, pattern: str) -> None:
        """Wait until the page says something."""
        self.wait_until(lambda: bool(re.search(pattern, self.text())), f"/{pattern}/")

    def photograph(self, name: str) -> None:
        """Keep a picture of the window."""
        if self.pictures:
            self.shots += 1
            picture = base64.b64decode(self.session.ask("TakeScreenshot"))
            (self.pictures / f"{self.who}-{self.shots}-{name}.png").write_bytes(picture)


def free_port() -> int:
    """Return a port that nothing listens at."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


@contextmanager
def run_program(command: list[str], log: Path, **more: str) -> Iterator[None]:
    """Run a program while the block runs."""
    with log.open("wb") as out:
        program = subprocess.Popen(command, stdout=out, stderr=out, env={**os.environ, **more}, start_new_session=True)  # noqa: S603
        try:
            yield
        finally:
            os.killpg(program.pid, 15)
            try:
                program.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(program.pid, 9)
                program.wait(20)


def wait_for_port(port: int) -> None:
    """Wait until something listens at a port."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if time.monotonic() > end:
                raise StepFailed(f"nothing listens at port {port}") from None
            time.sleep(0.2)
        else:
            return


@contextmanager
def open_session(browser: str, folder: Path) -> Iterator[Session]:
    """Start a browser with a profile of its own, and end it."""
    port = free_port()
    if browser == "webkit":
        command = ["xvfb-run", "-a", "WebKitWebDriver", f"--port={port}"]
        with run_program(command, folder / "log", WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS="1"):
            wait_for_port(port)
            yield WebDriver(port)
        return
    preferences = {
        "marionette.port": port,
        "browser.dom.window.dump.enabled": True,
        "devtools.console.stdout.content": True,
        "datareporting.policy.dataSubmissionEnabled": False,
    }
    lines = (f'user_pref("{name}", {json.dumps(value)});\n' for name, value in preferences.items())
    (folder / "user.js").write_text("".join(lines), encoding="utf-8")
    command = ["firefox-esr", "--headless", "--marionette", "--remote-allow-system-access", "--profile", str(folder)]
    with run_program(command, folder / "log"):
        wait_for_port(port)
        yield Marionette(port)


def play(anna: Keyboard, ben: Keyboard, site: str) -> None:
    """Host, join, play a year, vote and come to the end, by keys alone."""
    anna.go(site)
    anna.photograph("first-page")
    anna.push("^Play with friends")
    anna.wait_for("Your name")
    anna.go(f"{site}/variants/{VARIANT}/host")
    anna.reach("^Your name")
    anna.press("Anna")
    anna.push("^Teaching game")  # at one's own pace: a phase ends when both are ready
    anna.push("^Create the game")
    anna.wait_for("players have joined")
    anna.photograph("lobby")
    link = anna.run(
        f"{NAMED} return [...document.querySelectorAll('input')].find(one => /^Anyone/.test(name(one)))?.value"
    )
    if not link:
        raise StepFailed(f"the lobby shows no link: {anna.text()[:1500]!r}")
    ben.go(link)
    ben.reach("^Your name")
    ben.press("Ben", "Enter")
    for one in (anna, ben):
        one.wait_for(r"(?i)\b1901\b")  # the last seat is taken, and the game begins
    while "1902" not in phase_of(anna):
        before = phase_of(anna)
        for one in (anna, ben):
            order_everything(one)
            one.photograph("orders")
        for one in (anna, ben):
            end_phase(one)
        for one in (anna, ben):
            one.push("^Continue to ")
            one.wait_until(lambda one=one, before=before: phase_of(one) != before, "the next phase")
    vote(anna, ben)


def phase_of(player: Keyboard) -> str:
    """Return the phase that the page is in."""
    return str(player.run("return document.getElementById('phase')?.innerText ?? ''"))


def order_everything(player: Keyboard) -> None:
    """Give each unit that lacks an order the first that is offered; the page goes on to the next unit by itself."""
    for _ in range(MOST_UNITS * 3):
        names = list_units(player)
        if any(re.search(CHOICE, name) for name in names):
            player.push(CHOICE)
        elif any(name.endswith("no order") for name in names):
            player.push(UNORDERED)
        else:
            return
        player.settle()
    raise StepFailed(f"{player.who} cannot order everything: {list_units(player)}")


def list_units(player: Keyboard) -> list[str]:
    """Return the names of the buttons in the list of units."""
    script = "return [...document.querySelectorAll('[aria-label=Units] button')].filter(one => one.checkVisibility())"
    return list(player.run(f"{NAMED}{script}.map(name)"))


def end_phase(player: Keyboard) -> None:
    """Say that the orders are ready, and once more if they are doubted."""
    while player.sees("^Ready"):
        player.push("^Ready")
        player.settle()


def vote(anna: Keyboard, ben: Keyboard) -> None:
    """Propose a draw, agree, and see the end."""
    for one in (anna, ben):
        one.press("7")
    anna.push("^End the game in a draw")
    anna.push("^Propose")
    ben.push("^For: ")
    for one in (anna, ben):
        one.wait_until(lambda one=one: one.sees("^Rematch"), "the end of the game")
        one.photograph("end")


def find_faults(browser: str, folder: Path) -> list[str]:
    """Return what a browser printed about scripts that broke."""
    lines = (folder / "log").read_text(encoding="utf-8", errors="replace").splitlines()
    return [line for line in lines if FAULTS[browser].search(line)]


def try_browser(browser: str, pictures: Path | None) -> list[str]:
    """Play in a browser; return a sentence for each fault."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        port = free_port()
        plenipo = [str(Path(sys.executable).with_name("plenipo")), "serve", "--no-open", "--port", str(port)]
        database = f"sqlite:///{folder / 'games.sqlite'}"
        stack.enter_context(run_program([*plenipo, "--database", database], folder / "server"))
        wait_for_port(port)
        places = [folder / name for name in ("anna", "ben")]
        people = []
        for place in places:
            place.mkdir()
            session = stack.enter_context(open_session(browser, place))
            session.ask("SetWindowRect", x=0, y=0, width=1366, height=768)
            people.append(Keyboard(f"{browser}-{place.name}", session, pictures))
        try:
            play(people[0], people[1], f"http://127.0.0.1:{port}")
        except StepFailed as fault:
            for one in people:
                one.photograph("fault")
            return [str(fault)]
        return [fault for place in places for fault in find_faults(browser, place)]


def main() -> int:
    """Play in each browser; return the exit status."""
    parser = argparse.ArgumentParser(description="Play a hosted game by keys in other browsers than Chromium.")
    parser.add_argument("--browser", action="append", choices=["firefox", "webkit"], help="one of them alone")
    parser.add_argument("--pictures", type=Path, help="a folder for pictures of the steps")
    asked = parser.parse_args()
    if asked.pictures:
        asked.pictures.mkdir(parents=True, exist_ok=True)
    status = 0
    for browser in asked.browser or ["firefox", "webkit"]:
        print(f"{browser}:")
        faults = try_browser(browser, asked.pictures)
        print(*faults, f"{browser}: {len(faults)} faults.", sep="\n")
        status |= bool(faults)
    return status


if __name__ == "__main__":
    sys.exit(main())
