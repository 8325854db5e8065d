"""Photograph the pages, on a desk and on a phone, by day and by night, for `docs/gallery/`; run by hand.

Needs a running server: `PYTHONPATH=tests python tests/browser/take_pictures.py http://127.0.0.1:8021 docs/gallery`.
With `--all` every page is taken at six sizes by day and by night, as PNG: to be looked at, not to be kept.
"""

import io
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from browser.hands import UNHINTED, Table, chromium, open_context, unfold_cards

SIZES = {"1600": (1600, 1000), "390": (390, 844)}

TURN = {
    "France": ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MID"],
    "Germany": ["A MUN - BUR", "F KIE - DEN", "A BER - KIE"],
    "Austria": ["A VIE - GAL", "F TRI - ALB", "A BUD - SER"],
    "Russia": ["A WAR - GAL", "F SEV - BLA", "F STP/SC - BOT", "A MOS - UKR"],
    "England": ["F LON - NTH", "F EDI - NWG", "A LVP - YOR"],
    "Turkey": ["F ANK - BLA", "A CON - BUL", "A SMY - CON"],
    "Italy": ["A VEN - PIE", "A ROM - APU", "F NAP - ION"],
}
SECOND = {
    "England": ["F NTH C A YOR - NWY", "A YOR - NWY", "F NWG S A YOR - NWY"],
    "France": ["A BUR - BEL", "A MAR - SPA", "F MID - POR"],
    "Germany": ["A KIE - HOL", "F DEN - SWE", "A MUN - RUH"],
    "Russia": ["F BOT - SWE", "A WAR - GAL", "A UKR - RUM", "F SEV S A UKR - RUM"],
    "Austria": ["F ALB - GRE", "A SER S F ALB - GRE", "A VIE - GAL"],
    "Turkey": ["A BUL - GRE", "A CON - BUL", "F ANK - BLA"],
    "Italy": ["F ION - TUN", "A APU - TUN", "A PIE - MAR"],
}


LANDINGS = {
    "IRISH 1": "BUR",
    "IRISH 2": "NTH",
    "PSYCHIATRIST 1": "GAS",
    "PSYCHIATRIST 2": "MID",
    "PSYCHIATRIST 3": "WES",
}


def gallery(page: Page) -> None:
    """The start page."""
    page.goto("/")
    page.wait_for_load_state("networkidle")


def ordering(page: Page) -> None:
    """A unit in hand, two orders given."""
    table = Table.open(page).give(TURN).judge().give({"France": ["A MAR - SPA", "F MID - POR"]})
    page.goto(f"/games/{table.id}?seat=France")
    table.arrived()
    table.row("A BUR").locator(".order-button").click()


def supporting(page: Page) -> None:
    """A support half given."""
    ordering(page)
    page.locator('[data-kind="support"]').click()


def results(page: Page) -> None:
    """Show the results of a turn, with one failure unfolded."""
    table = Table.open(page).give(TURN).judge().give(SECOND)
    page.goto(f"/games/{table.id}?seat=Russia")
    table.arrived().process()
    page.locator(".result.bad .sums").first.wait_for()


def corners(page: Page) -> None:
    """Corners lit round a unit."""
    table = Table.open(page, "corner")
    page.goto(f"/games/{table.id}?seat=France")
    table.arrived()
    table.row("A PAR").locator(".order-button").click()
    page.locator('[data-zoom="mine"]').click()


def homes(page: Page) -> None:
    """1897: the secret choice."""
    Table.open(page, "1897", computers="others", power="Italy")
    page.locator('.card-choice[data-place="ROM"] button').click()


def placement(page: Page) -> None:
    """Napoleonic: units placed at the start."""
    table = Table.open(page, "napoleonic")
    page.goto(f"/games/{table.id}?seat=England")
    table.arrived()
    page.locator(".card-choice .chip").first.click()


def winter(page: Page) -> None:
    """Builds."""
    table = Table.open(page).give(TURN).judge().give(SECOND).judge()
    while "adjustment" not in table.view["phase"]["kind"]:
        table.judge()
    page.goto(f"/games/{table.id}?seat=England")
    table.arrived()
    page.locator(".card-choice .chip").first.click()


def cline(page: Page) -> None:
    """Cline's nine, the box beside the map."""
    Table.open(page, "cline")


def irish(page: Page) -> None:
    """Irish, after the first draws."""
    table = Table.open(page, "irish", computers="others", power="Italy")
    for _ in range(8):
        if (table.view["last"] or {}).get("draws"):
            break
        table.judge()
    table.again()
    page.get_by_role("tab", name="Results").click()


