"""Deals as JSON: how programs and pages write them, and what is said of one that is not understood."""

from collections.abc import Callable, Mapping
from typing import Any

from plenipo.bots.deals.agreements import Agreement
from plenipo.bots.deals.clauses import (
    AttackClause,
    Clause,
    KeepOutClause,
    LeaveCentresClause,
    OrderClause,
    ProposedDeal,
    ShowOrdersClause,
)
from plenipo.bots.deals.talks import MOST_OFFERS, OfferAnswer, Reply, Talks
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say
from plenipo.errors import PlenipoError

__all__ = [
    "NotUnderstood",
    "encode_agreement",
    "encode_clause",
    "encode_deal",
    "encode_talks",
    "read_deal",
    "read_reply",
]

_LONGEST = 80
"""The length of quoted text."""

MOST_SPACES = 100
"""The largest number of spaces in a clause that is read."""


class NotUnderstood(PlenipoError):  # noqa: N818  # an exception is named after what is wrong
    """A deal that cannot be read; the message is a sentence that quotes it."""


def encode_clause(clause: Clause) -> dict[str, Any]:
    """Return a clause as JSON, for `read_deal`."""
    match clause:
        case OrderClause(power=power, order=order):
            return {"power": power, "order": str(order)}
        case KeepOutClause(power=power, spaces=spaces, movements=movements):
            return {"power": power, "keep_out": sorted(spaces), "movements": movements}
        case LeaveCentresClause(power=power, spaces=spaces, movements=movements):
            return {"power": power, "leave": sorted(spaces), "movements": movements}
        case AttackClause(power=power, target=target, movements=movements):
            return {"power": power, "attack": target, "movements": movements}
        case ShowOrdersClause(power=power):
            return {"power": power, "show": True}


def encode_deal(deal: ProposedDeal) -> dict[str, Any]:
    """Return a deal as JSON, for `read_deal`."""
    return {
        "from": deal.proposer,
        "with": deal.partner,
        "clauses": [encode_clause(clause) for clause in deal.clauses],
    }


def encode_agreement(agreement: Agreement) -> dict[str, Any]:
    """Return a deal that was made as JSON, with the judgement of each clause."""
    verdicts = [agreement.verdict_of(clause) for clause in agreement.deal.clauses]
    return {
        "phase": str(agreement.phase),
        **encode_deal(agreement.deal),
        "verdicts": [None if verdict is None else str(verdict) for verdict in verdicts],
    }


def encode_talks(talks: Talks) -> dict[str, Any]:
    """Return what a power knows of the negotiations of a movement as JSON."""
    content: dict[str, Any] = {
        "deals": [encode_agreement(agreement) for agreement in talks.agreements],
        "breaches": [
            {"movement": breach.movement, "power": breach.breaker, "partner": breach.partner}
            for breach in talks.breaches
        ],
        "shown": {power: [str(order) for order in orders] for power, orders in talks.shown.items()},
    }
    if talks.partners:
        content |= {
            "partners": list(talks.partners),
            "offers": [{"number": offer.number, **encode_deal(offer.deal)} for offer in talks.offers],
            "step": talks.step,
            "may_offer": talks.may_offer,
        }
    return content


def read_reply(rules: Rules, power: Power, content: object) -> tuple[Reply, tuple[str, ...]]:
    """Return what a power says, and a sentence about each part of it that is not understood."""
    if not isinstance(content, dict):
        return Reply(), (
            str(
                say(
                    '{content} is no answer; one is like {{"answers": {{"3": true}}, "offers": []}}.',
                    content=_quote(content),
                )
            ),
        )
    unclear: list[str] = []
    answers: dict[int, OfferAnswer] = {}
    given = content.get("answers", {})
    for number, answer in given.items() if isinstance(given, dict) else [(given, given)]:
        if isinstance(number, str) and number.isdecimal() and len(number) < 10 and isinstance(answer, bool | str):
            answers[int(number)] = OfferAnswer(answer is True, answer if isinstance(answer, str) else "")
        elif not unclear:
            unclear.append(
                str(
                    say(
                        "{answer} is no answer to an offer; write true, or why not.",
                        answer=_quote({number: answer} if number is not answer else answer),
                    )
                )
            )
    offers = content.get("offers", [])
    if not isinstance(offers, list):
        unclear.append(str(say("{offers} is no list of offers.", offers=_quote(offers))))
        offers = []
    deals: list[ProposedDeal] = []
    for offer in offers[: MOST_OFFERS + 1]:
        try:
            deals.append(read_deal(rules, power, offer))
        except NotUnderstood as fault:
            unclear.append(str(fault))
    return Reply(answers, tuple(deals)), tuple(unclear)


