"""Signing in with an external account: to the provider, and back with its answer."""

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from plenipo.server.errors import GameServiceError
from plenipo.server.people.accounts import SignedIn
from plenipo.server.store.challenges import LASTS
from plenipo.server.store.persons import StoredPerson
from plenipo.server.web.account import remember_undo, show_account_page
from plenipo.server.web.context import (
    Here,
    Person,
    Services,
    device_of,
    is_secure,
    network_of,
    open_to_banned,
    person_of,
    session_of,
    sign_in,
)

__all__ = ["router"]

router = APIRouter(include_in_schema=False)


BEGUN = "begun"
"""The cookie of a browser that went to a provider, until it returns."""


@router.post("/sign-in/with/{slug}")
@open_to_banned
def begin(request: Request, here: Here, slug: str) -> Response:
    """Go to a provider to sign in."""
    return _begin(request, here, slug, person_of(request, here), link=False)


@router.post("/me/link/{slug}")
def link(request: Request, here: Here, person: Person, slug: str) -> Response:
    """Go to a provider to add it as a sign-in method."""
    return _begin(request, here, slug, person, link=True)


def _begin(request: Request, here: Services, slug: str, person: StoredPerson | None, *, link: bool) -> Response:
    here.limits.take("sign-ins", network=network_of(request, here))
    try:
        if link and person is not None:
            here.accounts.require_fresh(person, session_of(request))
        begun = here.providers.begin(slug, person, _back(request, slug), link=link)
    except GameServiceError as fault:
        return show_account_page(request, "sign-in.html", fault, person=person, asked=False)
    # a page, since its own policy would block a form that redirects elsewhere
    title = here.providers.all[slug].title
    answer = show_account_page(request, "sign-in-away.html", title=title, address=begun.address, person=person)
    answer.headers["refresh"] = f"0; url={begun.address}"
    # not strict, since the browser returns from another site
    answer.set_cookie(
        BEGUN,
        begun.shown,
        max_age=int(LASTS.total_seconds()),
        path="/sign-in",
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
    )
    return answer


@router.get("/sign-in/with/{slug}/back", name="back_from_provider")
def back(request: Request, here: Here, slug: str) -> Response:
    """Return from a provider; a signed-in person always goes to the account page."""
    person, came, shown = person_of(request, here), dict(request.query_params), request.cookies.get(BEGUN, "")
    try:
        done = here.providers.finish(slug, came, shown, person, _back(request, slug), device_of(request))
    except GameServiceError as fault:
        answer = show_account_page(request, "sign-in.html", fault, person=person, asked=False)
        answer.delete_cookie(BEGUN, path="/sign-in")
        return answer
    return _finish_sign_in(request, here, done)


def _finish_sign_in(request: Request, here: Services, done: SignedIn | None) -> Response:
    answer = RedirectResponse("/me", 303)
    if done is not None:
        sign_in(request, answer, here, done.token)
        remember_undo(request, answer, done)
    answer.delete_cookie(BEGUN, path="/sign-in")
    return answer


def _back(request: Request, slug: str) -> str:
    return str(request.url_for("back_from_provider", slug=slug))
