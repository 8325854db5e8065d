"""Games between people before they begin: the form for a new game, and the lobby."""

from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any
from urllib.parse import urlencode, urlsplit

import segno
from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool

from plenipo import library
from plenipo.engine.calendar import PhaseKind, year_read
from plenipo.engine.facts import Sight
from plenipo.engine.position import Power
from plenipo.engine.sentences import Either, Quoted, SentenceKind
from plenipo.errors import PlenipoError
from plenipo.languages import mark
from plenipo.library import plugins
from plenipo.server import uploads
from plenipo.server.errors import InvalidSchedule, SeatRefused
from plenipo.server.hosted_game import Credentials, GameView
from plenipo.server.hosting.absences import CHOICES as ABSENCES
from plenipo.server.hosting.absences import in_words as absences_in_words
from plenipo.server.hosting.press import EVERYONE, LONGEST, OFFICE, OPENED, ShownMessage, is_unsigned, why_not
from plenipo.server.hosting.press import PRESETS as PRESS_PRESETS
from plenipo.server.hosting.press import in_words as press_in_words
from plenipo.server.hosting.schedule import DAYS, PRESETS, Early, OnMissed, Schedule, deadlines, instant_of, schedule_of
from plenipo.server.hosting.schedule_words import describe_preset, in_words, missed_in_words, why_no_end
from plenipo.server.hosting.scoring import SYSTEMS
from plenipo.server.hosting.settings import (
    DEALS,
    LANGUAGES,
    LISTED,
    Settings,
    asked_in_words,
    settings_of,
    time_bank_in_words,
)
from plenipo.server.hosting.spectators import DELAYS, SPECTATORS
from plenipo.server.hosting.spectators import in_words as spectators_in_words
from plenipo.server.hosting.tick import GameState
from plenipo.server.new_games import NewGameRequest
from plenipo.server.press import Draft, seat_in_lobby
from plenipo.server.store.follows import Follows
from plenipo.server.store.host_presets import HostPresets
from plenipo.server.store.persons import NewPerson, StoredPerson
from plenipo.server.web import views
from plenipo.server.web.about import About, Computer, NewGameChoices
from plenipo.server.web.cache import respond
from plenipo.server.web.context import (
    GameId,
    Here,
    Services,
    cookie_tokens,
    counts,
    credentials_of,
    device_of,
    network_of,
    person_of,
    read_rules,
    shown_late,
    sign_in,
    sit,
)
from plenipo.server.web.forms import Fields, Form, field
from plenipo.server.web.models import SentenceModel, Variant
from plenipo.server.web.reach import asks_how_to_reach, mail_of
from plenipo.server.web.rendering import MOST_FIELDS, OPTION, render_page

__all__ = ["end_in", "enter", "instant_in", "lobby_page", "newcomer", "offer_page", "router", "seat_page"]

_WEEKDAY_MISSING = SentenceKind(
    "server-weekday-missing", "No day of the week is chosen; choose at least one on which moves are due."
)
_END_HOUR_UNREADABLE = SentenceKind(
    "server-end-hour-unreadable", "'{at}' is not a date and time; write it like '2026-11-22 23:00'."
)
_YOUR_PART_UNKNOWN = SentenceKind("server-your-part-unknown", "'{you}' is not a role in the game; write {choices}.")

_OWN_SEAT_COMPUTER = SentenceKind(
    "server-own-seat-computer", "A computer plays {power}; choose another power for yourself, or another seat for it."
)

router = APIRouter(include_in_schema=False)


@router.get("/variants/{variant}/host", name="host")
def host_page(request: Request, here: Here, variant: str) -> Response:
    """Show the form for a new game of a variant."""
    rules, person = read_rules(request, here, variant), person_of(request, here)
    page = render_page(
        request,
        "host.html",
        variant=Variant.load(variant),
        about=About.of(rules, rules.opening),
        choices=NewGameChoices.of(variant),
        deals=DEALS,
        press=PRESS_PRESETS,
        opened=OPENED,
        scoring=tuple(SYSTEMS),
        days=DAYS,
        you=YOU,
        absences=ABSENCES,
        listed=LISTED,
        languages=LANGUAGES,
        spectators=SPECTATORS,
        delays=DELAYS,
        first_year=rules.opening.phase.year,
        person=person,
        saved=here.service.store.of(HostPresets).of(person.id) if person else (),
        presets={name: describe_preset(name) for name in PRESETS},
        host_presets=HOST_PRESETS,
        computers=Computer.all(),
    )
    return respond(request, page)