def read_deal(rules: Rules, proposer: Power, content: object) -> ProposedDeal:
    """Return the deal that a power proposes; raise `NotUnderstood` for anything else.

    Whether it is void is another matter (`clauses.why_void`).
    """
    if not isinstance(content, dict) or not isinstance(content.get("clauses"), list):
        raise NotUnderstood(
            say(
                '{content} is no offer; one is like {{"with": "Germany", "clauses": [{{"power": "Germany", '
                '"order": "A MUN H"}}]}}.',
                content=_quote(content),
            )
        )
    partner = _read_power(rules, content.get("with"))
    if content.get("from", proposer) != proposer:
        raise NotUnderstood(
            say("{power} cannot propose a deal for {other}.", power=proposer, other=_quote(content["from"]))
        )
    other = {proposer: partner, partner: proposer}
    clauses = tuple(_read_clause(rules, one, other) for one in content["clauses"])
    return ProposedDeal(proposer, partner, clauses)


def _read_power(rules: Rules, name: object) -> Power:
    power = next((power for power in rules.names if power == name), None)
    if power is None:
        raise NotUnderstood(
            say("{name} is no power of this game; they are {powers}.", name=_quote(name), powers=", ".join(rules.names))
        )
    return power


def _read_clause(rules: Rules, content: object, other: Mapping[Power, Power]) -> Clause:
    kinds = [key for key in READERS if isinstance(content, dict) and key in content]
    if not isinstance(content, dict) or len(kinds) != 1:
        raise NotUnderstood(
            say(
                '{content} is no clause; one has "power" and one of {keys}.',
                content=_quote(content),
                keys=", ".join(f'"{key}"' for key in READERS),
            )
        )
    power = _read_power(rules, content.get("power"))
    if power not in other:
        raise NotUnderstood(say("{power} is not a partner of this deal and can promise nothing in it.", power=power))
    movements = content.get("movements", 1)
    if not isinstance(movements, int) or isinstance(movements, bool):
        raise NotUnderstood(say("{movements} is no number of movements.", movements=_quote(movements)))
    return READERS[kinds[0]](rules, power, other[power], content[kinds[0]], movements)


def _read_order(rules: Rules, power: Power, _other: Power, text: object, _movements: int) -> Clause:
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise NotUnderstood(say('{text} is no order; one is like "A MUN H".', text=_quote(text)))
    try:
        return OrderClause(power, notation_of(rules).read(text, PhaseKind.MOVEMENT))
    except PlenipoError as fault:
        raise NotUnderstood(
            say("The order {text} is not understood: {fault}", text=_quote(text), fault=fault)
        ) from None


def _read_keep_out(_rules: Rules, power: Power, _other: Power, codes: object, movements: int) -> Clause:
    return KeepOutClause(power, _read_spaces(codes), movements)


def _read_leave(_rules: Rules, power: Power, other: Power, codes: object, movements: int) -> Clause:
    return LeaveCentresClause(power, _read_spaces(codes), other, movements)


def _read_attack(rules: Rules, power: Power, _other: Power, target: object, movements: int) -> Clause:
    return AttackClause(power, _read_power(rules, target), movements)


def _read_show(_rules: Rules, power: Power, _other: Power, _content: object, _movements: int) -> Clause:
    return ShowOrdersClause(power)


def _read_spaces(codes: object) -> frozenset[Code]:
    if not isinstance(codes, list) or len(codes) > MOST_SPACES or not all(isinstance(code, str) for code in codes):
        raise NotUnderstood(say('{codes} is no list of spaces; one is like ["BUR"].', codes=_quote(codes)))
    return frozenset(map(Code, codes))


READERS: Mapping[str, Callable[[Rules, Power, Power, object, int], Clause]] = {
    "order": _read_order,
    "keep_out": _read_keep_out,
    "leave": _read_leave,
    "attack": _read_attack,
    "show": _read_show,
}
"""The readers of clauses, by the key that says what is promised."""


def _quote(content: object) -> str:
    text = repr(content)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