def drawing(page: Page) -> None:
    """Draws by hand: the game master has drawn a black hole and the province to split."""
    table = Table.open(page, "irish", options={"draws": "gm_entered", "majors": "France", "minors": "Belgium"})
    table.judge().give({"GM": [f"DRAW {walker}: {place}" for walker, place in LANDINGS.items()]}).judge()
    table.give({"GM": ["DRAW black hole: PIC", "DRAW split: NTH"]}).again()


def whatif(page: Page) -> None:
    """A fork beside what was played."""
    table = Table.open(page).give(TURN).judge().again()
    page.get_by_role("tab", name="Results").click()
    page.locator("#fork-here").click()
    page.locator("#banner").wait_for()
    table.arrived().give({"France": ["A MAR - SPA"], "Germany": ["A MUN H"]}).again()
    table.process()
    page.locator(".compare").wait_for()


def position(page: Page) -> None:
    """A shared position."""
    table = Table.open(page).give(TURN).judge()
    answer = page.request.post(f"/api/games/{table.id}/share", data={})
    page.goto(answer.json()["url"])


def helping(page: Page) -> None:
    """The order set of keys."""
    Table.open(page)
    page.get_by_role("button", name="Help and keyboard shortcuts").click()


def board(page: Page) -> None:
    """The board as a list."""
    table = Table.open(page).give(TURN).judge().again()
    page.get_by_role("tab", name="Board").click()
    table.settled()


def game(page: Page) -> None:
    """Files and tools."""
    Table.open(page).give(TURN).judge().again()
    page.get_by_role("tab", name="Game").click()
    page.get_by_role("button", name="Link").click()
    page.locator("#shared").wait_for()


def error(page: Page) -> None:
    """Open an address that does not exist."""
    page.goto("/games/nothere")


def choosing(page: Page) -> None:
    """The start page with seats to choose."""
    gallery(page)
    page.get_by_text("Game options").first.click()


def variant(page: Page) -> None:
    """The page of a variant, its options open."""
    page.goto("/variants/irish")
    page.locator(".options > summary").click()


def rules(page: Page) -> None:
    """The rules of a variant."""
    page.goto("/variants/corner/rules")
    page.wait_for_load_state("networkidle")


def hosting(page: Page) -> None:
    """A game hosted for others."""
    page.goto("/variants/standard/host")


def waiting(page: Page) -> None:
    """The lobby of a game that has not begun."""
    page.context.clear_cookies(name="seat")
    hosting(page)
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Create the game").click()
    page.locator(".lobby").wait_for()


def bank(page: Page) -> None:
    """The bank of variants."""
    page.goto("/bank")


def signing_in(page: Page) -> None:
    """The ways to sign in."""
    page.goto("/sign-in")


def account(page: Page) -> None:
    """Show the account page of a signed-in player."""
    waiting(page)
    page.goto("/me")


def finding(page: Page) -> None:
    """Seats among strangers."""
    page.goto("/find")


def report(page: Page) -> None:
    """A turn to be printed."""
    table = Table.open(page).give(TURN).judge()
    page.goto(f"/games/{table.id}/report")


def _hosted(page: Page, **more: object) -> tuple[str, dict[str, str], dict[str, str]]:
    """A game among three people, begun: its address, the keys of all its seats, and those who sit."""
    body = {"variant": "standard", "lobby": True, "settings": {"press": {"preset": "Full press"}}, **more}
    game = page.request.post("/api/games", data=body).json()
    invitation = {"authorization": f"Bearer {game['invitation'].rpartition('/')[2]}"}
    keys = {}
    for name, power in {"Anna": "France", "Ben": "Germany", "Cleo": "England"}.items():
        answer = page.request.post(
            f"/api/games/{game['id']}/join", data={"name": name, "power": power}, headers=invitation
        )
        keys[power] = answer.json()["key"]
        page.context.clear_cookies(name=re.compile("^(?!theme$)"))  # each is a different player
    host = {"authorization": f"Bearer {game['keys']['all']}"}
    answer = page.request.post(f"/api/games/{game['id']}/start", data={}, headers=host)
    assert answer.ok, answer.text()
    page.context.clear_cookies(name=re.compile("^(?!theme$)"))
    return f"/games/{game['id']}", game["keys"], keys


def messages(page: Page) -> None:
    """Messages between two, one of them with a proposal."""
    address, _, keys = _hosted(page)
    for power, other, body in (
        ("Germany", "France", {"text": "Shall we leave **Burgundy** to nobody?"}),
        ("France", "Germany", {"text": "Gladly.", "proposal": ["A MUN - RUH", "A PAR - PIC"]}),
        ("Germany", "France", {"text": "Then Belgium is yours, and Holland mine."}),
    ):
        answer = page.request.post(
            f"/api{address}/press",
            data={"seat": power, "to": [other], **body},
            headers={"authorization": f"Bearer {keys[power]}"},
        )
        assert answer.ok, answer.text()
    page.goto(f"{address}/sit/{keys['France']}")
    Table(page).arrived()
    page.get_by_role("tab", name="Press").click()
    page.locator(".thread").first.click()


