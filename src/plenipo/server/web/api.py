"""The JSON interface: variants, adjudicating, games, orders, options, history, records."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import Response
from pydantic import TypeAdapter
from starlette.concurrency import run_in_threadpool

from plenipo import jsonlines, library
from plenipo.engine.orders import Promise
from plenipo.engine.position import GAME_MASTER, Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import UnknownName, UnreadablePosition
from plenipo.languages.names import vocabulary_in
from plenipo.library import plugins
from plenipo.server import new_games, uploads
from plenipo.server.errors import NoKey, UnknownGame
from plenipo.server.file_reader import RECORD, InvalidBodyError
from plenipo.server.hosted_game import Credentials, GameView, SeatOrderSet
from plenipo.server.hosting.schedule import length_of, schedule_of
from plenipo.server.hosting.settings import settings_of
from plenipo.server.hosting.tick import TimeAct
from plenipo.server.submissions import Edit
from plenipo.server.web import bodies, game_log, models, views
from plenipo.server.web.boards import Board
from plenipo.server.web.completion import Completions
from plenipo.server.web.context import (
    GameId,
    Here,
    SeatName,
    Services,
    TurnNumber,
    Viewer,
    cookie_tokens,
    count,
    counts,
    read_credentials,
    read_rules,
    respond_cached,
    shown_late,
    sit,
    stranger,
    viewer_of,
)
from plenipo.server.web.large_bodies import describe_large, name_body, read_large
from plenipo.server.web.models import Model
from plenipo.server.web.reasons import UnitReason
from plenipo.server.web.translation import language_of_orders

__all__ = ["router"]

_WHAT_IF_TOO_LONG = SentenceKind(
    "server-what-if-too-long", "'what_if' names too many units; ask about at most {most} at a time."
)
_POSITION_TOO_DEEP = SentenceKind(
    "server-position-too-deep", "This is nested too deeply; a position needs five levels."
)
_ORDER_KEY_MISSING = SentenceKind(
    "server-order-key-missing", "Spectators cannot give orders; name your seat and send its key."
)
_ORDER_SEAT_MISSING = SentenceKind("server-order-seat-missing", "Name the power that gives the order in 'seat'.")
_TURN_TAKEN_BACK_AT_ONCE = SentenceKind("server-turn-taken-back-at-once", "The turn was undone at once.")

router = APIRouter(prefix="/api")

MOST_ASKED = 3
"""The most units in one request for the orders that would have changed their results."""


# Variants and adjudicating


@router.get("/variants", tags=["variants"])
def variants() -> models.Variants:
    """List all variants that can be played here."""
    return models.Variants(variants=tuple(map(models.Variant.load, library.names())))


@router.get("/variants/{name}", tags=["variants"])
def variant(request: Request, here: Here, name: str) -> models.Variant:
    """Describe one variant, or a combination, with `+` between the names."""
    return models.Variant.load(read_rules(request, here, name).variant)


@router.post("/adjudicate", tags=["adjudicating"])
@counts("adjudications")
def adjudicate(body: Annotated[bodies.AdjudicateBody, Body()]) -> Response:
    """Adjudicate a position; nothing is stored. The body is the input of `plenipo adjudicate`."""
    line = body.model_dump(exclude_unset=True)
    units = line.get("what_if")
    if units is True or (isinstance(units, list) and len(units) > MOST_ASKED):
        raise UnreadablePosition(_WHAT_IF_TOO_LONG(most=MOST_ASKED))
    try:
        text = json.dumps(line)
    except RecursionError as fault:
        raise UnreadablePosition(_POSITION_TOO_DEEP()) from fault
    answer = jsonlines.answer_json(jsonlines.parse_json(text), uploads.rules_of)
    return Response(json.dumps(answer), media_type="application/json")  # in ASCII, so that any `id` can come back


# Opening games


@router.post("/games", status_code=201, tags=["games"])
@counts("games")
def open_game(request: Request, response: Response, here: Here, body: bodies.NewGameBody) -> views.NewGame:
    """Open a game; the keys are shown this once, and the browser gets them as a cookie."""
    preferences = dict(body)
    zone = preferences.pop("zone")
    preferences["settings"] = settings_of(body.settings)
    if body.schedule is not None:
        preferences["schedule"] = schedule_of(body.schedule, zone)
    game = here.service.open(new_games.NewGameRequest(**preferences))
    own = game.seats.get(Power(body.power), "") if body.power else ""
    return _answer_new_game(request, response, game, own)


_FILE = TypeAdapter(bodies.FileBody)


@router.post("/games/upload", status_code=201, tags=["games"], openapi_extra=describe_large(RECORD))
@counts("games", "uploads")
async def upload(request: Request, response: Response, here: Here) -> views.NewGame:
    """Open the game of a record, as `/record` returns it; one whose hashes do not match is refused."""
    try:
        checked = await run_in_threadpool(here.files.check, await request.body())
    except InvalidBodyError as fault:
        raise name_body(fault.errors) from fault
    return _answer_new_game(request, response, await run_in_threadpool(here.service.upload, checked))


@router.post("/games/open", status_code=201, tags=["games"], openapi_extra=describe_large(_FILE))
@counts("games", "uploads")
async def open_file(request: Request, response: Response, here: Here) -> views.OpenedFile:
    """Open a game of a file in any format, such as a saved game of another program; the answer says what it is."""
    file = await read_large(request, _FILE)
    opened = await run_in_threadpool(here.files.read, file.text, file.number)
    game = await run_in_threadpool(here.service.upload, uploads.CheckedRecord(opened.record))
    return views.OpenedFile(
        game=_answer_new_game(request, response, game),
        format=opened.format,
        phases=opened.phases,
        messages=opened.messages,
        loses=tuple(map(str, plugins.formats().values[opened.format].loses)),
        differences=opened.differences,
        several=opened.several,
    )


@router.post("/games/{game}/fork", status_code=201, tags=["games"])
@counts("games")
def fork(request: Request, response: Response, here: Here, game: GameId, body: bodies.TurnBody) -> views.NewGame:
    """Open a what-if: a separate game that begins with this one's position."""
    return _answer_new_game(request, response, here.service.fork(game, body.turn))


