"""The GM tools: their page, which works without script, and the actions of its forms."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from plenipo.engine.calendar import year_text
from plenipo.engine.history import record
from plenipo.engine.position import Position
from plenipo.engine.sentences import SentenceKind
from plenipo.languages import mark
from plenipo.server.errors import ChangeRefused, RulingRefused
from plenipo.server.gm_tools import GmToolsView, OpenedOrders
from plenipo.server.hosted_game import Credentials, GameView
from plenipo.server.hosting.changes import Changes, changes_of
from plenipo.server.hosting.press import EVERYONE, LONGEST, OFFICE, ShownMessage
from plenipo.server.hosting.schedule import is_live, length_of
from plenipo.server.hosting.spectators import DELAYS, SPECTATORS
from plenipo.server.hosting.tick import GameState, Holder, TimeAct, TimedGame
from plenipo.server.press import Draft
from plenipo.server.rulings import OrderCorrection
from plenipo.server.seats import LONGEST_REASON, SeatAct
from plenipo.server.store import StoredTenure
from plenipo.server.web.cache import respond
from plenipo.server.web.context import GameId, Here, Services, counts, credentials_of, person_of
from plenipo.server.web.forms import Fields, Form, field
from plenipo.server.web.game_log import RulingsAnswer, fill_in
from plenipo.server.web.lobby import end_in, instant_in
from plenipo.server.web.models import powers_of
from plenipo.server.web.rendering import render_page
from plenipo.server.web.rulings import QuestionsAnswer, entry_in, phase_in, reason_in
from plenipo.server.web.votes import VotesAnswer

__all__ = ["router"]

_DEADLINE_ACTION_UNKNOWN = SentenceKind(
    "server-deadline-action-unknown", "'{act}' is not a change of deadlines; write pause, resume, extend or set."
)
_SETTINGS_NONE = SentenceKind("server-settings-none", "This game has no settings that can be changed.")
_SEAT_ACTION_UNKNOWN = SentenceKind("server-seat-action-unknown", "'{act}' is not an action for a seat.")

router = APIRouter(include_in_schema=False)


EXTENSIONS = (("1h", mark("Extend by an hour")), ("24h", mark("Extend by a day")))
LIVE_EXTENSIONS = (("2m", mark("Extend by 2 minutes")), ("10m", mark("Extend by 10 minutes")))
"""The lengths by which the host extends a phase, with their labels: in most games, and in live ones."""

STATUSES = {
    "waiting": mark("none yet"),
    "given": mark("submitted, not ready"),
    "ready": mark("ready"),
    "asked": mark("not shown"),
    "nothing": mark("no orders needed"),
    "out": mark("eliminated"),
}
"""The labels of the states of a seat."""

UNITS, CENTRES = "units ", "centres "
"""The prefixes of a power's name in the fields of a position."""


@dataclass(frozen=True)
class SeatLine:
    """A seat in the GM tools."""

    power: str
    slug: str
    players: tuple[StoredTenure, ...]
    status: str
    missed: int
    computer: bool
    vacant: bool
    waited_for: bool

    @property
    def submitted(self) -> bool:
        """True if the seat has submitted orders."""
        return self.status in ("given", "ready")


@router.get("/games/{game}/gm-tools", name="gm_tools")
def show_gm_tools(request: Request, here: Here, game: GameId) -> Response:
    """Show the GM tools of a game that has begun."""
    return _page(request, here, game)


