"""The deals of a seat for pages and programs: offers, answers with their reasons, and what was kept."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from plenipo.bots.deals.agreements import Agreement
from plenipo.bots.deals.clauses import Clause, ClauseVerdict, OrderClause
from plenipo.bots.deals.notation import encode_clause
from plenipo.engine.history.sentence_json import decode_sentence
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.sentences import SentenceKind
from plenipo.server.deal_ledger import read_stored_deal
from plenipo.server.deals import MOST_PROPOSALS, deals_of_seat, why_no_deals, why_no_partner
from plenipo.server.errors import DealRefused, NoKey
from plenipo.server.hosted_game import HostedGame
from plenipo.server.store.values import StoredDeal
from plenipo.server.texts import translate_phase
from plenipo.server.web import bodies
from plenipo.server.web.cache import Payload, respond
from plenipo.server.web.context import GameId, Here, SeatName, Services, Viewer, counts, viewer_of
from plenipo.server.web.models import Model, OptionalSentence, SentenceField, SentenceModel, Text
from plenipo.server.web.pictures import arrows
from plenipo.server.web.views import Arrows, LegalOrdersAnswer

__all__ = ["DealsAnswer", "router"]

router = APIRouter(prefix="/api/games/{game}/deals", tags=["deals"])

_DEAL_KEY_MISSING = SentenceKind("server-deal-key-missing", "Deals are for players; name your seat and send its key.")

NOT_KEPT = {"cache-control": "no-store"}

SHOWN = 60
"""The most deals shown, the newest ones."""


class ClauseModel(Model):
    """A promise of one power: in words, its kind and its parts, and what became of it in a deal that was made.

    `verdict` is empty while a clause is open, and in offers; `kept` counts the movements in which it was kept so far.
    """

    power: Text
    said: SentenceField
    kind: Literal["order", "keep_out", "leave", "attack", "show"]
    order: Text = ""
    spaces: tuple[str, ...] = ()
    target: Text = ""
    movements: int
    verdict: Literal["", "kept", "broken", "void"] = ""
    kept: int = 0

    @classmethod
    def of(cls, clause: Clause, agreement: Agreement | None = None) -> "ClauseModel":
        """Return a clause, with the judgement of the deal in which it was accepted."""
        content = encode_clause(clause)
        kind = next(key for key in ("order", "keep_out", "leave", "attack", "show") if key in content)
        verdict = None if agreement is None else agreement.verdict_of(clause)
        judged = () if agreement is None else agreement.judged
        return cls.model_validate(
            {
                "power": content["power"],
                "said": clause.as_sentence(),
                "kind": kind,
                "order": content.get("order", ""),
                "spaces": content[kind] if kind in ("keep_out", "leave") else (),
                "target": content.get("attack", ""),
                "movements": clause.movements,
                "verdict": "" if verdict is None else verdict.value,
                "kept": sum(one.clause == clause and one.verdict is ClauseVerdict.KEPT for one in judged),
            }
        )


class ShownOrders(Model):
    """The orders that a power has shown, because it promised to."""

    power: str
    orders: tuple[str, ...]


class DealModel(Model):
    """A deal of the viewer: who offered it to whom, its clauses, the answer with its reason, and shown orders.

    `lapsed` is an offer that nobody accepted before its phase ended. `arrows` are the promised orders of an open phase.
    """

    number: int
    phase: str
    now: Annotated[bool, "Whether it was offered in the open phase."]
    proposer: Text
    partner: Text
    state: Literal["open", "accepted", "refused", "withdrawn", "lapsed"]
    binding: Annotated[bool, "Whether a clause still binds somebody."]
    reason: OptionalSentence
    clauses: tuple[ClauseModel, ...]
    shown: tuple[ShownOrders, ...]
    must_show: Annotated[bool, "Whether the viewer has promised to show its orders, and has not yet."]
    arrows: Arrows | None

    @classmethod
    def of(
        cls, hosted: HostedGame, power: Power, stored: StoredDeal, agreement: Agreement | None
    ) -> "DealModel | None":
        """Return a deal for a seat; None for one that means nothing under the rules as they are now."""
        deal = read_stored_deal(hosted.rules, stored)
        if deal is None:
            return None
        now = stored.phase_number == hosted.phase_number
        open_clauses = () if agreement is None else agreement.open_clauses
        clauses = tuple(ClauseModel.of(clause, agreement) for clause in deal.clauses)
        promised: list[Order] = [one.order for one in deal.clauses if isinstance(one, OrderClause)]
        drawn = promised if now and stored.state in ("open", "accepted") else []
        return cls.model_validate(
            {
                "number": stored.number,
                "phase": translate_phase(stored.phase),
                "now": now,
                "proposer": stored.proposer,
                "partner": stored.partner,
                "state": "lapsed" if stored.state == "open" and not now else stored.state,
                "binding": bool(open_clauses),
                "reason": None if stored.reason is None else decode_sentence(stored.reason),
                "clauses": clauses,
                "shown": [ShownOrders(power=one, orders=tuple(orders)) for one, orders in stored.shown.items()],
                "must_show": power not in stored.shown
                and any(clause.power == power and clause.kind == "show" and not clause.verdict for clause in clauses)
                and bool(open_clauses),
                "arrows": arrows(hosted.rules, hosted.game.position, drawn) if drawn else None,
            }
        )


class DealPartner(Model):
    """Another power, whether a computer plays it, and a reason if no deal can be made with it."""

    power: str
    computer: bool
    why_not: OptionalSentence


class DealsAnswer(Model):
    """The deals of a seat, the newest first, and the powers that it may deal with.

    `closed` is the reason why none can be made now, `left` the number of offers that the seat may still make in this
    phase. `said` is the answer to a question, and `understood` are the clauses that a text could be.
    """

    seat: str
    phase_number: int
    closed: OptionalSentence
    left: int
    partners: tuple[DealPartner, ...]
    deals: tuple[DealModel, ...]
    said: OptionalSentence = None
    understood: tuple[ClauseModel, ...] = ()

    @classmethod
    def of(
        cls, hosted: HostedGame, power: Power, now: datetime, said: str = "", understood: tuple[Clause, ...] = ()
    ) -> "DealsAnswer":
        """Return the deals of a seat."""
        own = deals_of_seat(hosted, power)
        made = sum(one.phase_number == hosted.phase_number and one.proposer == power for one, _ in own)
        shown = (DealModel.of(hosted, power, stored, agreement) for stored, agreement in own[:SHOWN])
        return cls(
            seat=power,
            phase_number=hosted.phase_number,
            closed=SentenceModel.if_any(why_no_deals(hosted)),
            left=max(0, MOST_PROPOSALS - made),
            partners=tuple(
                DealPartner(
                    power=one,
                    computer=bool(hosted.computers.get(one)),
                    why_not=SentenceModel.if_any(why_no_partner(hosted, power, one, now)),
                )
                for one in hosted.rules.names
                if one != power
            ),
            deals=tuple(deal for deal in shown if deal is not None),
            said=SentenceModel.if_any(said),
            understood=tuple(ClauseModel.of(clause) for clause in understood),
        )


def _answer_of(
    request: Request,
    response: Response,
    here: Services,
    game: str,
    seat: str | None,
    said: str = "",
    understood: tuple[Clause, ...] = (),
) -> DealsAnswer:
    response.headers.update(NOT_KEPT)
    _, hosted, power = _read_seat(request, here, game, seat)
    return DealsAnswer.of(hosted, power, here.service.clock.now(), said, understood)


def _read_seat(request: Request, here: Services, game: str, seat: str | None) -> tuple[Viewer, HostedGame, Power]:
    """Return the viewer, the game and the own seat of a request; raise `NoKey` without one."""
    viewer = viewer_of(request, here, game, seat)
    hosted = here.service.games.load(game)
    if viewer.who is None or viewer.who not in hosted.rules.names or viewer.who not in hosted.seats(viewer.credentials):
        raise NoKey(_DEAL_KEY_MISSING())
    return viewer, hosted, viewer.who


@router.get("")
def list_deals(request: Request, response: Response, here: Here, game: GameId, seat: SeatName = None) -> DealsAnswer:
    """List the deals of the viewer's seat, and the powers that it may deal with."""
    return _answer_of(request, response, here, game, seat)