def votes(page: Page) -> None:
    """Two motions, on one of which one has voted."""
    address, _, keys = _hosted(page)
    for power, body in (("Germany", {"kind": "draw"}), ("France", {"kind": "draw"}), ("England", {"kind": "abandon"})):
        headers = {"authorization": f"Bearer {keys[power]}"}
        answer = page.request.post(f"/api{address}/votes", data=body, headers=headers)
        assert answer.ok, answer.text()
    page.goto(f"{address}/sit/{keys['France']}")
    Table(page).arrived()
    page.get_by_role("tab", name="Votes").click()


def desk(page: Page) -> None:
    """The GM tools."""
    address, keys, _ = _hosted(page)
    page.goto(f"{address}/sit/{keys['all']}")
    page.goto(f"{address}/gm-tools")


LIVE = {
    "zone": "Europe/London",
    "movement": {"within": "10m"},
    "retreats": {"within": "3m"},
    "adjustments": {"within": "3m"},
    "time_bank": "15m",
    "later": [{"after": "2h", "movement": {"within": "5m"}}],
    "end": {"year": 1905},
}


def _live(page: Page, **settings: object) -> tuple[str, dict[str, str], dict[str, str]]:
    """A live game among three people, begun."""
    return _hosted(page, schedule=LIVE, settings={"press": {"preset": "Full press"}, **settings})


def live(page: Page) -> None:
    """A live game, with the time bank of its seats."""
    address, _, keys = _live(page)
    page.goto(f"{address}/sit/{keys['France']}")
    Table(page).arrived()


def tomorrow(page: Page) -> None:
    """Show a live game with an open vote to continue tomorrow."""
    address, _, keys = _live(page)
    headers = {"authorization": f"Bearer {keys['Germany']}"}
    goes_on = (datetime.now(UTC) + timedelta(hours=20)).isoformat()
    answer = page.request.post(f"/api{address}/votes", data={"kind": "tomorrow", "goes_on": goes_on}, headers=headers)
    assert answer.ok, answer.text()
    page.goto(f"{address}/sit/{keys['France']}")
    Table(page).arrived()
    page.get_by_role("tab", name="Votes").click()


def live_desk(page: Page) -> None:
    """Show the GM tools of a live game."""
    address, keys, _ = _live(page, spectators="public", delay="2 phases")
    page.goto(f"{address}/sit/{keys['all']}")
    page.goto(f"{address}/gm-tools")
    for summary in page.locator("summary").all():
        summary.click()


def looking_on(page: Page) -> None:
    """A game as it is shown late."""
    address, _, _ = _live(page, spectators="public", delay="2 phases")
    page.goto(address)
    Table(page).arrived()


def hosting_live(page: Page) -> None:
    """A live game in the making, with powers that are hired."""
    page.goto("/variants/intimate/host")
    unfold_cards(page)
    for summary in page.locator("summary").all():
        summary.click()
    page.locator("input[name=schedule][value=Live]").check()


def hosting_by_hand(page: Page) -> None:
    """A game in the making, with days and hours of its own."""
    page.goto("/variants/irish/host")
    unfold_cards(page)
    page.locator("input[name=schedule][value='by hand']").check()


def retreating(page: Page) -> None:
    """A unit that must retreat, in hand."""
    table = Table.open(page).give({"Germany": ["A MUN - TYO"]}).judge()
    table.give({"Germany": ["A TYO - VEN"], "Austria": ["F TRI S A TYO - VEN"]}).judge()
    page.goto(f"/games/{table.id}?seat=Italy")
    table.arrived()
    table.row("A VEN").locator(".order-button").click()


def removing(page: Page) -> None:
    """A unit to be removed."""
    table = Table.open(page).give({"Germany": ["A MUN - TYO"]}).judge()
    table.give({"Germany": ["A TYO - VEN"], "Austria": ["F TRI S A TYO - VEN"]}).judge()
    table.give({"Italy": ["A VEN R TUS"]}).judge()
    page.goto(f"/games/{table.id}?seat=Italy")
    table.arrived()


def history(page: Page) -> None:
    """A turn of the past, with its orders."""
    table = Table.open(page).give(TURN).judge().give(SECOND).judge()
    page.goto(f"/games/{table.id}?turn=0&results=1")
    table.arrived()


