"""Web push against a push service of our own, which speaks the protocol and opens what comes as a browser does."""

import http.server
import json
import ssl
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from fastapi.testclient import TestClient

from plenipo.server.keys import digest
from plenipo.server.people.mail import Outgoing
from plenipo.server.people.push import data_of, encrypt_message, private_key, public_key, readable, text
from plenipo.server.people.webhooks import HookRefusedError, Poster
from plenipo.server.store import Store
from plenipo.server.store.notifications import NotificationStore
from plenipo.server.store.persons import Persons, StoredSession
from plenipo.server.store.subscriptions import Subscriptions
from plenipo.server.store.values import Subscription
from plenipo.server.web.app import create_app
from season_devices import Device
from server.test_notifications import NOW, Table
from waiting import LIMIT

FORM = {"content-type": "application/x-www-form-urlencoded"}


def test_a_message_is_encrypted_as_in_the_example_of_the_standard() -> None:
    """RFC 8291, section 5 and appendix A."""
    to = Subscription(
        "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    )
    own = private_key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    message = b"When I grow up, I want to be a watermelon"
    assert text(encrypt_message(message, to, own, data_of("DGv6ra1nlYgDCS1FRnbzlw"))) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


@dataclass
class Service:
    """A push service: what came to it, and what it answers."""

    port: int
    poster: Poster
    status: list[int]
    came: list[tuple[str, dict[str, str], bytes]]

    def device(self, name: str) -> Device:
        return Device(f"https://localhost:{self.port}/{name}")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("certificate")
    key, made = folder / "key.pem", folder / "certificate.pem"
    subject = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    make = (
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    )
    command = [*make, "-keyout", str(key), "-out", str(made), *subject]
    subprocess.run(command, check=True, capture_output=True, timeout=LIMIT)  # noqa: S603  # our own
    return key, made


@pytest.fixture
def service(certificate: tuple[Path, Path]) -> Iterator[Service]:
    came: list[tuple[str, dict[str, str], bytes]] = []
    status = [201]

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # its library's name
            headers = {name.lower(): value for name, value in self.headers.items()}
            came.append((self.path, headers, self.rfile.read(int(headers["content-length"]))))
            self.send_response(status[0])
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    key, made = certificate
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield Service(
        server.server_address[1], Poster(ssl.create_default_context(cafile=str(made)), private=True), status, came
    )
    server.shutdown()
    server.server_close()


@pytest.fixture
def table(store: Store, service: Service) -> Table:
    made = Table(store)
    made.mail = Outgoing(made.inbox, "https://plenipo.example", poster=service.poster)
    return made


def told(table: Table, power: str, device: Device, session: str = "") -> str:
    """Subscribe a player to push messages on a device, in a separate browser; returns the session."""
    session = session or digest(device.endpoint)
    persons = table.service.store.of(Persons)
    if session not in [one.digest for one in persons.sessions(table.people[power])]:
        persons.sign_in(StoredSession(session, table.people[power], "Firefox", NOW, NOW))
    fields = device.fields
    found = readable(fields["endpoint"], fields["p256dh"], fields["auth"], private=True)
    table.service.store.of(Subscriptions).keep(session, found)
    return session


def test_a_push_notification_has_public_facts_and_only_the_browser_can_read_it(table: Table, service: Service) -> None:
    device, other = service.device("ben"), service.device("other")
    told(table, "Italy", device)
    table.sent()
    service.came.clear()
    table.write("France", "Italy", "Mordor")
    table.sent(timedelta(minutes=10))
    ((path, headers, content),) = service.came
    assert path == "/ben"
    said = device.opened(content)
    assert said["title"] == "Quai: messages for you"
    assert said["url"] == f"/games/{table.game.id}"
    for secret in ("Mordor", "France", "Anna"):
        assert secret not in json.dumps(said)
    assert b"Quai" not in content
    with pytest.raises(InvalidTag):
        other.opened(content)
    assert headers["content-encoding"] == "aes128gcm"
    assert int(headers["ttl"]) > 0
    assert len(headers["topic"]) <= 32


def test_a_message_is_signed_with_the_key_of_the_server_for_its_push_service(table: Table, service: Service) -> None:
    told(table, "Italy", service.device("ben"))
    table.process()
    table.sent()
    authorization = service.came[-1][1]["authorization"]
    scheme, _, rest = authorization.partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    head, claims, signature = parts["t"].split(".")
    store = table.service.store.of(Subscriptions)
    assert scheme == "vapid"
    assert parts["k"] == public_key(store.own_key("push", lambda: ""))
    assert json.loads(data_of(head)) == {"typ": "JWT", "alg": "ES256"}
    said = json.loads(data_of(claims))
    assert said["aud"] == f"https://localhost:{service.port}"
    assert said["sub"] == "https://plenipo.example"
    assert 0 < said["exp"] - table.clock.time.timestamp() <= 24 * 3600
    signed = data_of(signature)
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data_of(parts["k"]))
    whole = encode_dss_signature(int.from_bytes(signed[:32], "big"), int.from_bytes(signed[32:], "big"))
    key.verify(whole, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_takes_nothing_more_is_forgotten(table: Table, service: Service, status: int) -> None:
    session = told(table, "Italy", service.device("ben"))
    service.status[0] = status
    table.process()
    table.sent()
    assert session not in table.service.store.of(Subscriptions).of(table.people["Italy"])
    before = len(service.came)
    table.process()
    table.sent(timedelta(days=1))
    assert len(service.came) == before


@pytest.mark.parametrize(("status", "tries"), [(429, 2), (503, 2), (400, 1), (413, 1)])
def test_a_push_service_that_is_busy_is_asked_again_and_one_that_refuses_is_not(
    table: Table, service: Service, status: int, tries: int
) -> None:
    told(table, "Italy", service.device("ben"))
    table.sent()
    service.came.clear()
    service.status[0] = status
    table.process()
    table.sent()
    service.status[0] = 201
    table.sent(timedelta(minutes=2))
    assert len(service.came) == tries


def test_notifications_end_when_a_player_signs_out_or_leaves(table: Table, service: Service) -> None:
    store = table.service.store
    first = told(table, "Italy", service.device("ben"))
    told(table, "Turkey", service.device("cleo"))
    table.sent()
    service.came.clear()
    table.process()
    store.of(Persons).sign_out(table.people["Italy"], [first])
    store.of(Persons).delete(table.people["Turkey"], "a player who left")
    table.sent()
    assert service.came == []
    with store.engine.connect() as connection:
        left = connection.exec_driver_sql("SELECT count(*) FROM subscriptions").scalar_one()
    assert left == 0


def test_a_device_that_is_given_on_tells_its_new_owner_alone(table: Table, service: Service) -> None:
    device = service.device("shared")
    told(table, "Italy", device)
    told(table, "Turkey", device, session=digest("cleo"))
    subscriptions = table.service.store.of(Subscriptions)
    assert subscriptions.of(table.people["Italy"]) == {}
    assert len(subscriptions.of(table.people["Turkey"])) == 1


def test_nothing_is_pushed_in_quiet_hours_nor_of_what_one_does_not_want(table: Table, service: Service) -> None:
    told(table, "Italy", service.device("ben"))
    telling, ben = table.service.store.of(NotificationStore), table.people["Italy"]
    with TestClient(create_app(table.service, loops="none"), follow_redirects=False) as client:
        persons = table.service.store.of(Persons)
        persons.sign_in(StoredSession(digest("token"), ben, "Firefox", NOW, NOW))
        client.cookies.set("session", "token")
        fields = {"turn": ["push"], "from": "11", "until": "14", "zone": "UTC"}
        assert client.post("/me/notifications", data=fields).status_code == 303
    assert telling.preferences(ben).kinds["turn"] == ("push",)
    table.sent()
    service.came.clear()
    table.process()
    table.write("France", "Italy")
    assert "ben@example.org" not in [str(mail["To"]) for mail in table.sent(timedelta(hours=1))]
    assert service.came == []
    table.sent(timedelta(hours=1))
    assert len(service.came) == 1


def test_a_page_shows_the_notifications_of_its_browser_and_impossible_ones_are_refused(
    table: Table, service: Service
) -> None:
    store = table.service.store
    store.of(Persons).sign_in(StoredSession(digest("token"), table.people["Italy"], "Firefox", NOW, NOW))
    good = service.device("ben").fields | {"endpoint": "https://push.example/ben"}
    with TestClient(create_app(table.service, loops="none"), raise_server_exceptions=False) as client:
        assert client.post("/me/push", data=good).status_code == 401
        client.cookies.set("session", "token")
        key = client.get("/me/push").json()["key"]
        assert len(data_of(key)) == 65
        assert client.get("/me/push").json()["key"] == key
        assert client.post("/me/push", data=good).status_code == 204
        assert "Notifications are on for this device." in client.get("/me").text
        assert "push.example" in [one.get("told_at") for one in client.get("/me/data").json()["devices"]]
        for bad in (
            {"endpoint": "http://push.example/1"},
            {"endpoint": "https://push.example/" + "x" * 1000},
            {"endpoint": "https://push.example/é"},
            {"endpoint": f"https://localhost:{service.port}/ben"},
            {"p256dh": text(b"\4" + bytes(64))},
            {"p256dh": "no point"},
            {"auth": text(b"short")},
            {"auth": "\u2026"},
        ):
            answer = client.post("/me/push", data=good | bad)
            assert answer.status_code == 422, bad
        assert client.post("/me/push", data={"endpoint": ""}).status_code == 204
        assert "Notifications are off on this device." in client.get("/me").text


@pytest.mark.parametrize("endpoint", ["https://localhost/1", "https://10.0.0.1/1", "https://[::1]/1"])
def test_no_push_goes_into_our_own_network(endpoint: str) -> None:
    with pytest.raises(HookRefusedError, match="a private network"):
        Poster().deliver(endpoint, b"", {})


def test_all_processes_sign_with_one_key(address: str) -> None:
    first, second = Store(address), Store(address)
    try:
        assert first.of(Subscriptions).own_key("push", lambda: "first") == "first"
        assert second.of(Subscriptions).own_key("push", lambda: "second") == "first"
    finally:
        first.close()
        second.close()


def test_a_phone_finds_what_it_needs_to_keep_the_page(table: Table) -> None:
    with TestClient(create_app(table.service, loops="none")) as client:
        page = client.get("/")
        assert '<link rel="manifest" href="/manifest.webmanifest">' in page.text
        assert "manifest-src 'self'" in page.headers["content-security-policy"]
        answer = client.get("/manifest.webmanifest")
        assert answer.headers["content-type"].startswith("application/manifest+json")
        manifest = answer.json()
        assert manifest["name"] == "Plenipo"
        for icon in manifest["icons"]:
            found = client.get(icon["src"])
            assert found.headers["content-type"] == "image/png"
            assert found.content[16:24] == b"".join(int(side).to_bytes(4, "big") for side in icon["sizes"].split("x"))
        assert client.get("/worker.js").headers["content-type"].startswith("text/javascript")
