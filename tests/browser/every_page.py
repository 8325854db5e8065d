"""Every page of the server in a prepared state, for tests and pictures; the routes come from the app itself."""

import os
import re
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
from fastapi.routing import APIRoute
from playwright.sync_api import Browser, BrowserContext, Page

from browser.hands import forget, open_context, unfold_cards, wait_for_table
from browser.take_pictures import LIVE, SECOND, TURN
from plenipo.server.web.app import routes
from waiting import LIMIT, wait_until

__all__ = ["SPOTS", "Spot", "World", "find_unprepared", "open_window", "show", "start_server"]

Do = Callable[[Page], None]

MODERATOR = "mod@example.org"


@contextmanager
def start_server(folder: Path, catalogues: Path | None = None) -> Iterator[str]:
    """Start a server with an empty store in a folder, perhaps with other catalogues; yield its address."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port = int(door.getsockname()[1])
    environment = {**os.environ, "XDG_DATA_HOME": str(folder)}
    if catalogues:
        environment["PLENIPO_CATALOGUES"] = str(catalogues)
    command = [str(Path(sys.executable).with_name("plenipo")), "serve", "--no-open", "--port", str(port)]
    command += ["--database", f"sqlite:///{folder / 'games.sqlite'}", "--moderator", MODERATOR]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, env=environment)  # noqa: S603
        try:
            address = f"http://127.0.0.1:{port}"
            wait_until(lambda: server.poll() is not None or is_listening(port))
            yield address
        finally:
            server.terminate()
            server.wait(60)


def is_listening(port: int) -> bool:
    """True if a server accepts connections at a port."""
    with socket.socket() as door:
        return door.connect_ex(("127.0.0.1", port)) == 0


class World:
    """People with browsers at a server, and games in every state.

    `people` are their clients by name, `at` has the parts of addresses: games, links and keys.
    """

    def __init__(self, site: str, folder: Path) -> None:
        self.site, self.folder = site, folder
        self.people: dict[str, httpx2.Client] = {}
        self.at: dict[str, str] = {"variant": "standard"}
        for name in ("guest", "Anna", "Ben", "Cleo", "master", "moderator", "banned", "screen"):
            self.people[name] = httpx2.Client(base_url=site, follow_redirects=True, timeout=LIMIT)
        self._sign_in("Anna", "anna@example.org")
        self._sign_in("moderator", MODERATOR)
        self._sign_in("banned", "dora@example.org")
        self._ok(self.people["Anna"].post("/api/me/presets", json={"name": "Quai", "fields": {"schedule": "Live"}}))
        harbour = folder / "plenipo" / "variants" / "harbour"
        harbour.mkdir(parents=True)
        (harbour / "variant.toml").write_text('title = "Harbour"\nparent = "standard"\n', encoding="utf-8")
        self._open_lobbies()
        self._open_running()
        self._open_mastered()
        self._open_hotseat()
        self._open_tournament()
        self._ban()

    def _sign_in(self, name: str, mail: str) -> None:
        browser, folder = self.people[name], self.folder / "plenipo" / "mail"
        self._ok(browser.post("/sign-in", data={"mail": mail}))

        def find() -> tuple[str, str] | None:
            for file in folder.glob("*.eml"):
                text = file.read_text("utf-8")
                code, link = (
                    re.search(r"^Subject: (\d{6})", text, re.MULTILINE),
                    re.search(r"/sign-in/([\w-]{20,})\s", text),
                )
                if f"To: {mail}" in text and code and link:
                    return code[1], link[1]
            return None

        wait_until(find)
        code, self.at["link"] = find() or ("", "")
        self._ok(browser.post("/sign-in/code", data={"code": code}))

    @staticmethod
    def _ok(answer: httpx2.Response) -> Any:
        said = re.sub(r"<svg.*?</svg>|<[^>]*>", " ", answer.text, flags=re.DOTALL)
        assert answer.is_success, f"{answer.request.url}: {' '.join(said.split())[:500]}"
        return answer.json() if "json" in answer.headers.get("content-type", "") else answer.text

    def _host(self, name: str, title: str, **fields: Any) -> str:
        """Host a game by the form; return its identifier."""
        form = {"variant": "standard", "name": name, "schedule": "Own pace", "you": "play", "game": title, **fields}
        answer = self.people[name].post("/host", data=form)
        self._ok(answer)
        return answer.url.path.rpartition("/")[2]

    def _invitation(self, host: str, game: str) -> str:
        found = re.search(r'id="link" readonly value="([^"]+)"', self.people[host].get(f"/games/{game}").text)
        assert found
        return found[1].removeprefix(self.site)

    def _join(self, name: str, game: str, link: str, **fields: str) -> None:
        self._ok(self.people[name].get(link))
        self._ok(self.people[name].post(f"/games/{game}/join", data={"name": name, **fields}))

    def _open_lobbies(self) -> None:
        self.at["lobby"] = game = self._host("Anna", "Quai", schedule="Weekdays", deal="host")
        self.at["invitation"] = self._invitation("Anna", game)
        self._join("Ben", game, self.at["invitation"])
        self.at["approval"] = listed = self._host(
            "Anna", "Rive", schedule="Live", deal="preferences", listed="listed", approval="yes",
            language="Deutsch", **{"time-bank": "15", "later-after": "60"},
        )  # fmt: skip
        self._join("Cleo", listed, self._invitation("Anna", listed))
        self.at["cancelled"] = called_off = self._host("Anna", "Pont")
        self._ok(self.people["Anna"].post(f"/games/{called_off}/cancel"))

    def _open_people(self, name: str, body: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, str]:
        """Open a game among people by the interface, and start it; return the keys of its seats, and of all."""
        full = {"press": {"preset": "Full press"}, "spectators": "public", "listed": "listed", "ready_check": False}
        body = {"variant": "standard", "lobby": True, "name": name, "settings": {**full, **settings}, **body}
        game = self._ok(httpx2.post(f"{self.site}/api/games", json=body, timeout=LIMIT))
        invitation = {"authorization": f"Bearer {game['invitation'].rpartition('/')[2]}"}
        keys = {"game": game["id"], "all": game["keys"]["all"]}
        for person, power in {"Anna": "France", "Ben": "Germany", "Cleo": "England"}.items():
            joined = {"name": person, "power": power}
            at = f"{self.site}/api/games/{game['id']}"
            answer = self.people[person].post(f"{at}/join", json=joined, headers=invitation)
            keys[power] = self._ok(answer)["key"]
        self._by(keys, "all", "start", {})
        return keys

    def _by(self, keys: Mapping[str, str], seat: str, path: str, body: Mapping[str, Any]) -> Any:
        headers = {"authorization": f"Bearer {keys[seat]}"}
        return self._ok(
            httpx2.post(f"{self.site}/api/games/{keys['game']}/{path}", json=body, headers=headers, timeout=LIMIT)
        )

    def _number(self, keys: Mapping[str, str]) -> int:
        headers = {"authorization": f"Bearer {keys['all']}"}
        answer = httpx2.get(f"{self.site}/api/games/{keys['game']}", headers=headers, timeout=LIMIT)
        return int(self._ok(answer)["phase_number"])

    def _open_running(self) -> None:
        keys = self._open_people("Seine", {"schedule": LIVE}, {"scoring": "Sum of squares"})
        self.at |= {"game": keys["game"], "seat": keys["France"]}
        for power, other, body in (
            ("Germany", "France", {"text": "1000 **2000**?"}),
            ("France", "Germany", {"text": "99.", "proposal": ["A MUN - RUH", "A PAR - PIC"]}),
            ("Germany", "everyone", {"text": "12!"}),
        ):
            self._by(keys, power, "press", {"seat": power, "to": [other], **body})
        self._by(keys, "Germany", "votes", {"kind": "draw"})
        self._by(keys, "France", "votes", {"kind": "draw"})
        self._by(keys, "England", "votes", {"kind": "abandon"})
        tomorrow = (datetime.now(UTC) + timedelta(hours=20)).isoformat()
        self._by(keys, "Germany", "votes", {"kind": "tomorrow", "goes_on": tomorrow})
        orders = {"phase_number": self._number(keys), "seat": "France", "give": ["A PAR - BUR", "F BRE - MID"]}
        self._by(keys, "France", "orders", orders)
        self._by(keys, "all", "seats", {"power": "England", "act": "remove"})
        offer = self._by(keys, "all", "seats", {"power": "Italy", "act": "offer"})
        self.at["offer"] = str(offer["link"]).rpartition("/")[2]
        paused = self._open_people("Marne", {"schedule": "Weekdays"}, {})
        self._by(paused, "all", "time", {"phase_number": self._number(paused), "action": "pause"})
        self.at |= {"paused": paused["game"], "host": keys["all"]}
        self.at["paused-host"] = paused["all"]

    def _open_mastered(self) -> None:
        game = self._host("master", "Loire", you="rule", schedule="Weekly")
        link = self._invitation("master", game)
        self._join("Ben", game, link, power="France")
        self._join("Cleo", game, link, power="Germany")
        master, ben = self.people["master"], self.people["Ben"]
        self._ok(master.post(f"/games/{game}/start"))
        body = {"phase_number": 1, "seat": "France", "give": ["A PAR - BUR", "A MAR S A PAR - BUR"]}
        self._ok(ben.post(f"/api/games/{game}/orders", json=body))
        asked = {"phase_number": "1", "seat": "France", "order": "A PAR - BUR", "text": "1?"}
        self._ok(ben.post(f"/games/{game}/questions", data=asked))
        for path, data in (
            ("process", {"reason": "1."}),
            ("time", {"act": "extend", "by": "24h", "reason": "2."}),
        ):
            self._ok(master.post(f"/games/{game}/gm-tools/{path}", data={"phase_number": self._phase(game), **data}))
        phase = self._phase(game)
        body = {"phase_number": int(phase), "seat": "France", "give": ["A MAR - SPA", "F BRE - MID"]}
        self._ok(ben.post(f"/api/games/{game}/orders", json=body))
        read = {"power": "France", "order": "A MAR - SPA", "read": "A MAR - BUR", "reason": "3."}
        self._ok(master.post(f"/games/{game}/gm-tools/read", data={"phase_number": phase, **read}))
        asked = {"phase_number": phase, "seat": "France", "order": "F BRE - MID", "text": "2?"}
        self._ok(ben.post(f"/games/{game}/questions", data=asked))
        self._ok(ben.post(f"/api/games/{game}/press", json={"seat": "France", "to": ["Germany"], "text": "7?"}))
        self.at["mastered"] = game

    def _phase(self, game: str) -> str:
        return str(self._ok(self.people["master"].get(f"/api/games/{game}"))["phase_number"])

    def _open_hotseat(self) -> None:
        screen = self.people["screen"]

        def new(**body: Any) -> str:
            answer = screen.post("/api/games", json={"variant": "standard", "computers": "none", **body})
            return str(self._ok(answer)["id"])

        def play(game: str, *turns: Mapping[str, list[str]]) -> str:
            for orders in turns:
                number = self._ok(screen.get(f"/api/games/{game}"))["phase_number"]
                for seat, texts in orders.items():
                    body = {"phase_number": number, "seat": seat, "give": texts}
                    self._ok(screen.post(f"/api/games/{game}/orders", json=body))
                self._ok(screen.post(f"/api/games/{game}/process", json={"phase_number": number}))
            return game

        failing = ({"Germany": ["A MUN - TYO"]}, {"Germany": ["A TYO - VEN"], "Austria": ["F TRI S A TYO - VEN"]})
        self.at["hotseat"] = play(new(), TURN)
        self.at["retreats"] = play(new(), *failing)
        self.at["builds"] = play(new(), TURN, SECOND)
        while "adjustment" not in self._ok(screen.get(f"/api/games/{self.at['builds']}"))["phase"]["kind"]:
            play(self.at["builds"], {})
        self.at["over"] = over = play(new(), TURN)
        number = self._ok(screen.get(f"/api/games/{over}"))["phase_number"]
        self._ok(screen.post(f"/api/games/{over}/draw", json={"phase_number": number}))
        self.at["irish"] = play(new(variant="irish"), {}, {}, {})
        shared = self._ok(screen.post(f"/api/games/{self.at['hotseat']}/share", json={}))
        self.at["position"] = str(shared["url"]).removeprefix(self.site)

    def _open_tournament(self) -> None:
        """Open a tournament whose first round is being played."""
        values = {"name": "Loire", "variant": "hundred", "rounds": "2", "description": "Two rounds for all."}
        made = self.people["Anna"].post("/tournaments", data=values)
        self.at["tournament"] = made.url.path.rpartition("/")[2]
        for name, called in (("Anna", "Anna"), ("moderator", "Marne")):
            self.people[name].post(f"{made.url.path}/join", data={"name": called})
        self.people["Anna"].post(f"{made.url.path}/round")

    def _ban(self) -> None:
        me = self.people["Anna"].get(f"/games/{self.at['lobby']}").text
        found = re.search(r"/people/([\w-]+)", me)
        assert found
        self.at["person"] = found[1]
        anna = self.people["Anna"]
        link = self._invitation("Anna", self.at["lobby"])
        self._join("banned", self.at["lobby"], link)
        page = anna.get(f"/games/{self.at['lobby']}").text
        others = set(re.findall(r"/people/([\w-]+)", page)) - {found[1]}
        bad = others.pop()
        for kind, text in (("name", "1."), ("spam", "2.")):
            self._ok(anna.post(f"/people/{bad}/report", data={"kind": kind, "sentence": text}))
        self._ok(
            self.people["moderator"].post(
                "/moderation", data={"number": "1", "act": "ban", "reason": "3.", "days": "7"}
            )
        )
        self.at["token"] = self._unsubscribe_token()

    def _unsubscribe_token(self) -> str:
        """Return the token of a person's mail from the database; only notifications contain it."""
        with closing(sqlite3.connect(self.folder / "games.sqlite")) as database:
            return str(database.execute("SELECT token FROM mail_preferences").fetchone()[0])

    def close(self) -> None:
        """Close the clients of all people."""
        for browser in self.people.values():
            browser.close()