HOST_PRESETS: dict[str, dict[str, str | list[str]]] = {
    mark("Friends tonight"): {"schedule": "Live"},
    mark("One phase per weekday"): {"schedule": "Weekdays"},
    mark("Weekend game"): {
        "schedule": "by hand",
        "day": ["Sat", "Sun"],
        "hour": "12:00",
        "grace": "2h",
        "within": "6h",
    },
    mark("Gunboat"): {"press": "No press", "deal": "drawn", "anonymous": ["yes"]},
    mark("Run as GM"): {"you": "rule"},
    mark("Teaching game"): {"schedule": "Own pace", "opened": "all", "computer": "careless"},
}
"""The presets of the form for a new game: the fields that each sets; all others keep their defaults."""

BY_SEAT = "computer."
"""The prefix of the field for the computer player of a power."""

LIVE = "Live"
"""The preset for schedules whose minutes a form may change."""

LIVE_FIELDS = ("live-moves", "live-others", "time-bank", "later-after", "later-moves")

BY_HAND = "by hand"
"""The value of a form for a custom schedule, whose parts have fields of their own."""


def schedule_in(form: Form) -> Schedule:
    """Return the schedule that the fields of a form describe, or name; raise `InvalidSchedule`."""
    zone = field(form, "zone") or None
    name = field(form, "schedule") or "Own pace"
    ending = {"end": end} if (end := end_in(form, zone)) else {}
    if name != BY_HAND:
        live = _live_in(form) if name == LIVE else {}
        more = {**live, **ending}
        return schedule_of({**PRESETS[name], **more} if more and name in PRESETS else name, zone)
    days, hour = form.get("day", []), field(form, "hour", 10)
    grace, remind = field(form, "grace", 10) or "0m", ["6h", "1h"]
    if not days:
        raise InvalidSchedule(_WEEKDAY_MISSING())
    movement = {"at": [f"{day[:10]} {hour}" for day in days], "least": "20h", "grace": grace, "remind": remind}
    short = {"within": field(form, "within", 10) or "24h", "remind": ["2h"]}
    parts: dict[str, Any] = {"movement": movement, "retreats": short, "adjustments": short}
    parts["early"] = field(form, "early", 20) or Early.READY.value
    missed: dict[str, Any] = {
        "first": field(form, "missed-first", 20) or OnMissed.WAIT.value,
        "then": field(form, "missed", 20) or OnMissed.HOLD.value,
    }
    for name, own in (("extensions", "extensions"), ("vacant_after", "vacant-after")):
        if field(form, own, 5):
            missed[name] = _whole(field(form, own, 5))
    return schedule_of({**parts, **ending, "missed": missed}, zone)


def _live_in(form: Form) -> dict[str, Any]:
    """Return the parts of a live schedule that a form gives, in minutes; omitted ones are as in the preset."""
    minutes = {name: value for name in LIVE_FIELDS if (value := field(form, name, 20))}
    parts: dict[str, Any] = {}
    if "live-moves" in minutes:
        parts["movement"] = {"within": f"{minutes['live-moves']}m", "remind": ["2m"]}
    if "live-others" in minutes:
        parts |= {kind: {"within": f"{minutes['live-others']}m"} for kind in ("retreats", "adjustments")}
    if "time-bank" in minutes:
        parts["time_bank"] = None if minutes["time-bank"] == "none" else f"{minutes['time-bank']}m"
    if "later-after" in minutes:
        sooner = {"within": f"{minutes.get('later-moves', '5')}m"}
        parts["later"] = [{"after": f"{minutes['later-after']}m", "movement": sooner}]
    return parts


def end_in(form: Form, zone: str | None) -> dict[str, Any]:
    """Return when the game ends, by the fields of a form; an hour is in the zone that the form names."""
    year, at = field(form, "end-year", 20), field(form, "end-at", 40)
    end: dict[str, Any] = {} if not year else {"year": year if (number := year_read(year)) is None else number}
    if at:
        end["at"] = instant_in(at, zone)
    return end


