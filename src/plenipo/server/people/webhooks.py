"""Webhooks: a message and a picture to an address that people supply, which must not reach the local network.

Only https, to a resolved address that is public; no redirects.
"""

import base64
import hmac
import http.client
import ipaddress
import json
import re
import secrets
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urlsplit

from plenipo.engine.sentences import SentenceKind
from plenipo.errors import PlenipoError
from plenipo.languages import mark
from plenipo.server.clock import seconds

__all__ = ["HookRefusedError", "Poster", "WebhookSignature", "check_address"]

_ADDRESS_INVALID = SentenceKind("server-address-invalid", "'{shown}' is not a web address.")
_HOOK_ADDRESS_INVALID = SentenceKind(
    "server-hook-address-invalid",
    "'{shown}' is not an address of {what}; it must begin with https:// and the name of a server.",
)
_HOOK_ADDRESS_CHARACTER = SentenceKind(
    "server-hook-address-character",
    "'{shown}' has the character {odd}; write it as %XX, and the name of the server in ASCII.",
)
_HOOK_ADDRESS_PORT = SentenceKind(
    "server-hook-address-port", "'{shown}' names port {port}; only port {usual} is allowed."
)
_HOOK_NETWORK_PRIVATE = SentenceKind(
    "server-hook-network-private", "'{host}' is in a private network; nothing is sent there."
)
_HOOK_SERVER_INVALID = SentenceKind(
    "server-hook-server-invalid", "'{host}' is not the name of a server: each part has 1 to 63 letters or digits."
)
_HOOK_SERVER_GONE = SentenceKind("server-hook-server-gone", "'{host}' refuses messages at this address ({status}).")
_HOOK_LEADS_PRIVATE = SentenceKind(
    "server-hook-leads-private", "'{host}' leads to a private network; nothing is sent there."
)
_HOOK_REDIRECTS = SentenceKind(
    "server-hook-redirects", "'{host}' answered with a redirect, which is not followed; give the final address."
)

PATIENCE = 5.0
"""The seconds the receiver may take for each step."""

ALTOGETHER = 20.0
"""The seconds a message may take, from the lookup of the name to the last byte of the answer."""

LONGEST = 320

PORT = 443

NOT_PUBLIC = tuple(
    map(
        ipaddress.ip_network,
        (
            "64:ff9b::/96",  # translated to any IPv4 address (RFC 6052)
            "64:ff9b:1::/48",  # the same within a network (RFC 8215)
            "::/96",  # IPv4-compatible, deprecated (RFC 4291)
            "::ffff:0:0/96",  # IPv4-mapped (RFC 4291)
            "2001::/32",  # Teredo (RFC 4380)
            "2002::/16",  # 6to4, deprecated (RFC 7526)
            "fec0::/10",  # site-local, deprecated (RFC 3879)
            "3fff::/20",  # documentation (RFC 9637)
            "5f00::/16",  # segment routing (RFC 9602)
        ),
    )
)
"""Networks whose addresses route elsewhere or nowhere; Python's tables count some of them as global."""

_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)", re.IGNORECASE)
"""A label of a domain name."""


WEBHOOK = mark("a webhook")
"""The default receiver in refusals of an address."""


class HookRefusedError(PlenipoError):
    """An address that is not allowed; the message gives the reason."""


