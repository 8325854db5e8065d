"""Feeds of public games: the newest turns as all viewers see them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from plenipo import languages
from plenipo.engine.history.summary import Summary
from plenipo.engine.sentences import SentenceKind
from plenipo.server.errors import UnknownGame
from plenipo.server.hosted_game import Credentials
from plenipo.server.texts import translate, using_language
from plenipo.server.web.context import GameId, Here, Services
from plenipo.server.web.rendering import TEMPLATES
from plenipo.server.web.translation import language_of

__all__ = ["router"]

_FEED_SECRET = SentenceKind("server-feed-secret", "A game with hidden information has no public feed.")

router = APIRouter(include_in_schema=False)

NEWEST = 20
"""The number of turns in a feed."""

HEADERS = {"cache-control": "public, max-age=300", "vary": "accept-language, cookie"}


@dataclass(frozen=True)
class FeedItem:
    """A turn in a feed: its address, the phase, its events, and when it was processed."""

    id: str
    url: str
    title: str
    content_text: str
    date_published: str


@contextmanager
def _reading(request: Request) -> Iterator[str]:
    """Translate into the language that the address of a feed names, since few readers send one; else as for pages."""
    named = request.query_params.get("language", "")
    language = named if named in languages.available() else language_of(request)
    with using_language(language):
        yield language


def _items(request: Request, here: Services, game: str) -> tuple[str, list[FeedItem], datetime]:
    """Return the name of a game, its newest public turns, and when it last changed; raise `UnknownGame`."""
    if not here.service.public(game):
        raise UnknownGame(_FEED_SECRET())
    view = here.service.view(game, Credentials(), None)
    changed, times = here.service.store.times(game)
    address = str(request.url_for("game", game=game))
    items = [
        FeedItem(
            id=f"{address}?turn={number}",
            url=f"{address}?turn={number}&results=1",
            title=translate(view.find_turn(number).resolution.before.phase.as_sentence()),
            content_text="\n".join(map(translate, Summary(view.rules, view.find_turn(number).resolution).sentences())),
            date_published=times[number].isoformat(),
        )
        for number in range(view.turn - 1, max(-1, view.turn - 1 - NEWEST), -1)
    ]
    return view.name, items, changed


@router.get("/games/{game}/feed.json", name="json_feed")
def json_feed(request: Request, here: Here, game: GameId) -> Response:
    """Return the newest turns as a JSON Feed 1.1."""
    with _reading(request) as language:
        name, items, _ = _items(request, here, game)
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "language": language,
        "title": name,
        "home_page_url": str(request.url_for("game", game=game)),
        "feed_url": str(request.url),
        "items": [asdict(item) for item in items],
    }
    return JSONResponse(feed, headers=HEADERS, media_type="application/feed+json")


@router.get("/games/{game}/feed.atom", name="atom_feed")
def atom_feed(request: Request, here: Here, game: GameId) -> Response:
    """Return the newest turns as an Atom feed (RFC 4287)."""
    with _reading(request) as language:
        name, items, changed = _items(request, here, game)
    updated = items[0].date_published if items else changed.isoformat()
    home = str(request.url_for("game", game=game))
    template = TEMPLATES.get_template("feed.xml")
    text = template.render(name=name, items=items, updated=updated, home=home, own=str(request.url), language=language)
    return Response(text, 200, HEADERS, "application/atom+xml")