def instant_in(at: str, zone: str | None) -> datetime:
    """Return the instant of a wall time in a zone, by default UTC; raise `InvalidSchedule`."""
    try:
        local = datetime.fromisoformat(at)
    except ValueError:
        raise InvalidSchedule(_END_HOUR_UNREADABLE(at=at)) from None
    return instant_of(local.date(), local.time(), schedule_of({}, zone).own_zone)


def _whole(text: str) -> int | str:
    """Parse a whole number; other text is returned unchanged, for the validation to refuse."""
    return int(text) if text.isdecimal() else text


@router.post("/host/schedule")
def schedule_words(here: Here, form: Fields) -> views.ScheduleWords:
    """Return a schedule in words, and the next three dates on which moves are due."""
    try:
        schedule = schedule_in(form)
    except InvalidSchedule as fault:
        return views.ScheduleWords.refuse(fault.sentence)
    now = here.service.clock.now()
    why_not = why_no_end(schedule, _first_year(form), now)
    if why_not:
        return views.ScheduleWords.refuse(why_not)
    coming = deadlines(schedule, PhaseKind.MOVEMENT, now)
    anonymous, shown = bool(field(form, "anonymous")), field(form, "time_bank_shown", 20)
    settings = Settings(anonymous=anonymous, time_bank_shown="settled" if shown == "settled" else None)
    words = _time_words(schedule, settings)
    sentences = tuple(map(SentenceModel.of, words))
    return views.ScheduleWords(words=tuple(words), sentences=sentences, next=tuple(islice(coming, SHOWN_DATES)))


def _time_words(schedule: Schedule, settings: Settings) -> list[str]:
    """Return the time settings as sentences."""
    return [*in_words(schedule), *([time_bank_in_words(settings)] if schedule.time_bank is not None else [])]


def _first_year(form: Form) -> int:
    """Return the first year of the variant in a form; before all years if there is no such variant."""
    try:
        return uploads.rules_of(field(form, "variant")).opening.phase.year
    except PlenipoError:
        return _BEFORE_ALL


_BEFORE_ALL = -(10**6)
"""A year before those of all games."""

SHOWN_DATES = 3

PLAIN_FIELDS = (
    "deal",
    "computer",
    "absence",
    "scoring",
    "listed",
    "language",
    "reliable",
    "spectators",
    "delay",
    "time_bank_shown",
)
"""The settings that fields of the form set unchanged."""

PRESS_FIELDS = {"preset": "press", "opened": "opened"}
"""The parts of a press policy, and the fields of the form that set them."""


YOU = {
    "play": "play and host the game: its seats and deadlines",
    "keep": "host the game without playing",
    "rule": "run it as its game master: you rule, may look into orders, do not play; everybody can read what you do",
}
"""The roles of a person who opens a game."""


@router.post("/host")
@counts("games")
async def host_game(request: Request, here: Here, form: Fields) -> Response:
    """Open a game for people, take a seat as a player, and go to its lobby."""
    variant = library.AND.join(filter(None, (field(form, "variant"), *form.get("with", ()))))[:200]
    schedule = schedule_in(form)
    options = {name.removeprefix(OPTION): values[0] for name, values in form.items() if name.startswith(OPTION)}
    you = field(form, "you", 20) or "play"
    if you not in YOU:
        raise SeatRefused(_YOUR_PART_UNKNOWN(you=you, choices=Either(YOU)))
    boxes = {name: True for name in ("ready_check", "approval", "claimed", "anonymous") if field(form, name)}
    boxes |= {"newcomers": False} if field(form, "known") else {}
    preferences: dict[str, Any] = boxes | {name: field(form, name) for name in PLAIN_FIELDS if field(form, name)}
    if field(form, "draws"):
        preferences["votes"] = {"draws": field(form, "draws")}
    if field(form, "press"):
        preferences["press"] = {name: field(form, own) for name, own in PRESS_FIELDS.items() if field(form, own)}
    settings = settings_of({**preferences, "host": "game master" if you == "rule" else "host"})
    computers = {
        name.removeprefix(BY_SEAT): values[0][:200] for name, values in form.items() if name.startswith(BY_SEAT)
    }
    if settings.computer:
        plugins.players()[settings.computer]  # raises for an unknown player
    seat = _preferences(form) if you == "play" else None
    if seat and seat[0] in computers:
        raise SeatRefused(_OWN_SEAT_COMPUTER(power=Power(seat[0])))
    new = NewGameRequest(
        variant,
        options,
        computers=computers or "none",
        name=field(form, "game", 100),
        schedule=schedule,
        lobby=True,
        settings=settings,
    )
    return await run_in_threadpool(_open_game, request, here, new, field(form, "name"), seat)


