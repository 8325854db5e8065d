"""The JSON interface: variants, judging, games, orders, options, history, records."""

import json
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import JSONResponse, Response

from plenipo import jsonlines, library
from plenipo.engine.orders import Promise
from plenipo.engine.position import GAME_MASTER, Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.errors import InvalidPosition, UnknownName
from plenipo.server import sharing
from plenipo.server.errors import NoKey, UnknownGame
from plenipo.server.host import Edit, GameKeys, NewGame, SheetChange
from plenipo.server.hosted import Credentials, GameView, Sheet
from plenipo.server.web import schemas
from plenipo.server.web.completing import completed
from plenipo.server.web.context import (
    GameId,
    Here,
    SeatName,
    Services,
    Viewer,
    ask,
    cached,
    dumped,
    json_of,
    opened,
    sit,
)
from plenipo.server.web.pictures import board_of
from plenipo.server.web.present import history_of, options_of, sheet_of, turn_of, variant_of, view_of
from plenipo.server.web.reasons import why_of

__all__ = ["router"]

Json = dict[str, Any]

router = APIRouter(prefix="/api")

TurnNumber = Annotated[int | None, Query(ge=0, le=2**31 - 1, description="After so many turns; now, if left out.")]

MOST_ASKED = 3
"""The most units one may ask about what would have changed their fate, in one request."""


# Variants and judging


@router.get("/variants", response_model=schemas.Variants, tags=["variants"])
def variants() -> Response:
    """All variants that can be played here."""
    return json_of({"variants": [variant_of(name) for name in library.names()]})


@router.get("/variants/{name}", response_model=schemas.Variant, tags=["variants"])
def variant(name: str) -> Response:
    """One variant, or several that are played together, with `+` between their names."""
    rules = sharing.rules_of(name)
    return json_of(variant_of(rules.variant))


@router.post("/adjudicate", tags=["judging"])
def adjudicate(body: Annotated[schemas.Adjudicate, Body()]) -> dict[str, Any]:
    """Judge a position; nothing is kept. What may be sent is what `plenipo adjudicate` reads."""
    asked = body.model_dump(exclude_unset=True)
    units = asked.get("what_if")
    if units is True or (isinstance(units, list) and len(units) > MOST_ASKED):
        raise InvalidPosition(f"'what_if' names too much; ask about at most {MOST_ASKED} units at a time.")
    answer = jsonlines.answer(json.dumps(asked), 1, sharing.rules_of)
    if "results" not in answer:
        raise InvalidPosition(str(answer["errors"][0]).removeprefix("line 1: "))
    return answer


# Opening games


@router.post("/games", status_code=201, response_model=schemas.OpenedGame, tags=["games"])
def open_game(request: Request, here: Here, body: schemas.NewGameBody) -> Response:
    """Open a game; the keys are told this once, and the browser gets them as a cookie."""
    wanted = NewGame(
        body.variant, body.options, body.computers, body.power, body.seating, body.name, position=body.position
    )
    game = here.host.open(wanted)
    own = game.seats.get(Power(body.power), "") if body.power else ""
    return _seated(request, game, own)


@router.post("/games/upload", status_code=201, response_model=schemas.OpenedGame, tags=["games"])
def upload(request: Request, here: Here, body: Annotated[dict[str, Any], Body()]) -> Response:
    """Open the game of a record, as `/record` gives it; one whose hashes do not match is refused."""
    return _seated(request, here.host.upload(body))


@router.post("/games/{game}/fork", status_code=201, response_model=schemas.OpenedGame, tags=["games"])
def fork(request: Request, here: Here, game: GameId, body: schemas.Fork) -> Response:
    """Try otherwise: a game apart that begins as this one stood."""
    return _seated(request, here.host.fork(game, body.turn))


@router.delete("/games/{game}", status_code=204, tags=["games"])
def throw_away(request: Request, here: Here, game: GameId) -> Response:
    """Throw a what-if away."""
    here.host.throw_away(game, ask(request, here, game, None).credentials)
    return Response(status_code=204)


def _seated(request: Request, game: GameKeys, *others: str) -> JSONResponse:
    answer = json_of(opened(request, game), 201)
    sit(request, answer, game.id, (game.all_seats, *(token for token in others if token)))
    return answer


# Looking


@router.get("/games/{game}", response_model=schemas.View, tags=["games"])
def view(request: Request, here: Here, game: GameId, seat: SeatName = None) -> Response:
    """The game as one pair of eyes sees it."""
    return cached(request, here, ask(request, here, game, seat), "view", lambda seen: dumped(view_of(seen)))


