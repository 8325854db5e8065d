"""A provider of accounts on this machine, real HTTP and all: OAuth with PKCE, OpenID, and a page as Discord has."""

import base64
import hashlib
import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, KeySet

from plenipo.server.people.provider_settings import DISCORD, Provider
from server.clocks import ManualClock
from waiting import run_in_background


@dataclass
class Elsewhere:
    """The state of the provider: the person signed in, the claims, and the codes it issued."""

    clock: ManualClock
    address: str = ""
    subject: str = "4711"
    name: str = "Anna"
    mail: dict[str, Any] = field(default_factory=dict)
    claims: dict[str, Any] = field(default_factory=dict)
    """Claims that differ from the usual ones."""
    key: ECKey = field(default_factory=lambda: ECKey.generate_key("P-256", {"kid": "1"}))
    signs: ECKey | None = None
    forged: Callable[[dict[str, Any]], str] | None = None
    """Another way to write what is said than to sign it."""
    broken: bool = False
    codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def openid(self, title: str = "Club") -> Provider:
        return Provider(title.lower(), title, "us", "hush", issuer=self.address)

    def discord(self) -> Provider:
        places = {name: f"{self.address}/{name}" for name in ("authorize", "token", "who")}
        return Provider("discord", "Discord", "us", "hush", DISCORD.scope, **places)

    def asked(self, address: str) -> str:
        """Return the address to which a browser is sent back after the person agreed."""
        question = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert (question["client_id"], question["code_challenge_method"]) == ("us", "S256")
        code = secrets.token_hex(8)
        self.codes[code] = question
        return f"{question['redirect_uri']}?{urlencode({'code': code, 'state': question['state']})}"

    def answer(self, path: str, form: dict[str, str], authorization: str) -> tuple[int, Any]:
        if self.broken:
            return 503, ["broken"]
        if path == "/.well-known/openid-configuration":
            places = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
            return 200, {"issuer": self.address, **{name: f"{self.address}/{at}" for name, at in places.items()}}
        if path == "/keys":
            return 200, KeySet([self.key]).as_dict(private=False)
        if path == "/who":
            good = authorization == "Bearer opensesame"
            return (200, {"id": self.subject, "global_name": self.name, **self.mail}) if good else (401, {})
        if path == "/token":
            return self.token(form, authorization)
        return 404, {}

    def token(self, form: dict[str, str], authorization: str) -> tuple[int, Any]:
        question = self.codes.pop(form.get("code", ""), None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if (
            question is None
            or authorization != f"Basic {base64.b64encode(b'us:hush').decode()}"
            or form.get("redirect_uri") != question["redirect_uri"]
            or challenge.rstrip(b"=").decode() != question["code_challenge"]
        ):
            return 400, {"error": "invalid_grant"}
        now = int(self.clock.now().timestamp())
        said = {"iss": self.address, "aud": "us", "sub": self.subject, "iat": now, "exp": now + 300, "name": self.name}
        said |= {"nonce": question.get("nonce"), **self.mail, **self.claims}
        key = self.signs or self.key
        signed = self.forged(said) if self.forged else jwt.encode({"alg": "ES256", "kid": "1"}, said, key)
        return 200, {"access_token": "opensesame", "token_type": "Bearer", "id_token": signed}


@contextmanager
def elsewhere(now: datetime) -> Iterator[Elsewhere]:
    """The provider while it runs."""
    there = Elsewhere(ManualClock(now))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if not self.path.startswith("/authorize"):
                self._answer({})
                return
            self.send_response(302)  # the person agrees
            self.send_header("location", there.asked(there.address + self.path))
            self.end_headers()

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            self._answer({name: values[0] for name, values in parse_qs(body).items()})

        def _answer(self, form: dict[str, str]) -> None:
            status, value = there.answer(self.path, form, self.headers.get("authorization", ""))
            content = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    there.address = f"http://127.0.0.1:{server.server_port}"
    with server, run_in_background(server.serve_forever, 0.02, end=server.shutdown):
        yield there
