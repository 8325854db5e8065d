"""The identity providers that the operator configured."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import unquote, urlsplit

from plenipo.errors import PlenipoError

__all__ = ["DISCORD", "Provider", "ProviderError", "providers_of"]

TITLE = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,29}")


class ProviderError(PlenipoError):
    """The settings of providers are invalid."""


@dataclass(frozen=True)
class Provider:
    """An identity provider: its name, this server's client id and secret, and its addresses.

    One with an `issuer` supports OpenID discovery of the other addresses.
    """

    slug: str
    title: str
    client: str
    secret: str = field(repr=False)
    scope: str = "openid profile"
    issuer: str = ""
    authorize: str = ""
    token: str = ""
    who: str = ""


DISCORD = Provider(
    "discord",
    "Discord",
    "",
    "",
    "identify",
    authorize="https://discord.com/oauth2/authorize",
    token="https://discord.com/api/oauth2/token",  # noqa: S106  # an address
    who="https://discord.com/api/users/@me",
)


def providers_of(environment: Mapping[str, str]) -> tuple[Provider, ...]:
    """Return the providers that `PLENIPO_DISCORD` and `PLENIPO_OPENID` name; raise `ProviderError` without secrets.

    >>> [one.title for one in providers_of({"PLENIPO_OPENID": "The_Club=https://us:hush@login.example.org/club"})]
    ['The Club']
    """
    found = []
    if said := environment.get("PLENIPO_DISCORD", ""):
        client, _, secret = said.partition(":")
        if not client or not secret:
            raise ProviderError("PLENIPO_DISCORD is not CLIENT:SECRET, as Discord shows them for an application.")
        found.append(replace(DISCORD, client=client, secret=secret))
    for said in environment.get("PLENIPO_OPENID", "").split():
        title, _, address = said.partition("=")
        parts = urlsplit(address)
        loopback = parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost")
        good = parts.hostname and parts.username and parts.password and (parts.scheme == "https" or loopback)
        if not TITLE.fullmatch(title) or not good:
            which = f"'{title}'" if TITLE.fullmatch(title) else "A part"  # it may contain the secret
            raise ProviderError(
                f"{which} of PLENIPO_OPENID is no provider; write NAME=https://CLIENT:SECRET@login.example.org."
            )
        issuer = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        client, secret = unquote(parts.username or ""), unquote(parts.password or "")
        found.append(Provider(title.lower(), title.replace("_", " "), client, secret, issuer=issuer))
    if len({one.slug for one in found}) < len(found):
        raise ProviderError("Two providers have one name; give each its own.")
    return tuple(found)
