"""The pages: what they are made of, what they may load, and what is told when there is none."""

import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from plenipo import library
from plenipo.server import web
from plenipo.server.web.assets import Assets

WEB = Path(web.__file__).parent


def opened(client: TestClient, **form: str) -> str:
    answer = client.post("/play", data={"variant": "standard", **form})
    assert answer.status_code == 303
    return answer.headers["location"]


def test_the_gallery_shows_every_variant_with_its_map(client: TestClient) -> None:
    page = client.get("/").text
    for name in library.names():
        assert f"/variants/{name}/picture.svg" in page
        picture = client.get(f"/variants/{name}/picture.svg")
        assert picture.headers["content-type"] == "image/svg+xml"


def test_one_form_opens_a_game_and_takes_the_seat(client: TestClient) -> None:
    address = opened(client, computers="others", power="France")
    assert address.endswith("?seat=France")
    page = client.get(address)
    assert page.status_code == 200
    assert '"seats":["France"]' in page.text
    assert '<svg xmlns="http://www.w3.org/2000/svg" class="board theme-light"' in page.text


@pytest.mark.parametrize("variant", library.names())
def test_the_game_of_every_variant_loads_under_250_kilobytes(client: TestClient, variant: str) -> None:
    page = client.get(opened(client, variant=variant))
    # icons and the manifest are fetched only when the page is added to the home screen
    loaded = re.sub(r'<link rel="(?:apple-touch-icon|manifest)"[^>]*>', "", page.text)
    addresses = re.findall(r'(?:src|href)="(/(?:static|order_set)[^"]*)"', loaded)
    order_sets = [client.get(address).text for address in addresses if ".css" in address]
    folder = addresses[0].rpartition("/")[0]
    fonts = {f"{folder}/{name}" for order_set in order_sets for name in re.findall(r"url\((fonts/[^)]*)\)", order_set)}
    sizes = {address: size_of(client, address.replace("&amp;", "&")) for address in (*addresses, *fonts)}
    assert len(fonts) == 8  # those of accented messages too
    assert size_of(client, str(page.url)) + sum(sizes.values()) < 250_000, sizes


def size_of(client: TestClient, address: str) -> int:
    answer = client.get(address, headers={"accept-encoding": "gzip"})
    assert answer.status_code == 200, address
    small = len(answer.content) < 600
    assert answer.headers.get("content-encoding") == "gzip" or small or address.endswith(".woff2"), address
    return int(answer.headers["content-length"])


@pytest.mark.parametrize("kind", ["/", "game"])
def test_a_page_names_all_its_modules_at_once_and_each_is_kept_for_a_year(client: TestClient, kind: str) -> None:
    page = client.get(kind if kind == "/" else opened(client)).text
    named = re.findall(r'(?:src|rel="modulepreload" href)="(/static/[^"]*\.js)"', page)
    assert len(named) == len(set(named))
    for address in named:
        answer = client.get(address)
        assert "immutable" in answer.headers["cache-control"]
        folder = address.rpartition("/")[0]
        assert {f"{folder}/{name}" for name in re.findall(r"from '\./([^']*)'", answer.text)} <= set(named)


def test_the_files_of_a_page_of_before_an_update_are_those_of_now(client: TestClient) -> None:
    for address in ("/static/game.js?v=0123", "/static/0123456789ab/game.js"):
        answer = client.get(address)
        assert (answer.status_code, "immutable" in answer.headers["cache-control"]) == (200, False)


def test_the_address_of_every_file_changes_when_one_of_them_does(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text("import { two } from './two.js';", encoding="utf-8")
    (tmp_path / "two.js").write_text("export const two = 2;", encoding="utf-8")
    before = Assets(tmp_path)
    assert before.modules("one.js") == (before.address("two.js"),)
    (tmp_path / "two.js").write_text("export const two = 3;", encoding="utf-8")
    assert Assets(tmp_path).address("one.js") != before.address("one.js")


_WITHOUT_SCRIPT = re.compile(r"<noscript>.*?</noscript>", re.DOTALL)


def test_the_gallery_shows_its_maps_in_one_theme(client: TestClient) -> None:
    variants = len(library.names())
    page = _WITHOUT_SCRIPT.sub("", client.get("/").text)
    assert page.count('<source media="(prefers-color-scheme:dark)"') == variants
    client.cookies.set("theme", "muted")
    page = _WITHOUT_SCRIPT.sub("", client.get("/").text)
    assert (
        "<source" in page,
        page.count('src="/variants/'),
        len(re.findall(r'src="/variants/[^"]*theme=muted"', page)),
    ) == (
        False,
        variants,
        variants,
    )


def test_a_page_loads_nothing_from_elsewhere_and_runs_nothing_inline(client: TestClient) -> None:
    for address in ("/", opened(client)):
        page = client.get(address)
        assert "script-src 'self'" in page.headers["content-security-policy"]
        assert not re.search(r'(?:src|href)="(?:https?:)?//', page.text)
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=\"", page.text)
        for script in re.findall(r"<script[^>]*>", page.text):
            assert "src=" in script or 'type="application/json"' in script