def _open_game(
    request: Request, here: Services, new: NewGameRequest, name: str, preferences: list[str] | None
) -> Response:
    """Open the game; with `preferences`, the host takes a seat in it."""
    rules = uploads.rules_of(new.variant, new.options)
    for power in preferences or ():
        rules.power(power)  # raises for an unknown power, before there is a game
    person, guest, token = somebody(request, here, name)
    game = here.service.open(replace(new, host=(person.id, name.strip() or person.name), guest=guest))
    tokens = [game.all_seats, game.invitation]
    if preferences is not None:
        mine = here.service.credentials(game.id, (), person.id, kept=tokens)
        tokens.append(here.service.lobby.join(game.id, mine, name or person.name, *preferences))
    answer = RedirectResponse(f"/games/{game.id}", 303)
    sit(request, answer, game.id, tuple(tokens))
    if token:
        sign_in(request, answer, here, token)
    return answer


def somebody(request: Request, here: Services, name: str) -> tuple[StoredPerson, NewPerson | None, str]:
    """Return the signed-in person; or a guest with this name, to be stored with the first seat, and a session token.

    Raise `SeatRefused` for a deceptive name, and `TooOften`.
    """
    person = person_of(request, here)
    if person is not None:
        return person, None, ""
    guest, token = here.accounts.new_guest(name, device_of(request), network_of(request, here))
    return guest.person, guest, token


def newcomer(request: Request, here: Services, game: str, name: str) -> tuple[Credentials, str, str]:
    """Return a visitor's credentials at a game, their name, and the token of a new session if there is one.

    Raise the errors of `somebody`, and `UnknownGame`.
    """
    here.service.games.revision(game)  # an unknown game creates no guests
    person, guest, session = somebody(request, here, name)
    credentials = here.service.credentials(game, (), person.id, kept=cookie_tokens(request, here, game))
    return replace(credentials, guest=guest), name or person.name, session


