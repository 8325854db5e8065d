"""Keys: unguessable tokens that open seats; the store keeps their digests only."""

import hashlib
import secrets

__all__ = ["digest", "game_id", "several", "token"]

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Letters of ids that are not mistaken for each other."""

ID_LENGTH = 10

TOKEN_BYTES = 24

BETWEEN = "~"
"""The separator of several tokens sent together."""

MOST = 40
"""The most tokens considered in one request."""


def token() -> str:
    """Return a new token with 192 random bits."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest(key: str) -> str:
    """Return the digest of a token, which the store keeps."""
    return hashlib.sha256(key.encode()).hexdigest()


def game_id() -> str:
    """Return a new id of a game: ten letters and digits."""
    return "".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH))


def several(text: str) -> tuple[str, ...]:
    """Return the tokens in a text of several."""
    return tuple(part for part in text.split(BETWEEN)[:MOST] if part)