def _page(
    request: Request,
    here: Services,
    game: str,
    opened: OpenedOrders | None = None,
    offer: str = "",
    whole: Position | None = None,
    said: str = "",
) -> Response:
    credentials = credentials_of(request, here, game)
    tools = here.gm_tools.view(game, credentials)
    view, now = tools.game, here.service.clock.now()
    last = view.view.turns[-1] if view.turn else None
    office = any(tenure.kind == "host" and tenure.until is None for tenure in view.tenures)
    page = render_page(
        request,
        "gm-tools.html",
        tools=tools,
        game=view,
        person=person_of(request, here),
        now=now,
        due=None if view.timed is None else view.timed.phase.grace_until or view.timed.phase.due,
        left=_describe_time_left(view.timed, now),
        waits="" if view.view.over else view.waits_for,
        paused=view.timed is not None and view.timed.state is GameState.PAUSED,
        seats=_seats(tools),
        statuses=STATUSES,
        journal=[(entry, fill_in(entry, view.tenures, tools.reasons)) for entry in reversed(tools.journal)],
        phases=[(number, str(turn.resolution.before.phase)) for number, turn in enumerate(view.view.turns)][::-1],
        orders=[(power, text) for power, texts in last.orders.items() for text in texts] if last else [],
        last=str(last.resolution.before.phase) if last else "",
        position=_to_edit(whole or (view.position if here.service.public(game) else None)),
        powers=[info.name for info in view.rules.powers],
        deadline=_deadline_of(view),
        extensions=LIVE_EXTENSIONS if view.timed is not None and is_live(view.timed.schedule) else EXTENSIONS,
        office=office,
        announced=_find_announcements(here, game, credentials) if office else (),
        note=here.notes.of(game, credentials).get("", "") if office else "",
        rulings=RulingsAnswer.of(view.view, tools.reasons).rulings,
        opened=opened,
        offer=offer,
        said=said,
        settled=_read_settings(view),
        spectators=SPECTATORS,
        delays=DELAYS,
        moved=[
            motion
            for motion in VotesAnswer.of(here.service.voting.poll(game, credentials)).motions
            if motion.kind == "settings" and motion.state == "open"
        ],
        looks=tools.master and not tools.plays,
        veiled=not here.service.public(game),
        asked=QuestionsAnswer.of(here.asking.of(game, credentials)),
    )
    return respond(request, page)


def _to_edit(position: Position | None) -> dict[str, Any] | None:
    """Return a position for the form that edits it; None unless it is seen whole, so that hidden parts stay."""
    return None if position is None else record.encode_position(position)


