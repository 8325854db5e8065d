"""The daily digest: the games that need a person, and the news since; composed when it is sent."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from plenipo.server.hosting.schedule import instant_in_words
from plenipo.server.store import HERE, StoredPost
from plenipo.server.store.persons import GameOfPerson

__all__ = ["daily"]


def daily(post: StoredPost, games: Sequence[GameOfPerson], zone: str) -> StoredPost | None:
    """Return the digest to send, with instants in a zone; None if it would be empty."""
    needs = tuple(_needs(games, zone))
    happened = tuple(_list_notices(post.body))
    if not needs and not happened:
        return None
    about = (
        f"{len(needs)} of your games {'need' if len(needs) > 1 else 'needs'} you" if needs else "What happened today"
    )
    parts = []
    if needs:
        parts.append("\n".join(("What needs you:", *needs)))
    if happened:
        parts.append("\n\n".join(("What happened:", *happened)))
    return replace(post, subject=f"Plenipo: {about}", body="\n\n".join((*parts, f"{HERE}/\n")))


def _needs(games: Sequence[GameOfPerson], zone: str) -> Iterator[str]:
    """Yield a line for each game that waits for the person."""
    for game in games:
        if game.kind != "host" and game.power in game.waits:
            due = "" if game.due is None else f", due on {instant_in_words(game.due, zone)}"
            yield f"{game.name}: {game.phase}{due}. {HERE}/games/{game.id}"


def _list_notices(lines: str) -> Iterator[str]:
    """Yield the gathered notices, each with its first words as a heading."""
    for line in lines.splitlines():
        _game, _family, subject, body = json.loads(line)
        yield f"{subject}\n{body.strip()}"
