"""Passkeys in the browser: the options and answers that the page scripts exchange."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from plenipo.engine.sentences import SentenceKind
from plenipo.server.errors import CodeRefused
from plenipo.server.people.origins import Origin, place_of
from plenipo.server.web.account import remember_undo
from plenipo.server.web.context import (
    Here,
    Person,
    device_of,
    network_of,
    open_to_banned,
    person_of,
    session_of,
    sign_in,
)
from plenipo.server.web.models import Model

__all__ = ["router"]

_PASSKEY_INSECURE = SentenceKind("server-passkey-insecure", "Passkeys work only over https and under a host name.")

router = APIRouter(include_in_schema=False)


NO_STORE = {"cache-control": "no-store"}


class Answer(Model):
    """A device's answer, as the browser has it, and the name of a new one."""

    credential: dict[str, Any]
    name: str = Field(default="", max_length=80)


def _place(request: Request) -> Origin:
    found = place_of(str(request.url))
    if found is None:
        raise CodeRefused(_PASSKEY_INSECURE())
    return found


At = Annotated[Origin, Depends(_place)]


@router.post("/api/me/passkeys/ask")
def ask_new(request: Request, here: Here, person: Person, place: At) -> Response:
    """Return the options for creating a passkey."""
    here.accounts.require_fresh(person, session_of(request))
    return JSONResponse(here.passkeys.ask_new(person, place), headers=NO_STORE)


@router.post("/api/me/passkeys")
def add(request: Request, here: Here, person: Person, place: At, answer: Answer) -> Response:
    """Add this device as a sign-in method."""
    here.accounts.require_fresh(person, session_of(request))
    here.passkeys.add(person, answer.credential, answer.name.strip() or device_of(request), place)
    return Response(status_code=204, headers=NO_STORE)


@router.post("/api/sign-in/passkey/ask")
@open_to_banned
def ask(request: Request, here: Here, place: At) -> Response:
    """Return the options for signing in with a passkey."""
    here.limits.take("sign-ins", network=network_of(request, here))
    return JSONResponse(here.passkeys.ask(place), headers=NO_STORE)


@router.post("/api/sign-in/passkey")
@open_to_banned
def enter(request: Request, here: Here, place: At, answer: Answer) -> Response:
    """Sign in with a passkey."""
    done = here.passkeys.enter(answer.credential, person_of(request, here), place, device_of(request))
    response = Response(status_code=204, headers=NO_STORE)
    sign_in(request, response, here, done.token)
    remember_undo(request, response, done)
    return response