@router.get("/games/{game}/board", response_model=schemas.Board, tags=["games"])
def board(request: Request, here: Here, game: GameId, turn: TurnNumber = None) -> Response:
    """The board, now or after so many turns, and where everything stands on it."""
    viewer = _public(request, here, game)

    def made(seen: GameView) -> Any:
        shown = seen.view if turn is None else seen.view.at(_turns(seen, turn))
        return dumped(board_of(seen.rules, shown.position))

    return cached(request, here, viewer, ("board", turn), made)


def _public(request: Request, here: Services, game: str) -> Viewer:
    """Anybody at all, for what is the same for everybody; a wrong key is refused all the same."""
    return replace(ask(request, here, game, "observer"), credentials=Credentials())


def _turns(seen: GameView, number: int) -> int:
    if not 0 <= number <= seen.turn:
        raise UnknownGame(f"The game has {seen.turn} turns: there is none numbered {number}.")
    return number


@router.get("/games/{game}/options", response_model=schemas.Options, tags=["orders"])
def options(request: Request, here: Here, game: GameId, seat: SeatName = None) -> Response:
    """Everything one may order now, as a tree to choose through."""
    viewer = ask(request, here, game, seat)
    if viewer.who is None:
        raise NoKey("Observers order nothing; name the seat, and show its key.")
    return cached(request, here, viewer, "options", lambda seen: dumped(options_of(seen)))


@router.get("/games/{game}/complete", response_model=schemas.Completions, tags=["orders"])
def complete(
    request: Request,
    here: Here,
    game: GameId,
    text: Annotated[str, Query(max_length=1100)],
    seat: SeatName = None,
) -> Response:
    """What a text typed so far means, what is wrong with it, and the legal orders that begin like it."""
    viewer = ask(request, here, game, seat)
    power = GAME_MASTER if seat == GAME_MASTER else viewer.who
    if power is None or (power == GAME_MASTER and seat != GAME_MASTER):
        raise UnknownName("Name the power whose order is typed with 'seat'.")
    seen = here.host.view(game, viewer.credentials, viewer.who)
    desk = OrderEntry(seen.rules, seen.position, power)
    return json_of(completed(desk, text, seen.sheets.get(power, Sheet()).orders))


@router.get("/games/{game}/history", response_model=schemas.History, tags=["history"])
def history(request: Request, here: Here, game: GameId) -> Response:
    """All turns in a line each."""
    viewer = _public(request, here, game)
    return cached(request, here, viewer, "history", lambda seen: dumped(history_of(seen)))


@router.get("/games/{game}/turns/{turn}", response_model=schemas.Turn, tags=["history"])
def past(request: Request, here: Here, game: GameId, turn: int) -> Response:
    """A turn with everything that was ordered in it, and what came of it."""
    viewer = _public(request, here, game)
    return cached(
        request,
        here,
        viewer,
        ("turn", turn),
        lambda seen: dumped(turn_of(seen.rules, seen.view.turns[_past(seen, turn)], turn)),
    )


def _past(seen: GameView, number: int) -> int:
    if not 0 <= number < seen.turn:
        raise UnknownGame(f"The game has {seen.turn} turns: turn {number} has not been played.")
    return number


@router.get("/games/{game}/turns/{turn}/why", response_model=schemas.Why, tags=["history"])
def why(
    request: Request,
    here: Here,
    game: GameId,
    turn: int,
    unit: Annotated[str, Query(max_length=200, description="The unit, or the space it stood in.")],
) -> Response:
    """Why a unit fared as it did in a movement phase, and what would have changed it."""
    viewer = _public(request, here, game)
    return cached(
        request,
        here,
        viewer,
        ("why", turn, unit),
        lambda seen: dumped(why_of(seen.rules, seen.view.turns[_past(seen, turn)].resolution, unit)),
    )


@router.get("/games/{game}/record", tags=["history"])
def record(request: Request, here: Here, game: GameId) -> Response:
    """The record of the game, to be kept in a file; `/api/games/upload` takes it in again."""
    value = here.host.record(game, ask(request, here, game, None).credentials)
    name = f"{value['variant']}-{game}.json"
    text = json.dumps(value, indent=1, ensure_ascii=False)
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{_plain(name)}"}
    return Response(text + "\n", headers=headers, media_type="application/json")


