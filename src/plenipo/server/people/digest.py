"""The daily digest: the games that need a person, and the news since; composed when it is sent."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from plenipo.engine.history.sentence_json import decode_sentence
from plenipo.engine.sentences import SentenceKind
from plenipo.languages import mark
from plenipo.server.hosting.schedule_words import instant_in_words
from plenipo.server.store import HERE, StoredPost
from plenipo.server.store.persons import GameOfPerson
from plenipo.server.texts import gettext, translate, translate_phase

__all__ = ["daily"]


_NEEDED = SentenceKind("server-digest-needed", "{number} of your games needs you", "{number} of your games need you")
_DUE = SentenceKind("server-digest-due", "due on {instant}")


def daily(post: StoredPost, games: Sequence[GameOfPerson], zone: str) -> StoredPost | None:
    """Return the digest to send, with instants in a zone; None if it would be empty."""
    needs = tuple(_needs(games, zone))
    happened = tuple(_list_notices(post.body))
    if not needs and not happened:
        return None
    about = _NEEDED(number=len(needs)) if needs else mark("What happened today")
    parts = []
    if needs:
        parts.append("\n".join((gettext(mark("What needs you:")), *needs)))
    if happened:
        parts.append("\n\n".join((gettext(mark("What happened:")), *happened)))
    return replace(post, subject=f"Plenipo: {translate(about)}", body="\n\n".join((*parts, f"{HERE}/\n")))


def _needs(games: Sequence[GameOfPerson], zone: str) -> Iterator[str]:
    """Yield a line for each game that waits for the person."""
    for game in games:
        if game.kind != "host" and game.power in game.waits:
            due = game.due and _DUE(instant=instant_in_words(game.due, zone))
            when = f"{translate_phase(game.phase)}{f', {translate(due)}' if due else ''}"
            yield f"{game.name}: {when}. {HERE}/games/{game.id}"


def _list_notices(lines: str) -> Iterator[str]:
    """Yield the gathered notices, each with its first words as a heading."""
    for line in lines.splitlines():
        _game, _family, subject, body, *said = json.loads(line)
        if said:
            subject, body = (translate(decode_sentence(one)) for one in said[0])
        yield f"{subject}\n{body.strip()}"