@router.delete("/games/{game}", status_code=204, tags=["games"])
def throw_away(request: Request, here: Here, game: GameId) -> Response:
    """Delete a what-if."""
    here.service.throw_away(game, viewer_of(request, here, game, None).credentials)
    return Response(status_code=204)


def _answer_new_game(request: Request, response: Response, game: new_games.GameKeys, *others: str) -> views.NewGame:
    sit(request, response, game.id, tuple(filter(None, (game.all_seats, game.invitation, *others))))
    return views.NewGame(
        id=game.id,
        url=f"/games/{game.id}",
        keys=views.GameKeysModel(all=game.all_seats, seats={str(power): token for power, token in game.seats.items()}),
        links={power: f"/games/{game.id}/sit/{token}" for power, token in game.seats.items()},
        invitation=f"/games/{game.id}/sit/{game.invitation}" if game.invitation else "",
    )


@router.post("/games/{game}/join", status_code=201, tags=["games"])
def join(request: Request, response: Response, here: Here, game: GameId, body: bodies.JoinBody) -> views.SeatKey:
    """Join a game that has not begun, by its invitation; the key is shown this once, and set as a cookie."""
    viewer = viewer_of(request, here, game, None)
    preferences = filter(None, (body.power, *body.preferences))
    token = here.service.lobby.join(game, viewer.credentials, body.name, *preferences)
    sit(request, response, game, (*cookie_tokens(request, here, game), token))
    return views.SeatKey(key=token)


@router.post("/games/{game}/leave", tags=["games"])
def leave(request: Request, here: Here, game: GameId, body: bodies.LeaveBody) -> views.ViewAnswer:
    """Leave a game that has not begun; its host may remove other players."""
    viewer = viewer_of(request, here, game, None)
    here.service.lobby.leave(game, viewer.credentials, body.number)
    return _after(here, viewer)


@router.post("/games/{game}/start", tags=["games"])
def start(request: Request, here: Here, game: GameId, body: bodies.StartBody = bodies.AS_SET) -> views.ViewAnswer:
    """Start a game, with computer players on open seats."""
    here.service.lobby.start(game, viewer_of(request, here, game, None).credentials, body.computer)
    return _after(here, viewer_of(request, here, game, None))


@router.post("/games/{game}/ready-check", tags=["games"])
def ready_check(request: Request, here: Here, game: GameId) -> views.ViewAnswer:
    """Answer the ready check before a game begins; it begins when all have answered."""
    viewer = viewer_of(request, here, game, None)
    here.service.lobby.confirm_presence(game, viewer.credentials)
    return _after(here, viewer_of(request, here, game, None))


