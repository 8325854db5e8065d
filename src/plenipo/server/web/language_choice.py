"""The choice of a language: in the footer of a page for this browser, and on the account page for the account."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response

from plenipo import languages
from plenipo.server.store.notifications import NotificationStore
from plenipo.server.web.context import Here, is_secure, open_to_banned, person_of
from plenipo.server.web.forms import Form, field, form_of
from plenipo.server.web.translation import COOKIE

__all__ = ["remember_language", "router"]

router = APIRouter(include_in_schema=False)

LASTING = 365 * 24 * 3600
"""The time for which a browser remembers a language, in seconds."""


@router.post("/language")
@open_to_banned
def choose_language(request: Request, here: Here, form: Annotated[Form, Depends(form_of)]) -> Response:
    """Set the language of this browser and of the account that is signed in; empty for the browser's own."""
    language, back = field(form, "language", 40), field(form, "back")
    language = language if language in languages.available() else ""
    is_local = back.startswith("/") and not back.startswith(("//", "/\\"))
    answer = RedirectResponse(back if is_local else "/", 303)
    remember_language(request, answer, language)
    person = person_of(request, here)
    if person is not None:
        kept = here.service.store.of(NotificationStore)
        kept.preference(replace(kept.preferences(person.id), language=language))
    return answer


def remember_language(request: Request, answer: Response, language: str) -> None:
    """Set the cookie with a language; delete it if the language is empty."""
    if not language:
        answer.delete_cookie(COOKIE, path="/")
        return
    answer.set_cookie(COOKIE, language, max_age=LASTING, path="/", samesite="lax", secure=is_secure(request))