def doubting(page: Page) -> None:
    """One's own plan with two things to look at again."""
    table = Table.open(page).give({"France": ["A PAR - BUR", "A MAR - BUR"], "England": ["F LON S F EDI - YOR"]})
    page.goto(f"/games/{table.id}?seat=France")
    table.arrived()
    page.locator("#process").click()
    page.locator("#doubts[role=alert]").wait_for()


def finished(page: Page) -> None:
    """A game that is over."""
    table = Table.open(page).give(TURN).judge()
    page.request.post(f"/api/games/{table.id}/draw", data={"phase_number": table.view["phase_number"]})
    table.again()


def powers(page: Page) -> None:
    """The powers, as a list of its own where the screen is small."""
    Table.open(page).give(TURN).judge().again()
    tab = page.get_by_role("tab", name="Powers")
    if tab.is_visible():
        tab.click()


EVERYWHERE = ("light-1600", "dark-1600", "light-390", "dark-390")

SHOTS: dict[Callable[[Page], None], tuple[str, ...]] = {
    gallery: EVERYWHERE,
    ordering: EVERYWHERE,
    results: EVERYWHERE,
    position: EVERYWHERE,
    error: EVERYWHERE,
    supporting: ("dark-1600",),
    corners: ("light-1600", "dark-390"),
    homes: ("light-1600", "light-390"),
    placement: ("dark-1600",),
    winter: ("light-1600", "light-390"),
    cline: ("light-1600",),
    irish: ("light-1600", "light-390"),
    drawing: ("light-1600", "light-390"),
    whatif: ("light-1600",),
    helping: ("light-1600",),
    board: ("dark-1600",),
    game: ("light-1600", "light-390"),
    messages: EVERYWHERE,
    votes: ("light-1600", "light-390"),
    waiting: ("light-1600", "light-390"),
    desk: ("light-1600", "light-390"),
    bank: ("light-1600", "light-390"),
    variant: ("light-1600",),
    rules: ("light-1600",),
    hosting: ("light-1600", "light-390"),
    finding: ("light-1600",),
    signing_in: ("light-390",),
    account: ("light-1600", "light-390"),
    report: ("light-1600",),
}
"""Which pictures there are of each scene: the colours and the width."""

SCENES: tuple[Callable[[Page], None], ...] = (
    *SHOTS,
    choosing,
    retreating,
    removing,
    history,
    doubting,
    finished,
    powers,
    live,
    tomorrow,
    live_desk,
    looking_on,
    hosting_live,
    hosting_by_hand,
)
"""Every page, and the table in each kind of phase."""

ALL_SIZES = ((390, 844), (1024, 768), (1280, 800), (1366, 768), (1600, 1000), (1920, 1080))


@contextmanager
def opened(browser: Browser, site: str, theme: str, width: int, height: int) -> Iterator[Page]:
    """A window of a size in the colours of a theme; a narrow one is a phone's."""
    small = width < 500
    context = open_context(
        browser,
        base_url=site,
        viewport={"width": width, "height": height},
        has_touch=small,
        is_mobile=small,
        reduced_motion="reduce",
    )
    context.add_cookies([{"name": "theme", "value": theme, "url": site}])
    yield context.new_page()
    context.close()


def take_all(site: str, folder: Path, wanted: list[str]) -> None:
    """Every page at six sizes, by day and by night."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", UNHINTED])
        for theme in ("light", "dark"):
            with opened(browser, site, theme, *ALL_SIZES[-1]) as desk, opened(browser, site, theme, 390, 844) as phone:
                for scene in SCENES:
                    if wanted and scene.__name__ not in wanted:
                        continue
                    for page, sizes in ((phone, ALL_SIZES[:1]), (desk, ALL_SIZES[:0:-1])):
                        page.set_viewport_size({"width": sizes[0][0], "height": sizes[0][1]})
                        scene(page)
                        for width, height in sizes:
                            page.set_viewport_size({"width": width, "height": height})
                            page.wait_for_timeout(500)
                            page.screenshot(path=folder / f"{scene.__name__}-{theme}-{width}.png")
        browser.close()


def main(site: str, folder: Path, wanted: list[str]) -> None:
    """Take the pictures, as WebP."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", UNHINTED])
        for look in EVERYWHERE:
            theme, size = look.split("-")
            with opened(browser, site, theme, *SIZES[size]) as page:
                for scene, looks in SHOTS.items():
                    if look not in looks or (wanted and scene.__name__ not in wanted):
                        continue
                    scene(page)
                    page.wait_for_timeout(700)
                    image = Image.open(io.BytesIO(page.screenshot()))
                    image.save(folder / f"page-{scene.__name__}-{look}.webp", quality=80, method=6)
        browser.close()


if __name__ == "__main__":
    names = [name for name in sys.argv[3:] if name != "--all"]
    (take_all if "--all" in sys.argv else main)(sys.argv[1], Path(sys.argv[2]), names)
