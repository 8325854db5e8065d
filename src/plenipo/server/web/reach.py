"""The question how players are reached: asked of all players who join a game, until it is answered."""

from dataclasses import replace
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from plenipo.engine.sentences import Either, SentenceKind
from plenipo.server.errors import SeatRefused
from plenipo.server.hosting.notifications import KINDS, NotificationChannel
from plenipo.server.store.notifications import NotificationStore
from plenipo.server.store.persons import StoredPerson
from plenipo.server.web.account import ask_for_code
from plenipo.server.web.cache import respond
from plenipo.server.web.context import Here, Person, Services, session_of
from plenipo.server.web.forms import Fields, field
from plenipo.server.web.rendering import render_page

__all__ = ["asks_how_to_reach", "mail_of", "router"]

_NO_ADDRESS = SentenceKind("server-reach-no-address", "Enter an email address, or choose another way to be reached.")
_WAY_UNKNOWN = SentenceKind("server-reach-unknown", "'{way}' is no way to reach you; choose {choices}.")

CHANNELS: dict[str, tuple[NotificationChannel, ...]] = {
    "push": ("push",),
    "mail": ("mail",),
    "calendar": (),
    "discord": (),
    "none": (),
}
"""The answers to the question, and the channels of notifications that each turns on."""

router = APIRouter(include_in_schema=False)


def asks_how_to_reach(here: Services, person: StoredPerson | None) -> bool:
    """Return whether a person has not said yet how to be reached, or by mail without a confirmed address."""
    if person is None:
        return False
    chosen = here.service.store.of(NotificationStore).list_chosen(person.id)
    if chosen is None:
        return True
    by_mail_alone = chosen == {"mail"}
    return by_mail_alone and not any(way.kind == "mail" for way in here.accounts.persons.ways(person.id))


def mail_of(request: Request, here: Services, person: StoredPerson | None) -> str:
    """Return the address of a person's account, empty without one."""
    return "" if person is None else here.accounts.account(person, session_of(request)).mail


@router.get("/me/reach")
def reach_page(request: Request, here: Here, person: Person, game: str = "") -> Response:
    """Ask how the person wants to be reached."""
    page = render_page(
        request, "reach-page.html", person=person, mail=mail_of(request, here, person), game_id=game[:64]
    )
    answer = respond(request, page)
    answer.headers["cache-control"] = "no-store"
    return answer


@router.post("/me/reach")
def answer_reach(request: Request, here: Here, person: Person, form: Fields) -> Response:
    """Store how the person wants to be reached, and go back to the game, or to the next step of the answer."""
    way = field(form, "way", 20)
    if way not in CHANNELS:
        raise SeatRefused(_WAY_UNKNOWN(way=way, choices=Either(CHANNELS)))
    mail = field(form, "mail", 320)
    lacks_address = way == "mail" and not mail_of(request, here, person)
    if lacks_address and not mail:
        raise SeatRefused(_NO_ADDRESS())
    telling = here.service.store.of(NotificationStore)
    before = telling.preferences(person.id)
    telling.preference(replace(before, kinds=dict.fromkeys(KINDS, CHANNELS[way])))
    if lacks_address:
        return ask_for_code(request, here, {"mail": mail})
    game = field(form, "game", 64)
    if way == "calendar":
        return RedirectResponse("/me#calendar", 303)
    return RedirectResponse(f"/games/{quote(game, safe='')}" if game else "/me", 303)
