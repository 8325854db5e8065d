"""Origins: the web origin of a page, to which passkeys are bound."""

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

__all__ = ["Origin", "place_of"]


@dataclass(frozen=True)
class Origin:
    """The origin of the page in which a device answers, and its domain, to which passkeys are bound."""

    origin: str
    name: str


def place_of(address: str) -> Origin | None:
    """Return the origin of an address; None without passkeys: without https, or where there is no domain.

    >>> place_of("https://games.example.org/me")
    Origin(origin='https://games.example.org', name='games.example.org')
    >>> place_of("http://localhost:8021/me").name
    'localhost'
    >>> place_of("http://games.example.org/me"), place_of("https://192.0.2.7/me")
    (None, None)
    """
    parts = urlsplit(address)
    name = parts.hostname or ""
    if parts.scheme != "https" and name != "localhost" and not name.endswith(".localhost"):
        return None
    try:
        ip_address(name)
    except ValueError:
        return Origin(f"{parts.scheme}://{parts.netloc}", name) if name else None
    return None
