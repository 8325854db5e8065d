"""Rate limits: shared by all processes, counted for persons and networks, met by every route that costs something."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from sqlalchemy import select

from plenipo import library
from plenipo.server import uploads
from plenipo.server.errors import TooOften
from plenipo.server.limits import RATES, Limits, Rate
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store, schema
from plenipo.server.store.counters import Counters
from plenipo.server.web.app import PARTS, create_app
from server.clocks import ManualClock, store_by_hand
from waiting import run_together

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
HERE = ("127.0.0.1", 50000)
ELSEWHERE = ("203.0.113.7", 50000)
RUNNING = Path(__file__).parents[2] / "docs" / "running.md"


@pytest.fixture
def shared(address: str) -> Iterator[Store]:
    yield from store_by_hand(address)


def rates(**most: int) -> Mapping[str, Rate]:
    """The rates with other numbers for networks."""
    return {name: replace(rate, network=most.get(name, rate.network)) for name, rate in RATES.items()}


def taken(limits: Limits, name: str, times: int, **subjects: str) -> int:
    """Return the number of allowed attempts among `times`."""
    done = 0
    for _ in range(times):
        try:
            limits.take(name, **subjects)
        except TooOften:
            continue
        done += 1
    return done


# Counting


def test_a_limit_holds_for_all_processes_together_and_after_a_restart(shared: Store) -> None:
    clock = ManualClock(NOW)
    processes = [Limits(shared.of(Counters), clock) for _ in range(3)]
    assert sum(taken(one, "guests", 29, network="203.0.113.7") for one in processes) == 30
    assert taken(Limits(shared.of(Counters), clock), "guests", 5, network="203.0.113.7") == 0
    assert taken(processes[0], "guests", 5, network="203.0.113.8") == 5
    clock.time += HOUR
    assert taken(processes[1], "guests", 60, network="203.0.113.7") == 30


def test_what_processes_reserve_is_never_more_than_the_limit(shared: Store) -> None:
    clock = ManualClock(NOW)
    processes = [Limits(shared.of(Counters), clock) for _ in range(4)]
    calls = [partial(taken, one, "messages", 60, person="anna") for one in processes]
    done = [number for number in run_together(*calls) if isinstance(number, int)]
    assert len(done) == 4
    assert 100 - 4 * 5 <= sum(done) <= 100


def test_one_process_allows_exactly_the_limit(shared: Store) -> None:
    for name, rate in RATES.items():
        subjects = {kind: getattr(rate, kind) for kind in ("person", "network", "mail") if getattr(rate, kind)}
        for kind, most in subjects.items():
            assert (
                taken(Limits(shared.of(Counters), ManualClock(NOW)), name, most + 3, **{kind: f"{name} {kind}"}) == most
            )


def test_a_refusal_says_when_to_try_again(store: Store) -> None:
    clock = ManualClock(NOW)
    limits = Limits(store.of(Counters), clock, rates(games=3))
    for _ in range(3):
        limits.take("games", network="203.0.113.1")
        clock.time += timedelta(minutes=10)
    said = r"^Too many games were opened from one address; try again in 30 minutes\.$"
    with pytest.raises(TooOften, match=said) as refused:
        limits.take("games", network="203.0.113.1")
    assert refused.value.headers == {"retry-after": "1800"}
    limits.take("games", network="203.0.113.2")
    clock.time += timedelta(minutes=30)
    limits.take("games", network="203.0.113.1")


def test_a_flood_that_is_refused_asks_the_database_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    take = store.of(Counters).take

    def ask(*said: Any) -> tuple[bool, datetime]:
        asked.append(said[0])
        return take(*said)

    monkeypatch.setattr(store.of(Counters), "take", ask)
    limits = Limits(store.of(Counters), ManualClock(NOW))
    assert taken(limits, "orders", 10_000, person="anna") == 600
    assert len(asked) <= 23


def test_a_network_of_ipv6_is_one_address_and_an_unknown_one_is_not_limited(store: Store) -> None:
    limits = Limits(store.of(Counters), ManualClock(NOW), rates(games=1))
    limits.take("games", network="2001:db8::1")
    with pytest.raises(TooOften):
        limits.take("games", network="2001:db8::2")
    limits.take("games", network="2001:db8:0:1::1")
    limits.take("games", network="203.0.113.9")
    with pytest.raises(TooOften):
        limits.take("games", network="::ffff:203.0.113.9")
    assert taken(limits, "games", 5, network="") == 5


def test_a_counter_identifies_neither_the_person_nor_the_action(store: Store, tmp_path: Path) -> None:
    limits = Limits(store.of(Counters), ManualClock(NOW))
    limits.take("messages", person="anna-anna-anna", network="203.0.113.77")
    limits.take("mailed codes", mail="anna@example.org")
    with store.engine.connect() as connection:
        subjects = connection.execute(select(schema.counters.c.subject)).scalars().all()
    assert len(subjects) == 3
    assert all(re.fullmatch("[0-9a-f]{64}", subject) for subject in subjects)
    store.close()
    for file in tmp_path.glob("games.sqlite*"):
        for text in (b"anna", b"203.0.113.77"):
            assert text not in file.read_bytes()


# Counted clients


def opens(
    service: GameService, client: tuple[str, int], *, for_others: bool, headers: Mapping[str, str] | None = None
) -> int:
    """Return how many of two games a client may open where one is allowed."""
    app = create_app(service, loops="none", for_others=for_others)
    app.state.services.limits = Limits(service.store.of(Counters), service.clock, rates(games=1))
    with TestClient(app, client=client, follow_redirects=False) as browser:
        answers = [browser.post("/play", data={"variant": "standard"}, headers=headers or {}) for _ in range(2)]
    return sum(answer.status_code == 303 for answer in answers)


@pytest.mark.parametrize(
    ("client", "for_others", "headers", "opened"),
    [
        (HERE, False, {}, 2),
        (("::1", 50000), False, {}, 2),
        (ELSEWHERE, False, {}, 1),
        (HERE, False, {"x-forwarded-for": "127.0.0.1"}, 1),
        (HERE, False, {"forwarded": "for=127.0.0.1"}, 1),
        (HERE, True, {}, 1),
        (ELSEWHERE, True, {}, 1),
    ],
)
def test_only_the_person_at_the_machine_of_their_own_server_is_not_limited(
    service: GameService, client: tuple[str, int], *, for_others: bool, headers: dict[str, str], opened: int
) -> None:
    assert opens(service, client, for_others=for_others, headers=headers) == opened


# Counted requests


class UsedUp(Limits):
    """Limits of which nothing is left."""

    def take(self, name: str, *, person: str | None = None, network: str = "", mail: str = "", about: str = "") -> None:
        assert person or network or mail or about
        raise TooOften(f"Too many {self.rates[name].what}.", HOUR)


def test_every_route_that_changes_something_is_counted(client: TestClient, service: GameService) -> None:
    client.app.state.services.limits = UsedUp(service.store.of(Counters), service.clock)  # type: ignore[attr-defined]
    asked = 0
    for route in (route for part in PARTS for route in part.router.routes if isinstance(route, APIRoute)):
        for method in sorted(set(route.methods or ()) - {"GET", "HEAD"}):
            path = re.sub(r"\{[^}]*\}", "1", route.path)
            body: dict[str, Any] = {"json": {}} if path.startswith("/api/") else {"data": {}}
            answer = client.request(method, path, **body)
            assert answer.status_code == 429, (method, route.path, answer.text[:200])
            assert answer.headers["retry-after"] == "3600"
            asked += 1
    assert asked > 80


COSTLY: list[tuple[str, str, str, Any]] = [
    ("adjudications", "POST", "/api/adjudicate", {"variant": "standard", "position": {}}),
    ("completions", "GET", "/api/games/{game}/complete?seat=France&text=A", None),
    (
        "deals",
        "POST",
        "/api/games/{game}/deals",
        {
            "seat": "France",
            "phase_number": 1,
            "partner": "Italy",
            "clauses": [{"power": "France", "keep_out": ["PIE"]}],
        },
    ),
    ("hints", "GET", "/api/games/{game}/hint?seat={seat}", None),
    ("hints", "POST", "/api/games/{game}/review/0?power={seat}", {"orders": []}),
    ("messages", "POST", "/api/games/{game}/press", {"seat": "France", "to": ["Italy"], "text": "Hello"}),
    ("messages", "POST", "/games/{game}/chat", None),
    ("invitations", "POST", "/games/{game}/invite", None),
    ("orders", "POST", "/api/games/{game}/orders", {"seat": "France", "phase_number": 1, "give": ["A PAR H"]}),
    ("orders", "PUT", "/api/games/{game}/orders", {"seat": "France", "phase_number": 1, "orders": ["A PAR H"]}),
    ("games", "POST", "/api/games/{game}/fork", {}),
    ("uploads", "POST", "/api/games/upload", {}),
    ("uploads", "POST", "/api/games/open", {"text": "x"}),
    ("games", "POST", "/api/games", {"variant": "standard"}),
    ("previews", "POST", "/api/games/{game}/preview", {}),
    ("reminders", "POST", "/games/{game}/gm-tools/remind", None),
    ("guests", "POST", "/games/{game}/claim", None),
]


@pytest.mark.parametrize(("name", "method", "path", "body"), COSTLY)
def test_what_costs_something_is_refused_in_one_sentence_once_it_was_asked_for_too_often(
    client: TestClient, service: GameService, name: str, method: str, path: str, body: Any
) -> None:
    game = service.open(NewGameRequest("standard", {}))
    client.app.state.services.limits = Limits(service.store.of(Counters), service.clock, rates(**{name: 1}))  # type: ignore[attr-defined]
    client.app.state.services.accounts.limits = client.app.state.services.limits  # type: ignore[attr-defined]
    client.headers["authorization"] = f"Bearer {game.all_seats}"
    fields = {"data": {"name": "Anna", "power": "France"}} if body is None else {"json": body}
    answers = [
        client.request(method, path.format(game=game.id, seat=seat), **({} if method == "GET" else fields))
        for seat in ("France", "Italy", "Russia")  # an answer that is kept is not counted again
    ]
    assert answers[0].status_code != 429, answers[0].text
    assert answers[-1].status_code == 429
    assert 0 < int(answers[-1].headers["retry-after"]) <= 24 * 3600
    assert f"Too many {RATES[name].what} from one address" in answers[-1].text


DRAWN: dict[str, tuple[str, ...]] = {
    "/games/{game}/picture.svg?focus=%s": ("PAR", "MAR", "BRE"),
    "/games/{game}/picture.svg?%s": ("labels=codes", "legend=0", "influence=1"),
    "/games/{game}/report?turn=%s": ("0", "1", "0"),
    "/variants/corner/cases/%s.svg": ("COR-01", "COR-02", "COR-03"),
    "/variants/%s/picture.svg": ("standard", "1897", "corner"),
    "/position?v=standard&p=%s": ("0", "1", "2"),
    "/position/edit?v=%s": ("standard", "1897", "corner"),
}
"""Addresses that make a drawing each time, and what differs in them."""


@pytest.mark.parametrize("address", DRAWN)
def test_maps_and_reports_are_limited_by_network_where_they_are_made(
    client: TestClient, service: GameService, address: str
) -> None:
    game = service.open(NewGameRequest("standard", {}))
    for number in (1, 2):
        service.phases.process(game.id, service.credentials(game.id, [game.all_seats]), number)
    values = DRAWN[address]
    if "p=" in address:
        rules = uploads.rules_of("standard")
        phases = [{"phase": f"Spring {year} movement"} for year in (1902, 1903, 1904)]
        values = tuple(uploads.pack_position(uploads.edit_position(rules.opening, rules, phase)) for phase in phases)
    addresses = [address.format(game=game.id) % value for value in values]
    app = client.app
    app.state.services.limits = Limits(service.store.of(Counters), service.clock, rates(drawings=2))  # type: ignore[attr-defined]
    client.headers["authorization"] = f"Bearer {game.all_seats}"
    answers = [client.get(one) for one in addresses]
    assert [answer.status_code for answer in answers] == [200, 200, 429], answers[0].text[:200]
    assert "Too many maps were drawn from one address" in answers[-1].text
    if "report" not in address:
        assert client.get(addresses[0]).status_code == 200  # an answer that is cached is not counted


def test_a_long_report_counts_as_several_drawings(client: TestClient, service: GameService) -> None:
    game = service.open(NewGameRequest("standard", {}))
    credentials = service.credentials(game.id, [game.all_seats])
    for number in range(1, 12):
        service.phases.process(game.id, credentials, number)
    client.app.state.services.limits = Limits(service.store.of(Counters), service.clock, rates(drawings=2))  # type: ignore[attr-defined]
    client.headers["authorization"] = f"Bearer {game.all_seats}"
    statuses = [client.get(f"/games/{game.id}/report").status_code for _ in range(2)]
    assert statuses == [200, 429]


COMBINED = (
    "/variants/{both}",
    "/variants/{both}/rules",
    "/variants/{both}/host",
    "/variants/{both}/picture.svg",
    "/api/variants/{both}",
    "/map.css?variant={both}",
    "/position/edit?v={both}",
)
"""Addresses that combine the variants that they name."""


@pytest.mark.parametrize("address", COMBINED)
def test_variants_are_combined_so_often_for_a_network_and_no_more(
    client: TestClient, service: GameService, address: str
) -> None:
    client.app.state.services.limits = Limits(service.store.of(Counters), service.clock, rates(combinations=1))  # type: ignore[attr-defined]
    library._SOURCES.clear()  # earlier tests may have combined the same
    names = [f"standard%2B{other}" for other in ("corner", "1897", "cancelled-out")]
    answers = [client.get(address.format(both=name)) for name in names]
    assert [answer.status_code for answer in answers] == [200, 429, 429], answers[0].text[:200]
    assert "Too many variants were combined from one address" in answers[-1].text
    assert client.get(address.format(both=names[0])).status_code == 200
    assert client.get(address.format(both="standard")).status_code == 200


def test_pngs_are_limited_by_network_and_refused_if_they_are_too_wide(client: TestClient, service: GameService) -> None:
    game = service.open(NewGameRequest("standard", {}))
    services = client.app.state.services  # type: ignore[attr-defined]
    services.limits = Limits(service.store.of(Counters), service.clock, rates(pictures=1))
    address = f"/games/{game.id}/picture.png?width="
    for width in (1601, 2000, 4096):
        assert client.get(f"{address}{width}").status_code == 422, width
    services.renderer.png = lambda _svg, _width: b"a picture"
    statuses = [client.get(f"{address}{width}").status_code for width in (1600, 800, 1600)]
    assert statuses == [200, 429, 200]


def test_a_person_is_counted_from_every_network(service: GameService) -> None:
    app = create_app(service, loops="none")
    mine = {**RATES, "games": replace(RATES["games"], person=2)}
    app.state.services.limits = Limits(service.store.of(Counters), service.clock, mine)
    token = app.state.services.accounts.guest("Anna").token
    statuses = []
    for number in range(3):
        with TestClient(app, client=(f"203.0.113.{number}", 1), follow_redirects=False) as browser:
            browser.cookies.set("session", token)
            answer = browser.post("/play", data={"variant": "standard"})
            statuses.append(answer.status_code)
    assert statuses == [303, 303, 429]
    assert "by one person" in answer.text


def test_a_sign_in_page_that_refuses_says_when_to_try_again(client: TestClient, service: GameService) -> None:
    accounts = client.app.state.services.accounts  # type: ignore[attr-defined]
    accounts.limits = UsedUp(service.store.of(Counters), service.clock)
    for path, form in (("/sign-in", {"mail": "anna@example.org"}), ("/sign-in/words", {"words": "abandon " * 12})):
        answer = client.post(path, data=form)
        assert answer.status_code == 429, path
        assert answer.headers["retry-after"] == "3600", path
        assert "Too many" in answer.text


# Documentation


def test_the_documentation_lists_every_limit_with_its_numbers() -> None:
    table = RUNNING.read_text(encoding="utf-8").partition("## Limits")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([^`]+)` \| ([^|]*) \| ([^|]*) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$", table, re.MULTILINE)
    periods = {timedelta(minutes=10): "10 minutes", HOUR: "1 hour", timedelta(days=1): "1 day"}
    wanted = [
        (name, *(str(most or "") for most in (rate.person, rate.network, rate.mail)), periods[rate.period])
        for name, rate in RATES.items()
    ]
    assert [(row[0], *(part.strip() for part in row[2:])) for row in rows] == wanted