def nothing(_page: Page) -> None:
    """Do nothing more on a page."""


def tab(name: str) -> Do:
    """Return how to open a tab of the game page."""

    def choose(page: Page) -> None:
        wait_for_table(page)
        page.locator("[id^=tab-]:visible").first.wait_for()  # they are drawn a moment after the page is ready
        button = page.locator(f"#tab-{name}")

        def is_open() -> bool:
            if button.is_visible() and button.get_attribute("aria-selected") != "true":
                button.click()
                page.wait_for_timeout(100)  # the first answers of the server may choose a tab once more
            return not button.is_visible() or button.get_attribute("aria-selected") == "true"

        wait_until(is_open)

    return choose


def first_thread(page: Page) -> None:
    """Open the first thread of the press."""
    tab("press")(page)
    page.locator(".thread").first.click()


def first_order(page: Page) -> None:
    """Take a unit in hand."""
    wait_for_table(page)
    page.locator(".order-button").first.click()


def help_text(page: Page) -> None:
    """Open the help."""
    wait_for_table(page)
    page.locator("#help-open").click()


def ask_code(page: Page) -> None:
    """Ask for a code by mail."""
    page.locator("input[name=mail]").fill("eve@example.org")
    page.locator("form:has(input[name=mail]) button").first.click()
    page.wait_for_selector("input[name=code]")