def _plain(name: str) -> str:
    return "".join(char if char.isascii() and (char.isalnum() or char in "-._") else "-" for char in name)


@router.post("/games/{game}/share", response_model=schemas.Shared, tags=["history"])
def share(request: Request, here: Here, game: GameId, body: schemas.Share) -> Response:
    """A link to the position after so many turns; the position is in the link itself."""
    viewer = ask(request, here, game, "observer")
    seen = here.host.view(game, viewer.credentials, None)
    shown = seen.view if body.turn is None else seen.view.at(_turns(seen, body.turn))
    code = sharing.packed(shown.position)
    return json_of({"url": f"/position?v={seen.rules.variant}&p={code}", "code": code})


# Orders


@router.post("/games/{game}/orders", response_model=schemas.SheetAnswer, tags=["orders"])
def give(request: Request, here: Here, game: GameId, body: schemas.GiveOrders) -> Response:
    """Give orders and take others back; what another window has ordered for other units stays."""
    edit = Edit(
        (*body.give, *_promises(body.promises)),
        tuple(body.clear),
        afresh=body.promises is not None,
        ready=body.ready,
        client=body.client,
    )
    return _handed_in(request, here, game, body.seat, body.phase_number, edit)


@router.put("/games/{game}/orders", response_model=schemas.SheetAnswer, tags=["orders"])
def put(request: Request, here: Here, game: GameId, body: schemas.PutOrders) -> Response:
    """Hand in a whole sheet in place of the one there is."""
    edit = Edit(
        (*body.orders, *_promises(body.promises)),
        whole=True,
        ready=body.ready,
        base=body.base,
        client=body.client,
    )
    return _handed_in(request, here, game, body.seat, body.phase_number, edit)


@router.post("/games/{game}/ready", response_model=schemas.SheetAnswer, tags=["orders"])
def ready(request: Request, here: Here, game: GameId, body: schemas.Ready) -> Response:
    """Say that a sheet is final, or that it is not."""
    return _handed_in(request, here, game, body.seat, body.phase_number, Edit(ready=body.ready, client=body.client))


def _promises(texts: list[str] | None) -> tuple[str, ...]:
    return tuple(str(Promise(" ".join(text.split()))) for text in texts or () if text.strip())


def _handed_in(request: Request, here: Services, game: str, seat: str, phase_number: int, edit: Edit) -> Response:
    viewer = ask(request, here, game, seat)
    done = here.host.hand_in(game, viewer.credentials, seat, phase_number, edit)
    return json_of(_sheet_answer(here, viewer, done))


def _sheet_answer(here: Services, viewer: Viewer, done: SheetChange) -> Json:
    """The sheet as it now is; once its phase is processed there is another, empty one."""
    seen = here.host.view(viewer.game, viewer.credentials, done.power)
    return {"sheet": sheet_of(seen, done.power), "messages": list(done.messages), "processed": bool(done.processed)}


# Going on


@router.post("/games/{game}/process", response_model=schemas.ProcessedGame, tags=["games"])
def process(request: Request, here: Here, game: GameId, body: schemas.PhaseBody) -> Response:
    """Process the open phase, and those after it in which no person has anything to order."""
    viewer = ask(request, here, game, None)
    done = here.host.process(game, viewer.credentials, body.phase_number)
    seen = here.host.view(game, viewer.credentials, viewer.who)
    results = [turn_of(seen.rules, seen.view.turns[number], number) for number in done.turns if number < seen.turn]
    if not results:
        raise UnknownGame("The turn was taken back at once.")
    return json_of({"turns": list(done.turns), "view": view_of(seen), "results": results, "result": results[0]})


@router.post("/games/{game}/undo", response_model=schemas.ViewAnswer, tags=["games"])
def undo(request: Request, here: Here, game: GameId, body: schemas.PhaseBody) -> Response:
    """Take back the last turn of a hot-seat game."""
    viewer = ask(request, here, game, None)
    here.host.undo(game, viewer.credentials, body.phase_number)
    return json_of({"view": view_of(here.host.view(game, viewer.credentials, viewer.who))})


@router.post("/games/{game}/draw", response_model=schemas.ViewAnswer, tags=["games"])
def draw(request: Request, here: Here, game: GameId, body: schemas.DrawGame) -> Response:
    """End the game in a draw."""
    viewer = ask(request, here, game, None)
    here.host.draw(game, viewer.credentials, body.phase_number, body.powers)
    return json_of({"view": view_of(here.host.view(game, viewer.credentials, viewer.who))})
