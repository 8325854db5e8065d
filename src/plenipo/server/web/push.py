"""The home screen app and push notifications: the manifest, the service worker, its page, and subscriptions."""

import json

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from plenipo.server import keys
from plenipo.server.errors import PushNotTaken
from plenipo.server.people.webhooks import HookRefusedError
from plenipo.server.store.subscriptions import Subscriptions
from plenipo.server.web.assets import ASSETS
from plenipo.server.web.cache import Payload, respond
from plenipo.server.web.context import Here, Person, session_of
from plenipo.server.web.forms import Fields, field
from plenipo.server.web.rendering import render_page

__all__ = ["router"]

router = APIRouter(include_in_schema=False)


NO_STORE = {"cache-control": "no-store"}

LONGEST = 2000

PAPER = "#ece3d0"
"""The colour shown while the page loads, and around it."""


def _manifest() -> Payload:
    icons = [
        {"src": ASSETS.address(f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for size, purpose in ((192, "any"), (512, "any"), (512, "maskable"))
    ]
    value = {
        "id": "/",
        "name": "Plenipo",
        "short_name": "Plenipo",
        "description": "Diplomacy where the rules are a variable",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": icons,
    }
    return Payload(json.dumps(value).encode(), "application/manifest+json")


@router.get("/manifest.webmanifest")
def manifest(request: Request) -> Response:
    """Return the manifest with which a phone puts the pages on its home screen."""
    return respond(request, _manifest(), cache="public, no-cache")


@router.get("/worker.js")
def worker(request: Request) -> Response:
    """Return the service worker, which shows notifications without an open page, and games without a connection.

    Its root address lets it open every page.
    """
    return respond(request, ASSETS.payloads["worker.js"], cache="public, no-cache")


@router.get("/offline")
def offline_page(request: Request) -> Response:
    """Show the page that the service worker shows in place of one it does not have; it is the same for everyone."""
    return respond(request, render_page(request, "offline.html"))


@router.get("/me/push")
def key(here: Here, person: Person) -> Response:  # noqa: ARG001  # requires signing in
    """Return the public key by which a browser verifies notifications of this server."""
    from plenipo.server.people.push import PUSH_KEY, new_key, public_key  # noqa: PLC0415  # loads OpenSSL

    own = here.service.store.of(Subscriptions).own_key(PUSH_KEY, new_key)
    return JSONResponse({"key": public_key(own)}, headers=NO_STORE)


@router.post("/me/push")
def subscribe(request: Request, here: Here, person: Person, form: Fields) -> Response:  # noqa: ARG001  # requires signing in
    """Start push notifications in this browser, or stop them if no `endpoint` is named."""
    from plenipo.server.people.push import readable  # noqa: PLC0415  # loads OpenSSL

    session, subscriptions = keys.digest(session_of(request)), here.service.store.of(Subscriptions)
    endpoint = field(form, "endpoint", LONGEST)
    if not endpoint:
        subscriptions.end(session)
        return Response(status_code=204, headers=NO_STORE)
    try:
        found = readable(endpoint, field(form, "p256dh"), field(form, "auth"))
    except HookRefusedError as fault:
        raise PushNotTaken(fault.sentence) from fault
    subscriptions.keep(session, found)
    return Response(status_code=204, headers=NO_STORE)