def preview(page: Page) -> None:
    """Ask for a preview as game master."""
    form = page.locator("form[action$='/preview']")
    form.locator("button").first.click()
    page.wait_for_selector("main.look")


def scheduled(page: Page) -> None:
    """Choose a custom schedule."""
    unfold_cards(page)
    page.locator("input[name=schedule][value='by hand']").check()


def live_schedule(page: Page) -> None:
    """Choose live deadlines."""
    unfold_cards(page)
    page.locator("input[name=schedule][value=Live]").check()


def report_talk(page: Page) -> None:
    """Report a message, and see the thanks."""
    form = page.locator("form[action$='/talk/report']").first
    form.locator("input[name=sentence]").fill("4.")
    form.locator("button").first.click()
    page.wait_for_selector("#main a.btn")


def first_mistake(page: Page) -> None:
    """Wait for the analysis of the game, and for the first of its mistakes if it has any."""
    page.wait_for_selector(".task, .verdict-words, #exercise .note:not([role=status])")


@dataclass(frozen=True)
class Spot:
    """A page in a state: the path of its route, its address with parts of `World.at`, and who looks at it."""

    route: str
    name: str
    address: str
    who: str = "guest"
    then: Do = nothing
    unfold: bool = True
    """True if everything that is folded is opened."""