def test_a_past_moment_has_an_address(client: TestClient) -> None:
    address = opened(client)
    game = address.partition("?")[0]
    client.post(f"/api{game}/process", json={"phase_number": 1})
    page = client.get(f"{game}?turn=0&results=1")
    assert page.status_code == 200
    assert '"results": true' in page.text
    assert client.get(f"{game}?turn=1&results=1").status_code == 404
    assert client.get(f"{game}?turn=9").status_code == 404


def test_a_shared_position_is_a_page(client: TestClient) -> None:
    game = opened(client).partition("?")[0]
    link = client.post(f"/api{game}/share", json={}).json()["url"]
    client.cookies.clear()
    assert client.get(link).status_code == 200
    assert client.get(link[:-30]).status_code == 422
    assert client.get("/position?v=narnia&p=x").status_code == 422


def test_a_seat_link_seats_the_browser_beside_the_seats_it_has(client: TestClient) -> None:
    answer = client.post("/api/games", json={"variant": "standard", "seating": "links"}).json()
    client.cookies.clear()
    for power in ("France", "Italy"):
        went = client.get(answer["links"][power])
        assert (went.status_code, went.headers["location"]) == (303, answer["url"])
    assert '"seats":["France","Italy"]' in client.get(answer["url"]).text
    assert client.get(f"{answer['url']}/sit/wrong").status_code == 401


def test_cookies_are_for_their_game_alone_and_hidden_from_scripts(client: TestClient) -> None:
    answer = client.post("/play", data={"variant": "standard"})
    cookies = answer.headers.get_list("set-cookie")
    game = answer.headers["location"].partition("?")[0]
    assert len(cookies) == 2
    for cookie, path in zip(cookies, (game, f"/api{game}"), strict=True):
        assert f"Path={path};" in cookie
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie


@pytest.mark.parametrize(
    ("address", "status"),
    [("/games/nope", 404), ("/nope", 404), ("/static/nope.js", 404), ("/static/../x", 404), ("/games/x?turn=y", 422)],
)  # fmt: skip
def test_an_address_without_a_page_is_answered_by_a_page(client: TestClient, address: str, status: int) -> None:
    answer = client.get(address)
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("text/html")
    assert "Traceback" not in answer.text


def test_a_picture_is_asked_for_in_every_form(client: TestClient) -> None:
    game = opened(client).partition("?")[0]
    plain = client.get(f"{game}/picture.svg?theme=dark&labels=codes&legend=0&focus=PAR,BUR")
    assert "theme-dark" in plain.text
    assert "<style>" in plain.text
    bare = client.get(f"{game}/picture.svg?bare=1")
    assert 'id="m-space-PAR"' in bare.text
    assert client.get(f"{game}/picture.png?width=200").content.startswith(b"\x89PNG")
    css = client.get("/map.css?variant=standard&theme=dark")
    assert css.headers["content-type"].startswith("text/css")
    assert ".p-france" in css.text
    for wrong in ("theme=pink", "labels=runes", "focus=NOWHERE", "turn=7", "results=1"):
        assert client.get(f"{game}/picture.svg?{wrong}").status_code in (404, 422), wrong


@pytest.mark.parametrize("width", [3, 30_000])
def test_a_picture_of_an_unreasonable_width_is_refused_in_a_sentence(client: TestClient, width: int) -> None:
    game = opened(client).partition("?")[0]
    answer = client.get(f"{game}/picture.png?width={width}", headers={"accept": "application/json"})
    assert answer.status_code == 422
    assert "width" in answer.text
    assert "16" in answer.text or "4096" in answer.text


def test_what_has_not_changed_is_not_sent_again(client: TestClient) -> None:
    game = opened(client, computers="none").partition("?")[0]
    first = client.get(f"/api{game}")
    assert client.get(f"/api{game}", headers={"if-none-match": first.headers["etag"]}).status_code == 304
    client.post(f"/api{game}/orders", json={"phase_number": 1, "seat": "France", "give": ["A PAR H"]})
    assert client.get(f"/api{game}", headers={"if-none-match": first.headers["etag"]}).status_code == 200


def test_every_icon_that_a_page_names_is_drawn() -> None:
    drawn = set(re.findall(r'<symbol id="i-([\w-]+)"', (WEB / "templates" / "icons.svg").read_text(encoding="utf-8")))
    files = [*(WEB / "static").glob("*.js"), *(WEB / "templates").glob("*.html")]
    tabs = r"\('\w+', _\('\w+'\), '([\w-]+)'\)(?=, \('\w+', _|\] %)"
    named = {
        name
        for file in files
        for pattern in (
            r"\bicon\('([\w-]+)'",
            r"\blabelTab\(tab, '([\w-]+)'",
            *([tabs] if file.name == "game.html" else []),
        )
        for name in re.findall(pattern, file.read_text(encoding="utf-8"))
    }
    assert {"message", "map", "play"} <= named
    assert named <= drawn
