"""A device that makes passkeys and signs in with them, as a browser would show it to the pages."""

import json
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_bytes
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, MADE = 0x01, 0x04, 0x40


def text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass
class Device:
    """A device at a page; whatever it says wrongly is a field that a test may set."""

    origin: str = "https://games.example.org"
    place: str = "games.example.org"
    flags: int = PRESENT | VERIFIED
    counter: int = 0
    kinds: tuple[str, str] = ("webauthn.create", "webauthn.get")
    id: bytes = field(default_factory=lambda: token_bytes(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    owner: bytes = b""

    def made(self, options: dict[str, Any]) -> dict[str, Any]:
        """A new passkey, for what a page was told to ask."""
        handle = options["user"]["id"]
        self.owner = urlsafe_b64decode(handle + "=" * (-len(handle) % 4))
        numbers = self.key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        about = bytes(16) + struct.pack(">H", len(self.id)) + self.id + cbor2.dumps(key)
        said = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": self._data(MADE) + about})
        return self._answer({"attestationObject": text(said)}, self.kinds[0], options)

    def answer(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a sign-in request."""
        data = self._data()
        client = self._client(self.kinds[1], options)
        signature = self.key.sign(data + sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        parts = {"authenticatorData": text(data), "signature": text(signature), "userHandle": text(self.owner)}
        return self._answer(parts, self.kinds[1], options)

    def _data(self, more: int = 0) -> bytes:
        self.counter += 1
        return sha256(self.place.encode()).digest() + struct.pack(">BI", self.flags | more, self.counter)

    def _client(self, kind: str, options: dict[str, Any]) -> bytes:
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": self.origin}).encode()

    def _answer(self, parts: dict[str, str], kind: str, options: dict[str, Any]) -> dict[str, Any]:
        response = {"clientDataJSON": text(self._client(kind, options)), **parts}
        return {"id": text(self.id), "rawId": text(self.id), "type": "public-key", "response": response}