@router.post("/games/{game}/admit", tags=["games"])
def admit(request: Request, here: Here, game: GameId, body: bodies.LeaveBody) -> views.ViewAnswer:
    """Give a seat to a player who waits for one, as the host."""
    viewer = viewer_of(request, here, game, None)
    here.service.lobby.admit(game, viewer.credentials, body.number)
    return _after(here, viewer_of(request, here, game, None))


@router.post("/games/{game}/seats", tags=["games"])
def act_on_seat(request: Request, here: Here, game: GameId, body: bodies.SeatActBody) -> views.SeatAnswer:
    """Resign, lend a seat or take it back, offer it to a replacement, or put a computer player on it."""
    viewer = viewer_of(request, here, game, None)
    token = here.service.handover.act(game, viewer.credentials, body.power, body.act, body.computer, reason=body.reason)
    link = f"/games/{game}/sit/{token}" if token else ""
    try:
        after = viewer_of(request, here, game, None)
    except NoKey:  # the key went with the seat: the action is done, and its author is now a spectator
        after = stranger(here, game)
    return views.SeatAnswer(view=_after(here, after).view, link=link)


@router.post("/games/{game}/accept", status_code=201, tags=["games"])
@shown_late
def accept(request: Request, response: Response, here: Here, game: GameId, body: bodies.AcceptBody) -> views.SeatKey:
    """Take over a seat by its offer; the key is shown this once, and set as a cookie."""
    viewer = viewer_of(request, here, game, None)
    token = here.service.handover.accept(game, viewer.credentials, body.name)
    tokens = (key for key in cookie_tokens(request, here, game) if here.service.opens(game, key))
    sit(request, response, game, (*tokens, token))
    return views.SeatKey(key=token)


@router.get("/games/{game}/journal", tags=["games"])
def journal(request: Request, here: Here, game: GameId) -> game_log.JournalAnswer:
    """Return the game log, each entry chained to the one before."""
    viewer = viewer_of(request, here, game, None)
    tenures = here.service.view(game, viewer.credentials, None).tenures
    return game_log.JournalAnswer.of(here.service.journal(game), tenures, here.gm_tools.reasons(game))


@router.get("/games/{game}/rulings", tags=["games"])
def rulings(request: Request, here: Here, game: GameId) -> game_log.RulingsAnswer:
    """Return the rulings with their published reasons, and the orders of turns that were undone."""
    viewer = viewer_of(request, here, game, None)
    return game_log.RulingsAnswer.of(
        here.service.view(game, viewer.credentials, None).view, here.gm_tools.reasons(game)
    )


# Views


@router.get("/games/{game}", response_model=views.View, tags=["games"])
@shown_late
def view(request: Request, here: Here, game: GameId, seat: SeatName = None) -> Response:
    """Return the game as a viewer sees it."""
    return respond_cached(request, here, viewer_of(request, here, game, seat), "view", views.View.of)


@router.get("/games/{game}/board", response_model=Board, tags=["games"])
@shown_late
def board(request: Request, here: Here, game: GameId, turn: TurnNumber = None) -> Response:
    """Return the board, now or after a number of turns, and the placements on it."""
    return respond_cached(
        request,
        here,
        _anybody(request, here, game),
        ("board", turn),
        lambda game: Board.of(game.rules, game.at(turn).position),
    )


def _anybody(request: Request, here: Services, game: str) -> Viewer:
    """Return a viewer without a seat, for answers that are the same for all; a wrong key is refused all the same.

    Where viewers see different things, return the real viewer.
    """
    if not here.service.public(game):
        return viewer_of(request, here, game, request.query_params.get("seat"))
    return replace(viewer_of(request, here, game, "observer"), credentials=Credentials())


@router.get("/games/{game}/options", response_model=views.LegalOrdersAnswer, tags=["orders"])
def options(request: Request, here: Here, game: GameId, seat: SeatName = None) -> Response:
    """Return all legal orders as a tree of choices."""

    def make(game: GameView) -> Model:
        choices = views.LegalOrdersAnswer.of(game)
        if choices is None:
            raise NoKey(_ORDER_KEY_MISSING())
        return choices

    return respond_cached(request, here, viewer_of(request, here, game, seat), "options", make)