GAME = "/games/{game}"
SPOTS = (
    Spot("/", "start", "/"),
    Spot("/", "start-signed-in", "/", "Anna"),
    Spot("/bank", "bank", "/bank"),
    Spot("/bank", "bank-filtered", "/bank?players=7&needs=orders"),
    Spot("/bank", "bank-none", "/bank?q=zzzz&players=7"),
    Spot("/variants/{variant}", "variant", "/variants/standard"),
    Spot("/variants/{variant}", "variant-irish", "/variants/irish"),
    Spot("/variants/{variant}/design", "design", "/variants/harbour/design"),
    Spot("/variants/{variant}/rules", "rules", "/variants/standard/rules"),
    Spot("/variants/{variant}/rules", "rules-irish", "/variants/irish/rules"),
    Spot("/variants/{variant}/host", "host", "/variants/standard/host", "guest", scheduled),
    Spot("/variants/{variant}/host", "host-live", "/variants/irish/host", "Anna", live_schedule),
    Spot("/learn", "learn", "/learn"),
    Spot("/learn/{lesson}", "lesson", "/learn/convoy"),
    Spot("/learn/{lesson}", "lesson-play", "/learn/first-year"),
    Spot("/puzzles", "puzzles", "/puzzles"),
    Spot("/puzzles/{number}", "puzzle", "/puzzles/3"),
    Spot("/puzzles/{number}", "puzzle-order", "/puzzles/10001"),
    Spot("/find", "find", "/find"),
    Spot("/find", "find-signed-in", "/find?pace=live", "Anna"),
    Spot("/tournaments", "tournaments", "/tournaments", "Anna"),
    Spot("/tournaments", "tournaments-stranger", "/tournaments"),
    Spot("/tournaments/{tournament}", "tournament", "/tournaments/{tournament}", "Anna"),
    Spot("/tournaments/{tournament}", "tournament-stranger", "/tournaments/{tournament}"),
    Spot("/leaderboard", "leaderboard", "/leaderboard"),
    Spot("/open", "open", "/open"),
    Spot("/offline", "offline", "/offline"),
    Spot("/sign-in", "sign-in", "/sign-in"),
    Spot("/sign-in", "sign-in-code", "/sign-in", "guest", ask_code),
    Spot("/sign-in/{link}", "sign-in-link", "/sign-in/{link}"),
    Spot("/me", "account", "/me", "Anna"),
    Spot("/me", "account-guest", "/me", "Ben"),
    Spot("/hosting", "hosting", "/hosting", "Anna"),
    Spot("/hosting", "hosting-master", "/hosting", "master"),
    Spot("/me/reach", "reach", "/me/reach", "Anna"),
    Spot("/people/{person}", "person", "/people/{person}", "moderator"),
    Spot("/moderation", "moderation", "/moderation", "moderator"),
    Spot("/appeal", "appeal", "/appeal", "banned"),
    Spot("/appeal", "appeal-none", "/appeal"),
    Spot("/unsubscribe/{token}", "unsubscribe", "/unsubscribe/{token}"),
    Spot("/position", "position", "{position}"),
    Spot("/position/edit", "position-edit", "/position/edit?v=standard"),
    Spot(GAME, "lobby-host", "/games/{lobby}", "Anna"),
    Spot(GAME, "lobby-player", "/games/{lobby}", "Ben"),
    Spot(GAME, "lobby-stranger", "/games/{lobby}"),
    Spot(GAME, "lobby-approval", "/games/{approval}", "Anna"),
    Spot(GAME, "lobby-join", "/games/{approval}"),
    Spot(GAME, "lobby-cancelled", "/games/{cancelled}", "Anna"),
    Spot(GAME, "offer", "/games/{game}/sit/{offer}"),
    Spot(GAME, "orders", "/games/{game}", "Anna", wait_for_table),
    Spot(GAME, "order", "/games/{game}", "Anna", first_order),
    Spot(GAME, "press", "/games/{game}", "Anna", tab("press")),
    Spot(GAME, "thread", "/games/{game}", "Anna", first_thread),
    Spot(GAME, "votes", "/games/{game}", "Anna", tab("votes")),
    Spot(GAME, "results-none", "/games/{game}", "Anna", tab("results")),
    Spot(GAME, "powers", "/games/{game}", "Anna", tab("powers")),
    Spot(GAME, "board", "/games/{game}", "Anna", tab("board")),
    Spot(GAME, "game-tab", "/games/{game}", "Anna", tab("game")),
    Spot(GAME, "help", "/games/{game}", "Anna", help_text),
    Spot(GAME, "spectator", "/games/{game}", "guest", wait_for_table),
    Spot(GAME, "paused", "/games/{paused}", "Anna", wait_for_table),
    Spot(GAME, "over", "/games/{over}", "screen", tab("results")),
    Spot(GAME, "hotseat", "/games/{hotseat}?seat=France", "screen", first_order),
    Spot(GAME, "results", "/games/{builds}?turn=1&results=1", "screen", tab("results")),
    Spot(GAME, "retreats", "/games/{retreats}?seat=Italy", "screen", first_order),
    Spot(GAME, "builds", "/games/{builds}?seat=England", "screen", wait_for_table),
    Spot(GAME, "irish", "/games/{irish}", "screen", tab("results")),
    Spot(f"{GAME}/gm-tools", "host-tools", "/games/{game}/sit/{host}>/games/{game}/gm-tools", "guest"),
    Spot(f"{GAME}/gm-tools", "host-tools-paused", "/games/{paused}/sit/{paused-host}>/games/{paused}/gm-tools"),
    Spot(f"{GAME}/gm-tools", "gm-tools", "/games/{mastered}/gm-tools", "master"),
    Spot(f"{GAME}/gm-tools", "preview", "/games/{mastered}/gm-tools", "master", preview),
    Spot(f"{GAME}/take", "take", "/games/{game}/take?power=England"),
    Spot(f"{GAME}/talk", "talk", "/games/{game}/talk?seat=Germany&seat=France", "Anna"),
    Spot(f"{GAME}/talk", "reported", "/games/{game}/talk?seat=Germany&seat=France", "Anna", report_talk),
    Spot(f"{GAME}/questions", "questions", "/games/{mastered}/questions", "Ben"),
    Spot(f"{GAME}/learn", "mistakes", "/games/{over}/learn", "screen", first_mistake),
    Spot(f"{GAME}/report", "report", "/games/{builds}/report", "screen"),
    Spot("", "error", "/games/nothere"),
)
"""Every page, in the states in which it looks different."""

