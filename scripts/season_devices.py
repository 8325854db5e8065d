"""Devices that get web push: they decrypt it as browsers do, for the season and for tests."""

import json
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from plenipo.server.people.push import RECORD, data_of, text
from plenipo.server.store.values import Subscription

__all__ = ["DEVICE", "Device"]


@dataclass
class Device:
    """A browser that gets web push: its keys, and the messages it can read."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = b"sixteen bytes ok"

    @property
    def fields(self) -> dict[str, str]:
        """Return the fields that it sends to the server, named as browsers name them."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "p256dh": text(point), "auth": text(self.secret)}

    def opened(self, content: bytes) -> Any:
        """Decrypt a message by RFC 8188 and RFC 8291, as a browser does."""

        def derived(salt: bytes, key: bytes, info: bytes, length: int) -> bytes:
            return HKDF(hashes.SHA256(), length, salt, info).derive(key)

        salt, length = content[:16], content[20]
        theirs = content[21 : 21 + length]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))
        mine = data_of(self.fields["p256dh"])
        key = derived(self.secret, shared, b"WebPush: info\0" + mine + theirs, 32)
        plain = AESGCM(derived(salt, key, b"Content-Encoding: aes128gcm\0", 16)).decrypt(
            derived(salt, key, b"Content-Encoding: nonce\0", 12), content[21 + length :], None
        )
        if not plain.endswith(b"\2") or len(content) > RECORD:
            raise ValueError("this is not one record, or too long for one")
        return json.loads(plain[:-1])

    @property
    def subscription(self) -> Subscription:
        """Return the server's record of the device."""
        return Subscription(self.endpoint, self.fields["p256dh"], self.fields["auth"])


DEVICE = Device("https://push.example/", ec.derive_private_key(7, ec.SECP256R1()))
"""The key of all devices of a season, so that every process can read their messages."""