def check_address(
    url: str, longest: int = LONGEST, what: str = WEBHOOK, *, private: bool = False
) -> tuple[str, int, str]:
    """Return the host, port and path of an address, by the same rules for entering it and for sending to it.

    Raise `HookRefusedError` unless it is https at port 443, in the characters that HTTP sends, and has a valid
    domain name or a public IP address; with `private` any address at any port.
    """
    shown = url[:80]
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or PORT
    except ValueError as fault:
        raise HookRefusedError(_ADDRESS_INVALID(shown=shown)) from fault
    if parts.scheme != "https" or not host or len(url) > longest or parts.username is not None:
        raise HookRefusedError(_HOOK_ADDRESS_INVALID(shown=shown, what=what))
    odd = next((char for char in url if not "!" <= char <= "~"), None)
    if odd is not None:
        raise HookRefusedError(_HOOK_ADDRESS_CHARACTER(shown=shown, odd=repr(odd)))
    if port != PORT and not private:
        raise HookRefusedError(_HOOK_ADDRESS_PORT(shown=shown, port=port, usual=PORT))
    if _is_address(host):
        if not private and not public(host):
            raise HookRefusedError(_HOOK_NETWORK_PRIVATE(host=host))
    elif not all(_LABEL.fullmatch(label) for label in host.removesuffix(".").split(".")):
        raise HookRefusedError(_HOOK_SERVER_INVALID(host=host[:80]))
    return host, port, f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def public(address: str) -> bool:
    """Return whether an IP address is public and does not embed another one."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in NOT_PUBLIC)


class _Connection(http.client.HTTPSConnection):
    """A connection to a checked IP address, with the name for the certificate."""

    def __init__(self, host: str, port: int, address: str, context: ssl.SSLContext) -> None:
        super().__init__(host, port, timeout=PATIENCE, context=context)
        self._address, self._secure = address, context

        self._is_cut = False

    def connect(self) -> None:
        plain = socket.create_connection((self._address, self.port), PATIENCE)
        secured = self._secure.wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        self.sock = secured  # before the handshake, which `cut` ends too
        if not self._is_cut:
            secured.do_handshake()
        if self._is_cut:
            raise TimeoutError(f"{self.host} takes too long")

    def cut(self) -> None:
        """End the connection, even during a blocking call."""
        self._is_cut = True
        if self.sock is not None:
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)


@dataclass(frozen=True)
class WebhookSignature:
    """The signature of a message: `whsec_` and base64, and the instant of sending, as in Standard Webhooks."""

    secret: str
    now: datetime

    def headers(self, post: str, content: bytes) -> dict[str, str]:
        """Return the headers with the id, the timestamp and the signature of a message."""
        second = str(int(self.now.timestamp()))
        key = base64.b64decode(self.secret.partition("_")[2])
        signed = hmac.digest(key, f"{post}.{second}.".encode() + content, "sha256")
        return {
            "webhook-id": post,
            "webhook-timestamp": second,
            "webhook-signature": f"v1,{base64.b64encode(signed).decode()}",
        }


@dataclass(frozen=True)
class Poster:
    """The sender of webhooks; `context` and `private` are for tests with local servers."""

    context: ssl.SSLContext = field(default_factory=ssl.create_default_context)
    private: bool = False
    altogether: float = ALTOGETHER

    def send(
        self, url: str, body: str, post: str, picture: bytes = b"", sign: "WebhookSignature | None" = None
    ) -> None:
        """Send a message of JSON with a picture; raise `HookRefusedError`, and `OSError` if it cannot be sent now.

        `post` is the id of the message, the same in every attempt. With `sign` it is signed.
        """
        kind, content = _form(body, picture)
        headers = {"content-type": kind, "x-post": post}
        if sign is not None:
            headers |= sign.headers(post, content)
        status, host = self.deliver(url, content, headers), check_address(url, private=self.private)[0]
        if status in {401, 403, 404, 410}:
            raise HookRefusedError(_HOOK_SERVER_GONE(host=host, status=status))
        if status >= 400:
            raise OSError(f"{host} answered {status}")

    def deliver(self, url: str, content: bytes, headers: Mapping[str, str], longest: int = LONGEST) -> int:
        """Post bytes to a public address; return the status of the answer.

        Raise `HookRefusedError` for any other address and for redirects, `OSError` if there is no answer.
        """
        host, port, path = check_address(url, longest, private=self.private)
        ends = seconds() + self.altogether
        resolved = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(one[4][0]) for one in resolved]
        if not self.private and not all(map(public, addresses)):
            raise HookRefusedError(_HOOK_LEADS_PRIVATE(host=host))
        connection = _Connection(host, port, addresses[0], self.context)
        # A server might send one byte at a time for ever.
        timer = threading.Timer(max(0.0, ends - seconds()), connection.cut)
        timer.start()
        try:
            connection.request("POST", path, content, {**headers, "user-agent": "Plenipo"})
            answer = connection.getresponse()
            answer.read(1000)
        except http.client.HTTPException as fault:
            raise OSError(f"{host} did not answer as a server does") from fault
        finally:
            timer.cancel()
            connection.close()
        if 300 <= answer.status < 400:
            raise HookRefusedError(_HOOK_REDIRECTS(host=host))
        return answer.status


def _form(body: str, picture: bytes) -> tuple[str, bytes]:
    """Return the message alone, or with a picture in Discord's multipart form."""
    if not picture:
        return "application/json", body.encode()
    border = secrets.token_hex(16)
    value = {**json.loads(body), "embeds": [{"image": {"url": "attachment://turn.png"}}]}
    parts = (
        ("payload_json", "", "application/json", json.dumps(value).encode()),
        ("files[0]", '; filename="turn.png"', "image/png", picture),
    )
    content = b"".join(
        f'--{border}\r\ncontent-disposition: form-data; name="{name}"{file}\r\ncontent-type: {kind}\r\n\r\n'.encode()
        + part
        + b"\r\n"
        for name, file, kind, part in parts
    )
    return f"multipart/form-data; boundary={border}", content + f"--{border}--\r\n".encode()