NOT_PAGES = re.compile(
    r"/api/|/static/|/health/|\.(json|svg|png|css|js|ics|atom|webmanifest)$|/me/data$|/hook$|/me/push$|/events$"
)
"""The paths that answer with something else than a page."""

ELSEWHERE = {"/games/{game}/sit/{token}", "/sign-in/with/{slug}/back"}
"""The paths that lead on to a page that has a path of its own."""


def find_unprepared() -> set[str]:
    """Return the paths of pages that no spot shows; a new page must be given one."""
    paths = {route.path for route in routes() if isinstance(route, APIRoute) and "GET" in (route.methods or ())}
    pages = {path for path in paths if not NOT_PAGES.search(path) and not path.endswith("}.json")}
    return pages - {spot.route for spot in SPOTS} - ELSEWHERE


@contextmanager
def open_window(
    browser: Browser, world: World, language: str, width: int, height: int, theme: str = "light"
) -> Iterator[Callable[[Spot], Page]]:
    """Yield how to open the page of a spot in a window of a size, in a language and a theme."""
    contexts: dict[str, BrowserContext] = {}
    small = width < 500

    def greet(context: BrowserContext, who: str) -> None:
        """Give a window what the person's browser has, and the language and the theme."""
        for cookie in world.people[who].cookies.jar:
            kept = {"name": cookie.name, "value": cookie.value or "", "path": cookie.path, "domain": "127.0.0.1"}
            context.add_cookies([kept])  # type: ignore[list-item]  # a name and a value are enough
        for name, value in (("language", language), ("theme", theme)):
            context.add_cookies([{"name": name, "value": value, "url": world.site}])

    def show_spot(spot: Spot) -> Page:
        context = contexts.get(spot.who)
        if context is None:
            context = contexts[spot.who] = open_context(
                browser,
                base_url=world.site,
                viewport={"width": width, "height": height},
                has_touch=small,
                is_mobile=small,
                reduced_motion="reduce",
                locale="en-GB",
                service_workers="block",
            )
            greet(context, spot.who)
        elif spot.who == "guest":
            forget(context.pages[0])  # so that no link of an earlier page has made them a player
            greet(context, spot.who)
        page = context.pages[0] if context.pages else context.new_page()
        show(page, world, spot)
        return page

    yield show_spot
    for context in contexts.values():
        context.close()


UNFOLD = """() => {
  for (const one of document.querySelectorAll('details:not(.menu)')) one.open = true;
}"""


def show(page: Page, world: World, spot: Spot) -> None:
    """Go to the page of a spot, do there what makes its state, and open everything that is folded."""
    for address in spot.address.split(">"):
        page.goto(address.format_map(world.at))
    page.wait_for_load_state("load")
    page.evaluate(UNFOLD)
    spot.then(page)
    page.evaluate(UNFOLD)
    page.evaluate("document.fonts.ready.then(() => true)")