@router.get("/games/{game}/complete", tags=["orders"])
@counts("completions")
def complete(
    request: Request,
    here: Here,
    game: GameId,
    text: Annotated[str, Query(max_length=1100)],
    seat: SeatName = None,
) -> Completions:
    """Return the meaning of a partly typed order, its error, and the legal orders that complete it."""
    viewer = viewer_of(request, here, game, seat)
    power = GAME_MASTER if seat == GAME_MASTER else viewer.who
    if power is None or (power == GAME_MASTER and seat != GAME_MASTER):
        raise UnknownName(_ORDER_SEAT_MISSING())
    game_view = here.service.view(game, viewer.credentials, viewer.who)
    vocabulary = vocabulary_in(language_of_orders(request), game_view.rules.variant)
    entry = OrderEntry(game_view.rules, game_view.position, power, vocabulary=vocabulary)
    return Completions.of(entry, text, game_view.order_sets.get(power, SeatOrderSet()).orders)


@router.get("/games/{game}/history", response_model=views.History, tags=["history"])
@shown_late
def history(request: Request, here: Here, game: GameId) -> Response:
    """Return all turns in a line each."""
    return respond_cached(request, here, _anybody(request, here, game), "history", views.History.of)


@router.get("/games/{game}/turns/{turn}", response_model=models.Turn, tags=["history"])
@shown_late
def past(request: Request, here: Here, game: GameId, turn: int) -> Response:
    """Return a turn with all its orders and their results."""

    def make(game: GameView) -> models.Turn:
        return models.Turn.of(game.rules, game.find_turn(turn), turn)

    return respond_cached(request, here, _anybody(request, here, game), ("turn", turn), make)


@router.get("/games/{game}/turns/{turn}/why", response_model=UnitReason, tags=["history"])
@shown_late
def why(
    request: Request,
    here: Here,
    game: GameId,
    turn: int,
    unit: Annotated[str, Query(max_length=200, description="The unit, or the space it stood in.")],
) -> Response:
    """Explain the result of a unit in a movement phase, and what would have changed it."""

    def make(game: GameView) -> UnitReason:
        count(request, here, "what-ifs")
        return UnitReason.of(game.rules, game.find_turn(turn).resolution, unit)

    return respond_cached(request, here, _anybody(request, here, game), ("why", turn, unit), make)


@router.get("/games/{game}/record", tags=["history"])
def record(request: Request, here: Here, game: GameId) -> Response:
    """Return the record of the game to save as a file; `/api/games/upload` opens it again."""
    value = here.service.record(game, viewer_of(request, here, game, None).credentials)
    name = re.sub(r"[^A-Za-z0-9._-]", "-", f"{value['variant']}-{game}.json")
    text = json.dumps(value, indent=1, ensure_ascii=False)
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(text + "\n", headers=headers, media_type="application/json")


class Shared(Model):
    """A link to a position."""

    url: str
    code: str


@router.post("/games/{game}/share", tags=["history"])
@shown_late
def share(request: Request, here: Here, game: GameId, body: bodies.TurnBody) -> Shared:
    """Return a link to the position after a number of turns; the link itself contains the position."""
    viewer = viewer_of(request, here, game, "observer")
    game_view = here.service.view(game, viewer.credentials, None)
    code = uploads.pack_position(game_view.at(body.turn).position)
    return Shared(url=f"/position?v={game_view.rules.variant}&p={code}", code=code)


# Orders


@router.post("/games/{game}/orders", tags=["orders"])
@counts("orders")
def give(request: Request, here: Here, game: GameId, body: bodies.GiveOrders) -> views.OrderSetAnswer:
    """Give orders and withdraw others; orders from other windows for other units stay."""
    edit = Edit(
        (*body.give, *_promises(body.promises)),
        tuple(body.clear),
        afresh=body.promises is not None,
        ready=body.ready,
        client=body.client,
    )
    return _submit_orders(request, here, game, body, edit)


@router.put("/games/{game}/orders", tags=["orders"])
@counts("orders")
def put(request: Request, here: Here, game: GameId, body: bodies.PutOrders) -> views.OrderSetAnswer:
    """Submit a whole order set in place of the current one."""
    texts = (*body.orders, *_promises(body.promises))
    edit = Edit(texts, whole=True, ready=body.ready, base=body.base, client=body.client)
    return _submit_orders(request, here, game, body, edit)


