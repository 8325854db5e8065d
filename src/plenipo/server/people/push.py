"""Web push: a notification in a browser without an open page, through its maker's push service.

A message is encrypted for the one browser (RFC 8291) and signed by the server (RFC 8292), so that the service can
neither read nor forge it. People supply the service's address: the rules of webhooks apply.
"""

import base64
import hashlib
import json
import secrets
from binascii import Error as NotBase64Error
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from joserfc import jwt
from joserfc.jwk import ECKey

from plenipo.engine.sentences import SentenceKind
from plenipo.errors import PlenipoError
from plenipo.languages import mark
from plenipo.server.people.webhooks import HookRefusedError, Poster, check_address
from plenipo.server.store import HERE, StoredPost
from plenipo.server.store.values import Subscription

__all__ = [
    "PUSH_KEY",
    "GoneError",
    "Signer",
    "encrypt_message",
    "message_of",
    "new_key",
    "public_key",
    "push",
    "readable",
]

_PUSH_KEYS_INVALID = SentenceKind(
    "server-push-keys-invalid",
    "The keys of this subscription are not those of a browser; 'p256dh' has 65 bytes and 'auth' 16, "
    "in the base64 of addresses.",
)

CURVE = ec.SECP256R1()

PUSH_KEY = "push"
"""The name under which the server stores its key."""

POINT, SECRET = 65, 16
"""The lengths of a public key and of a browser's secret, in bytes."""

RECORD = 4096
"""The most bytes of a message that every push service takes."""

KEPT = timedelta(days=1)
"""The time for which a push service keeps a message for an unreachable browser."""

GOOD = timedelta(hours=12)
"""The lifetime of a signature; the standard allows a day."""

PUSH_SERVICE = mark("a push service")
"""The receiver in refusals of an address."""

LONGEST_ADDRESS = 1000

LONGEST = 300
"""The most characters of a notification."""

GONE = frozenset({404, 410})
"""The statuses with which a push service reports that a subscription has ended."""


class GoneError(PlenipoError):
    """The push service reports that a subscription has ended."""


def text(data: bytes) -> str:
    """Return bytes as URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def data_of(written: str) -> bytes:
    """Decode URL-safe base64; raise `ValueError`."""
    return base64.b64decode(written + "=" * (-len(written) % 4), altchars="-_", validate=True)


def new_key() -> str:
    """Return a new random private key to store."""
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return text(number.to_bytes(32, "big"))


def private_key(key: str) -> ec.EllipticCurvePrivateKey:
    """Parse a stored private key."""
    return ec.derive_private_key(int.from_bytes(data_of(key), "big"), CURVE)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def public_key(key: str) -> str:
    """Return the server's public key for browsers, which identifies the sender of messages."""
    return text(_point(private_key(key).public_key()))


def readable(endpoint: str, key: str, secret: str, *, private: bool = False) -> Subscription:
    """Read the subscription that a browser sent; raise `HookRefusedError` if it cannot be one.

    `private` lets the push service be on this machine, as `webhooks.check_address` does.
    """
    check_address(endpoint, LONGEST_ADDRESS, PUSH_SERVICE, private=private)
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data_of(key))
        good = len(data_of(key)) == POINT and len(data_of(secret)) == SECRET
    except (ValueError, NotBase64Error):
        good = False
    if not good:
        raise HookRefusedError(_PUSH_KEYS_INVALID())
    return Subscription(endpoint, key, secret)


def _derive_key(salt: bytes, key: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(key)


def encrypt_message(message: bytes, to: Subscription, own: ec.EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """Encrypt a message for one browser (RFC 8291, as one record of RFC 8188); `own` and `salt` are used once."""
    theirs = data_of(to.key)
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
    mine = _point(own.public_key())
    key = _derive_key(data_of(to.secret), shared, b"WebPush: info\0" + theirs + mine, 32)
    content = AESGCM(_derive_key(salt, key, b"Content-Encoding: aes128gcm\0", 16))
    nonce = _derive_key(salt, key, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(mine)]) + mine
    return head + content.encrypt(nonce, message + b"\2", None)


@dataclass(frozen=True)
class Signer:
    """The server's identity for push services: its private key, and the web address of its operator."""

    key: str
    contact: str

    def header(self, endpoint: str, now: datetime) -> str:
        """Return the `Authorization` header of a message to a push service (RFC 8292)."""
        parts = urlsplit(endpoint)
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int((now + GOOD).timestamp()), "sub": self.contact}
        token = jwt.encode({"typ": "JWT", "alg": "ES256"}, claims, ECKey.import_key(private_key(self.key)))
        return f"vapid t={token}, k={public_key(self.key)}"


def message_of(post: StoredPost) -> bytes:
    """Return a post as a notification: its subject, its last sentence or two, and the page to open.

    The id is the same in every attempt.
    """
    parts = [part.strip() for part in post.body.split("\n\n")]
    words = next((part for part in reversed(parts) if part and HERE not in part), "")
    link = post.body.partition(HERE)[2].split()
    value = {
        "id": post.id,
        "title": post.subject,
        "body": words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…",
        "url": link[0] if link else "/",
        "tag": _topic(post),
    }
    return json.dumps(value, ensure_ascii=False).encode()


def _topic(post: StoredPost) -> str:
    """Return the topic, by which a later message of the same kind and game replaces this one."""
    return text(hashlib.sha256(f"{post.game} {post.kind}".encode()).digest()[:24])


def push(poster: Poster, to: Subscription, post: StoredPost, signer: Signer, now: datetime) -> None:
    """Send a post to a browser.

    Raise `GoneError` if the subscription has ended, `HookRefusedError`, and `OSError` if it cannot be sent now.
    """
    check_address(to.endpoint, LONGEST_ADDRESS, PUSH_SERVICE, private=poster.private)
    content = encrypt_message(message_of(post), to, ec.generate_private_key(CURVE), secrets.token_bytes(16))
    headers = {
        "authorization": signer.header(to.endpoint, now),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        "topic": _topic(post),
        "ttl": str(int(KEPT.total_seconds())),
        "urgency": "normal",
    }
    status = poster.deliver(to.endpoint, content, headers, LONGEST_ADDRESS)
    if status in GONE:
        raise GoneError(f"the browser takes nothing more ({status})")
    if 400 <= status < 500 and status != 429:
        raise HookRefusedError(f"the push service refuses the message ({status})")
    if status >= 400:
        raise OSError(f"the push service answered {status}")