@router.get("/options", response_model=LegalOrdersAnswer)
def list_options(
    request: Request,
    here: Here,
    game: GameId,
    power: Annotated[str, Query(max_length=200, description="The power whose legal orders are wanted.")] = "",
    seat: SeatName = None,
) -> Response:
    """Return the legal orders of another power as a tree of choices, for clauses of a deal."""
    viewer, hosted, own = _read_seat(request, here, game, seat)
    if fault := why_no_deals(hosted):
        raise DealRefused(fault)
    wanted = hosted.rules.power(power) if power else own
    game_view = here.service.view(game, viewer.credentials, viewer.who)
    options = LegalOrdersAnswer.of_power(game_view, wanted, Legality(hosted.rules, hosted.game.position))
    return respond(request, Payload.of(options))


@router.post("", status_code=201)
@counts("deals")
def propose(request: Request, response: Response, here: Here, game: GameId, body: bodies.DealBody) -> DealsAnswer:
    """Offer a deal; a computer player answers at once, with its reason and perhaps another offer."""
    viewer = viewer_of(request, here, game, body.seat)
    clauses = [clause.model_dump(exclude_none=True) for clause in body.clauses]
    here.service.deals.propose(game, viewer.credentials, body.seat, body.phase_number, body.partner, clauses)
    return _answer_of(request, response, here, game, body.seat)


@router.post("/answer")
@counts("deals")
def answer(request: Request, response: Response, here: Here, game: GameId, body: bodies.AnswerDealBody) -> DealsAnswer:
    """Accept or refuse an offer, or withdraw one of the viewer's own."""
    viewer = viewer_of(request, here, game, body.seat)
    here.service.deals.answer(game, viewer.credentials, body.seat, body.phase_number, body.number, accepts=body.accepts)
    return _answer_of(request, response, here, game, body.seat)


@router.post("/show")
@counts("deals")
def show(request: Request, response: Response, here: Here, game: GameId, body: bodies.ShowOrdersBody) -> DealsAnswer:
    """Show the orders of the viewer's seat to a partner, as promised."""
    viewer = viewer_of(request, here, game, body.seat)
    here.service.deals.show(game, viewer.credentials, body.seat, body.phase_number, body.number)
    return _answer_of(request, response, here, game, body.seat)


@router.post("/ask")
@counts("deals")
def ask(request: Request, response: Response, here: Here, game: GameId, body: bodies.AskPartnerBody) -> DealsAnswer:
    """Ask a computer player for offers or, with a text, what it understands of it; the text is not kept."""
    credentials = viewer_of(request, here, game, body.seat).credentials
    seat, number = body.seat, body.phase_number
    if body.text.strip():
        found = here.service.deals.understand(game, credentials, seat, number, body.partner, body.text)
        return _answer_of(request, response, here, game, seat, found.said, found.clauses)
    said = here.service.deals.ask(game, credentials, seat, number, body.partner)
    return _answer_of(request, response, here, game, seat, said)