@router.put("/games/{game}/ahead", tags=["orders"])
@counts("orders")
def order_ahead(request: Request, here: Here, game: GameId, body: bodies.AheadBody) -> views.AheadAnswer:
    """Give conditional orders for retreats and adjustments before the next moves; the first for a unit counts."""
    viewer = viewer_of(request, here, game, body.seat)
    kept = here.service.orders.submit_conditional(
        game, viewer.credentials, body.seat, body.phase_number, body.orders, body.client
    )
    return views.AheadAnswer(orders=kept)


@router.post("/games/{game}/ready", tags=["orders"])
@counts("orders")
def ready(request: Request, here: Here, game: GameId, body: bodies.ReadyBody) -> views.OrderSetAnswer:
    """Mark an order set as ready, or not ready."""
    return _submit_orders(request, here, game, body, Edit(ready=body.ready, client=body.client))


def _promises(texts: list[str] | None) -> tuple[str, ...]:
    return tuple(str(Promise(" ".join(text.split()))) for text in texts or () if text.strip())


def _submit_orders(
    request: Request, here: Services, game: str, body: bodies.SeatBody, edit: Edit
) -> views.OrderSetAnswer:
    """Return the new order set; if its phase is processed, the empty one of the next."""
    credentials = read_credentials(request, here, game)
    spoken = replace(edit, language=language_of_orders(request))
    change = here.service.orders.submit(game, credentials, body.seat, body.phase_number, spoken)
    if change.processed:
        game_view = here.service.view(game, credentials, change.power)
    else:
        game_view = change.hosted.view(change.power, credentials)
    return views.OrderSetAnswer(
        order_set=views.SeatOrderSetModel.of(game_view, change.power),
        messages=tuple(map(models.SentenceModel.of, change.messages)),
        processed=bool(change.processed),
    )


# Processing


@router.post("/games/{game}/process", tags=["games"])
def process(request: Request, here: Here, game: GameId, body: bodies.PhaseBody) -> views.ProcessedPhases:
    """Process the open phase, and those after it in which no player has anything to order."""
    viewer = viewer_of(request, here, game, None)
    turns = here.service.phases.process(game, viewer.credentials, body.phase_number)
    game_view = here.service.view(game, viewer.credentials, viewer.who)
    played = [(number, game_view.view.turns[number]) for number in turns if number < game_view.turn]
    results = tuple(models.Turn.of(game_view.rules, turn, number) for number, turn in played)
    if not results:
        raise UnknownGame(_TURN_TAKEN_BACK_AT_ONCE())
    return views.ProcessedPhases(turns=turns, view=views.View.of(game_view), results=results, result=results[0])


@router.post("/games/{game}/time", tags=["games"])
def keep_time(request: Request, here: Here, game: GameId, body: bodies.TimeBody) -> views.ViewAnswer:
    """Pause or resume a game with deadlines, or move the deadline of its open phase."""
    viewer = viewer_of(request, here, game, None)
    by = length_of(body.by) if body.action == "extend" else timedelta(0)
    here.service.time.keep_time(game, viewer.credentials, body.phase_number, TimeAct(body.action, by, body.until))
    return _after(here, viewer)


@router.put("/games/{game}/settings", tags=["games"])
def change_settings(request: Request, here: Here, game: GameId, body: bodies.SettingsBody) -> views.SettingsAnswer:
    """Change time or spectator settings of a running game; changes beyond the host's power go to a vote."""
    viewer = viewer_of(request, here, game, None)
    voted = here.service.time.change_settings(game, viewer.credentials, body.changes)
    return views.SettingsAnswer(voted=voted, view=_after(here, viewer).view)


@router.post("/games/{game}/undo", tags=["games"])
def undo(request: Request, here: Here, game: GameId, body: bodies.PhaseBody) -> views.ViewAnswer:
    """Undo the last turn of a hotseat game."""
    viewer = viewer_of(request, here, game, None)
    here.service.phases.undo(game, viewer.credentials, body.phase_number)
    return _after(here, viewer)


@router.post("/games/{game}/draw", tags=["games"])
def draw(request: Request, here: Here, game: GameId, body: bodies.DrawBody) -> views.ViewAnswer:
    """End the game in a draw."""
    viewer = viewer_of(request, here, game, None)
    here.service.phases.draw(game, viewer.credentials, body.phase_number, body.powers)
    return _after(here, viewer)


def _after(here: Services, viewer: Viewer) -> views.ViewAnswer:
    return views.ViewAnswer(view=views.View.of(here.service.view(viewer.game, viewer.credentials, viewer.who)))