def _describe_time_left(timed: TimedGame | None, now: datetime) -> str:
    """Return the time to the deadline, in its two largest units; empty without one."""
    if timed is None:
        return ""
    until = timed.phase.grace_until or timed.phase.due
    left = timed.phase.left if timed.state is GameState.PAUSED else None if until is None else until - now
    if left is None:
        return ""
    minutes = max(int(left.total_seconds()) // 60, 0)
    days, hours, rest = minutes // 1440, minutes % 1440 // 60, minutes % 60
    return f"{days} d {hours} h" if days else f"{hours} h {rest} m" if hours else f"{rest} m"


@dataclass(frozen=True)
class DeadlineField:
    """The initial value of the field for a deadline, as a wall time in a zone."""

    at: str
    zone: str


def _deadline_of(game: GameView) -> DeadlineField | None:
    """Return the current deadline for the form that sets it; None for a game without deadlines, or that is over."""
    timed = game.timed
    if timed is None or game.view.over:
        return None
    due = timed.phase.due
    at = "" if due is None else f"{due.astimezone(timed.schedule.own_zone):%Y-%m-%dT%H:%M}"
    return DeadlineField(at, timed.schedule.zone)


def _find_announcements(here: Services, game: str, credentials: Credentials) -> tuple[ShownMessage, ...]:
    """Return the announcements of the host, the last one first."""
    messages = here.service.press.inbox(game, credentials).thread((EVERYONE,)).messages
    return tuple(one for one in reversed(messages) if one.mine and one.seat == OFFICE)


def _seats(tools: GmToolsView) -> list[SeatLine]:
    game = tools.game
    states = {} if game.timed is None else game.timed.seats
    slugs = {power.name: power.slug for power in powers_of(game.rules)}
    lines = []
    for power in game.rules.names:
        state, computer = states.get(power), bool(game.computers.get(power))
        line = SeatLine(
            power=str(power),
            slug=slugs[str(power)],
            players=game.players_of(power),
            status=game.statuses[power],
            missed=0 if state is None else state.missed,
            computer=computer,
            vacant=state is not None and state.holder == Holder.NOBODY,
            waited_for=not computer and game.statuses[power] in ("waiting", "given"),
        )
        lines.append(line)
    return lines


def _back(game: str) -> Response:
    return RedirectResponse(f"/games/{game}/gm-tools", 303)


@router.post("/games/{game}/gm-tools/process")
def process(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Process the open phase now."""
    here.gm_tools.process(game, credentials_of(request, here, game), phase_in(form), field(form, "reason", 2000))
    return _back(game)


@router.post("/games/{game}/gm-tools/time")
def keep_time(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Pause, resume, or move the deadline."""
    by, until = field(form, "by", 10), field(form, "until", 40)
    act = field(form, "act", 10)
    acts = {
        "pause": TimeAct("pause"),
        "resume": TimeAct("resume"),
        "extend": TimeAct("extend", length_of(by) if by else timedelta(hours=24)),
        "set": TimeAct("set", until=instant_in(until, field(form, "zone", 64) or None) if until else None),
    }
    if act not in acts:
        raise RulingRefused(_DEADLINE_ACTION_UNKNOWN(act=act))
    here.service.time.keep_time(game, credentials_of(request, here, game), phase_in(form), acts[act])
    return _back(game)


@router.post("/games/{game}/gm-tools/announce")
@counts("messages")
def announce(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Send a message of the host to all players; the form sent twice sends it once."""
    text, sent = field(form, "text", 2 * LONGEST), field(form, "sent", 9)
    once = sha256(f"{sent} {text}".encode("utf-8", "replace")).hexdigest()[:40]
    draft = Draft(OFFICE, (EVERYONE,), text, once=once)
    here.service.press.write(game, credentials_of(request, here, game), draft)
    return RedirectResponse(f"/games/{game}/gm-tools#announce", 303)


@router.post("/games/{game}/gm-tools/notes")
def keep_note(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Store the private note of the host about the game; an empty one is removed."""
    here.notes.keep(game, credentials_of(request, here, game), (), field(form, "text", 20_000))
    return RedirectResponse(f"/games/{game}/gm-tools#notes", 303)


@router.post("/games/{game}/gm-tools/settings")
def change_settings(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Change time or spectator settings: those that differ in the form."""
    credentials = credentials_of(request, here, game)
    settled = _read_settings(here.gm_tools.view(game, credentials).game)
    if settled is None:
        raise ChangeRefused(_SETTINGS_NONE())
    voted = here.service.time.change_settings(game, credentials, _changes_in(form, settled))
    said = VOTED if voted else CHANGED
    return _page(request, here, game, said=said)


VOTED = mark("The change is proposed. It takes effect as soon as all players agree.")
CHANGED = mark("The settings are changed, and all players are notified.")
"""The host's notice after a change of settings."""


@dataclass(frozen=True)
class Settled:
    """The initial values of the settings form: minutes of time bank, a year, an hour in a zone, spectators."""

    time_bank: str
    end_year: str
    end_at: str
    spectators: str
    delay: str
    zone: str


def _read_settings(game: GameView) -> Settled | None:
    """Return the current settings for the form; None for a game without them."""
    timed, settings = game.timed, game.settings
    if timed is None or game.view.over:
        return None
    own, end, zone = timed.schedule.time_bank, timed.schedule.end, timed.schedule.own_zone
    return Settled(
        time_bank="" if own is None else str(own // timedelta(minutes=1)),
        end_year="" if end is None or end.year is None else year_text(end.year),
        end_at="" if timed.ends is None else f"{timed.ends.astimezone(zone):%Y-%m-%dT%H:%M}",
        spectators=settings.spectators,
        delay=settings.delay,
        zone=timed.schedule.zone,
    )


def _changes_in(form: Form, settled: Settled) -> Changes:
    """Return the changed settings of a form; raise `ChangeRefused`, and `InvalidSchedule` for an invalid hour."""
    values: dict[str, Any] = {}
    time_bank, year, at = (field(form, name, 40) for name in ("time-bank", "end-year", "end-at"))
    if time_bank != settled.time_bank:
        values["time_bank"] = f"{time_bank}m" if time_bank else None
    if (year, at) != (settled.end_year, settled.end_at):
        values["end"] = end_in(form, settled.zone) or None
    values |= {
        name: field(form, name) for name in ("spectators", "delay") if field(form, name) != getattr(settled, name)
    }
    return changes_of(values)


@router.post("/games/{game}/gm-tools/remind")
@counts("reminders")
def remind(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Remind the players who are not ready."""
    here.gm_tools.remind(game, credentials_of(request, here, game), phase_in(form))
    return _back(game)


@router.post("/games/{game}/gm-tools/open")
def look_into(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Show the orders of a seat this once; the game log records it."""
    entry = field(form, "entry", 9)
    credentials = credentials_of(request, here, game)
    number = int(entry) if entry.isdecimal() else 0
    opened = here.gm_tools.look_into(game, credentials, field(form, "power"), phase_in(form), number)
    return _page(request, here, game, opened)


SEAT_ACTS: Mapping[str, SeatAct] = {
    "offer": "offer",
    "remove": "remove",
    "computer": "computer",
    "withdraw": "withdraw",
}
"""The actions of the GM tools on a seat."""


@router.post("/games/{game}/gm-tools/seat")
def act_on_seat(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Offer a seat to a replacement, take it, or let a computer play; the link of an offer is shown this once."""
    act = field(form, "act", 20)
    if act not in SEAT_ACTS:
        raise RulingRefused(_SEAT_ACTION_UNKNOWN(act=act))
    token = here.service.handover.act(
        game,
        credentials_of(request, here, game),
        field(form, "power"),
        SEAT_ACTS[act],
        reason=field(form, "reason", LONGEST_REASON),
    )
    if not token:
        return _back(game)
    return _page(request, here, game, offer=str(request.url_for("take_seat", game=game, token=token)))


@router.post("/games/{game}/gm-tools/back")
def go_back(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Roll the game back to an earlier phase."""
    turn = field(form, "turn", 9)
    turns = int(turn) if turn.isdecimal() else -1
    here.gm_tools.go_back(game, credentials_of(request, here, game), phase_in(form), turns, reason_in(form))
    return _back(game)


@router.post("/games/{game}/gm-tools/again")
def judge_again(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Adjudicate the last turn again with a corrected order."""
    power, _, order = field(form, "order", 1300).partition("|")
    readings = [OrderCorrection(power, order, field(form, "read", 1100))]
    here.gm_tools.judge_again(game, credentials_of(request, here, game), phase_in(form), readings, reason_in(form))
    return _back(game)


@router.post("/games/{game}/gm-tools/whole")
@counts("previews")
def whole(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Show the GM tools with the whole position to edit, this once."""
    position = here.gm_tools.whole(game, credentials_of(request, here, game), phase_in(form), entry_in(form))
    return _page(request, here, game, whole=position)


@router.post("/games/{game}/gm-tools/edit")
def edit(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Continue from an edited position."""
    value = {
        name: {
            key.removeprefix(mark): [part.strip() for part in texts[0][:20_000].split(",") if part.strip()]
            for key, texts in form.items()
            if key.startswith(mark)
        }
        for name, mark in (("units", UNITS), ("centres", CENTRES))
    }
    here.gm_tools.edit(game, credentials_of(request, here, game), phase_in(form), value, reason_in(form))
    return _back(game)
