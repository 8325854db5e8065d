"""Webhooks: a message and a picture to an address that people give, which must not lead into our own network.

Only https, to one of the addresses its name stands for now, none of which may be private; no redirects.
"""

import base64
import hmac
import http.client
import ipaddress
import json
import secrets
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urlsplit

from plenipo.errors import PlenipoError

__all__ = ["HookRefusedError", "Poster", "Sign", "checked"]

PATIENCE = 5.0
"""How many seconds the other side may take for each step."""

LONGEST = 320


class HookRefusedError(PlenipoError):
    """An address that nothing is sent to; the message says why."""


def checked(url: str, longest: int = LONGEST, what: str = "a webhook") -> tuple[str, int, str]:
    """The host, port and path of the address of something; raises `HookRefusedError` if it is not of the right form."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port or 443
    except ValueError as fault:
        raise HookRefusedError(f"'{url[:80]}' is not an address.") from fault
    if parts.scheme != "https" or not parts.hostname or len(url) > longest or parts.username or not url.isprintable():
        raise HookRefusedError(f"'{url[:80]}' is not an address of {what}; it begins with https:// and names a server.")
    return parts.hostname, port, f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"


def public(address: str) -> bool:
    """Whether an address of the network is one of the public internet."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(ip, "ipv4_mapped", None) or getattr(ip, "sixtofour", None)
    return ip.is_global and not ip.is_multicast and (mapped is None or mapped.is_global)


class _Connection(http.client.HTTPSConnection):
    """A connection to an address that was looked up and found to be good, with the name for the certificate."""

    def __init__(self, host: str, port: int, address: str, context: ssl.SSLContext) -> None:
        super().__init__(host, port, timeout=PATIENCE, context=context)
        self._address, self._secure = address, context

    def connect(self) -> None:
        plain = socket.create_connection((self._address, self.port), PATIENCE)
        self.sock = self._secure.wrap_socket(plain, server_hostname=self.host)


@dataclass(frozen=True)
class Sign:
    """What a message is signed with, `whsec_` and base64, and when it is sent: the scheme of Standard Webhooks."""

    secret: str
    now: datetime

    def headers(self, post: str, content: bytes) -> dict[str, str]:
        """The id, the second and the signature of a message."""
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
    """Sends to webhooks; `context` and `private` are for tests, which have servers of their own on this machine."""

    context: ssl.SSLContext = field(default_factory=ssl.create_default_context)
    private: bool = False

    def send(self, url: str, body: str, post: str, picture: bytes = b"", sign: "Sign | None" = None) -> None:
        """Send a message of JSON with a picture; raises `HookRefusedError`, and `OSError` if it cannot be done now.

        `post` is the id of the message, which stays the same however often it is tried. With `sign` it is signed.
        """
        kind, content = _form(body, picture)
        headers = {"content-type": kind, "x-post": post}
        if sign is not None:
            headers |= sign.headers(post, content)
        status, host = self.deliver(url, content, headers), checked(url)[0]
        if status in {401, 403, 404, 410}:
            raise HookRefusedError(f"'{host}' no longer takes anything at this address ({status}).")
        if status >= 400:
            raise OSError(f"{host} answered {status}")

    def deliver(self, url: str, content: bytes, headers: Mapping[str, str], longest: int = LONGEST) -> int:
        """Post bytes to an address of the public internet, and to no other; the status of what was answered.

        Raises `HookRefusedError` for another address and where it sends one elsewhere, `OSError` if nobody answers.
        """
        host, port, path = checked(url, longest)
        resolved = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(one[4][0]) for one in resolved]
        if not self.private and not all(map(public, addresses)):
            raise HookRefusedError(f"'{host}' leads into a network of its own; nothing is sent there.")
        connection = _Connection(host, port, addresses[0], self.context)
        try:
            connection.request("POST", path, content, {**headers, "user-agent": "Plenipo"})
            answer = connection.getresponse()
            answer.read(1000)
        except http.client.HTTPException as fault:
            raise OSError(f"{host} did not answer as a server does") from fault
        finally:
            connection.close()
        if 300 <= answer.status < 400:
            raise HookRefusedError(f"'{host}' sends one elsewhere; nothing is sent after it.")
        return answer.status


def _form(body: str, picture: bytes) -> tuple[str, bytes]:
    """The message alone, or with a picture in the form that Discord takes."""
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