@router.post("/games/{game}/join")
@shown_late
def join(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Join a game that has not begun, or take over an offered seat."""
    offered = bool(here.service.credentials(game, (), kept=cookie_tokens(request, here, game)).offers)
    return _sitting(request, here, game, form, offered=offered)


def _sitting(request: Request, here: Services, game: str, form: Form, *, offered: bool) -> Response:
    credentials, name, session = newcomer(request, here, game, field(form, "name"))
    if offered:
        token = here.service.handover.accept(game, credentials, name)
    else:
        token = here.service.lobby.join(game, credentials, name, *_preferences(form))
    return enter(request, here, game, token, session)


def enter(request: Request, here: Services, game: str, token: str, session: str) -> Response:
    """Go to a game with the token of a new seat, and that of a new session if there is one."""
    answer = RedirectResponse(f"/games/{game}", 303)
    sit(request, answer, game, (*cookie_tokens(request, here, game), token))
    if session:
        sign_in(request, answer, here, session)
    return answer


def _preferences(form: Form) -> list[str]:
    """Return the power preferences in a form, best first, from fields `power` or `preference`."""
    return [preference[:200] for preference in (*form.get("power", ()), *form.get("preference", ())) if preference][
        :MOST_FIELDS
    ]


@router.post("/games/{game}/preference")
def preference(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Change the power preferences before a game begins."""
    here.service.lobby.preference(game, credentials_of(request, here, game), _number(form), _preferences(form))
    return RedirectResponse(f"/games/{game}", 303)


@router.post("/games/{game}/invite")
@counts("invitations")
def invite(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Invite a person by name."""
    person = here.service.invitations.invite(game, credentials_of(request, here, game), field(form, "invited", 60))
    return RedirectResponse(f"/games/{game}?{urlencode({'invited': person.id})}", 303)


@router.post("/games/{game}/chat")
@counts("messages")
def chat(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Send a message to the host and all players of a game that has not begun."""
    credentials = credentials_of(request, here, game)
    seat = seat_in_lobby(here.service.games.load(game).press_table, credentials)
    here.service.press.write(game, credentials, Draft(seat, (EVERYONE,), field(form, "text", LONGEST + 1)))
    return RedirectResponse(f"/games/{game}#chat", 303)


@router.post("/games/{game}/leave")
def leave(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Leave the lobby, or remove another player."""
    tokens = cookie_tokens(request, here, game)
    credentials = credentials_of(request, here, game)
    here.service.lobby.leave(game, credentials, _number(form))
    answer = RedirectResponse(f"/games/{game}", 303)
    if _number(form) == credentials.player:
        sit(request, answer, game, tuple(t for t in tokens if here.service.opens(game, t)))
    return answer


def _number(form: Form) -> int:
    """Return the number of a player in a form, 0 if there is none."""
    text = field(form, "number", 9)
    return int(text) if text.isdecimal() else 0


@router.post("/games/{game}/here")
def say_here(request: Request, here: Here, game: GameId) -> Response:
    """Answer the ready check before a game begins."""
    here.service.lobby.confirm_presence(game, credentials_of(request, here, game))
    return RedirectResponse(f"/games/{game}", 303)


@router.post("/games/{game}/admit")
def admit(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Give a seat to a player who waits for one."""
    here.service.lobby.admit(game, credentials_of(request, here, game), _number(form))
    return RedirectResponse(f"/games/{game}", 303)


@router.post("/games/{game}/cancel")
def cancel(request: Request, here: Here, game: GameId) -> Response:
    """Cancel a game before it begins."""
    here.service.lobby.cancel(game, credentials_of(request, here, game))
    return RedirectResponse(f"/games/{game}", 303)


@router.post("/games/{game}/claim")
def claim(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Attach a name to a seat that the browser holds by its link alone."""
    credentials, name, session = newcomer(request, here, game, field(form, "name"))
    token = here.service.handover.claim(game, credentials, field(form, "power"), name)
    return enter(request, here, game, token, session)


@router.post("/games/{game}/start")
def start(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Start a game, with computer players of the chosen level on open seats."""
    here.service.lobby.start(game, credentials_of(request, here, game), field(form, "computer", 200))
    return RedirectResponse(f"/games/{game}", 303)


def _describe_nmr_policy(game: GameView) -> str:
    """Return the NMR policy as a sentence."""
    return missed_in_words(game.timed.schedule) if game.timed else ""


def _words(game: GameView) -> list[str]:
    """Return the settings of a game as sentences."""
    time = _time_words(game.timed.schedule, game.settings) if game.timed else []
    language = [_WRITTEN_IN(text=Quoted(game.settings.language))] if game.settings.language else []
    hidden = [HIDDEN[game.settings.host]] if game.settings.anonymous else []
    press = press_in_words(game.settings.press)
    looked_on = spectators_in_words(game.settings.spectators, game.settings.delay)
    asked = list(filter(None, [looked_on, asked_in_words(game.settings)]))
    return [*time, *absences_in_words(game.settings.absence), *press, *language, *hidden, *asked]


_WRITTEN_IN = SentenceKind("server-written-in", "Players write in {text}.", note="The part is a language's own name.")

HIDDEN = {
    "host": mark("Players learn who plays which power only after the game, and who was ready only after the phase."),
    "game master": mark(
        "Only the game master knows who plays which power before the game is over, "
        "and who is ready before the phase ends."
    ),
}
"""The meaning of an anonymous game, by its kind of host."""


def offer_page(request: Request, here: Services, game: GameView, credentials: Credentials) -> Response:
    """Show the page on which a player takes over an offered seat."""
    offer = credentials.offers[0]
    return seat_page(request, here, game, offer.power, for_good=offer.for_good, action="join")


def seat_page(
    request: Request, here: Services, game: GameView, power: str, *, for_good: bool = True, action: str = "take"
) -> Response:
    """Show the page on which a player takes over the seat of a power; `action` is the address of its form."""
    page = render_page(
        request,
        "offer.html",
        game=game,
        power=power,
        for_good=for_good,
        action=action,
        holder=next((player.name for player in game.players if player.power == power), ""),
        person=person_of(request, here),
        words=_words(game),
        missed=_describe_nmr_policy(game),
        known=game.rules.facts.one(Sight) is None,
    )
    return respond(request, page)


def _find_invited(request: Request, here: Services) -> StoredPerson | None:
    """Return the person who has just been invited by name."""
    return here.accounts.persons.find(request.query_params.get("invited", "")[:40])


def _list_followed(here: Services, person: StoredPerson | None) -> tuple[tuple[str, str], ...]:
    return () if person is None else here.service.store.of(Follows).list_followed(person.id)


SHOWN_MESSAGES = 50
"""The most messages that a lobby shows: the newest ones."""


@dataclass(frozen=True)
class LobbyChat:
    """The messages before a game starts, each with the name of its sender, and whether the viewer may write.

    `refusal` says why not. `unsigned` means that the viewer's messages carry no name.
    """

    messages: tuple[tuple[str, bool, ShownMessage], ...]
    refusal: str
    unsigned: bool
    may_report: bool

    @classmethod
    def of(cls, here: Services, game: str, credentials: Credentials) -> "LobbyChat | None":
        """Return the messages before a game starts; None for a viewer who has not joined."""
        box = here.service.press.inbox(game, credentials)
        if not box.table.forming or box.table.holders.isdisjoint(box.tenures):
            return None
        seat = seat_in_lobby(box.table, credentials)
        names = {tenure.number: tenure.name for tenure in box.hosted.tenures}
        shown = [one for one in box.thread((EVERYONE,)).messages if one.sender not in box.muted][-SHOWN_MESSAGES:]
        return cls(
            messages=tuple((names.get(one.sender or 0, ""), one.seat == OFFICE, one) for one in shown),
            refusal=why_not(box.table, seat, (EVERYONE,), here.service.clock.now()),
            unsigned=is_unsigned(box.table, seat),
            may_report=any(one.writer and not one.mine for one in shown) or bool(box.muted),
        )


def lobby_page(request: Request, here: Services, game: GameView, credentials: Credentials) -> Response:
    """Show the lobby of a game that has not begun."""
    tokens = cookie_tokens(request, here, game.id)
    invitation = next((t for t in tokens if here.service.credentials(game.id, (), kept=[t]).invited), "")
    link = str(request.url_for("take_seat", game=game.id, token=invitation)) if invitation else ""
    variant = Variant.load(game.rules.variant)
    computers = Computer.all()
    person = person_of(request, here)
    asked = credentials.all_seats or credentials.player is not None or bool(credentials.tenures)
    usual = next((one.name for one in computers if one.usual), "")
    page = render_page(
        request,
        "lobby.html",
        game=game,
        variant=variant,
        powers=[power for power in variant.powers if power.played],
        seated={player.power: player for player in game.players if player.power},
        machines={power: computer for power, computer in game.computers.items() if computer},
        computers=computers,
        computer=game.settings.computer or usual,
        link=link,
        invited=_find_invited(request, here) if credentials.all_seats else None,
        followed=_list_followed(here, person),
        person=person,
        asks_reach=asked and asks_how_to_reach(here, person),
        mail=mail_of(request, here, person) if asked else "",
        deals=DEALS,
        deal=game.settings.deal,
        my_preferences=next((player.preferences for player in game.players if player.number == credentials.player), ()),
        code=Markup(segno.make(link, error="m").svg_inline(border=2, omitsize=True)) if link else "",  # noqa: S704  # made from an address of this server
        reachable=urlsplit(link).hostname not in {"127.0.0.1", "localhost", "::1"},
        me=credentials.player,
        host=credentials.all_seats,
        rules=game.settings.host == "game master",
        cancelled=game.timed is not None and game.timed.state is GameState.CANCELLED,
        expires=None if game.timed is None else game.timed.expires,
        words=_words(game),
        missed=_describe_nmr_policy(game),
        full=len(game.players) >= list(game.computers.values()).count(""),
        approval=game.settings.approval and not credentials.all_seats,
        reserve=next((one.number for one in game.reserves if one.number in credentials.tenures), None),
        ready_check=game.timed if game.timed and game.timed.state is GameState.READY_CHECK else None,
        has_ready_check=game.settings.has_ready_check,
        may_join=bool(link) or credentials.all_seats or here.service.matchmaking.finds(game.id, credentials),
        found=game.settings.listed != "link",
        chat=LobbyChat.of(here, game.id, credentials),
    )
    return respond(request, page)
