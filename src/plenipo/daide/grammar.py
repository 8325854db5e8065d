"""The grammar of the DAIDE language at the levels 0 to 30: where a message first breaks it.

A rule takes the tokens and a place, and returns the place behind what it accepts, or -1. The furthest place at which
a rule failed is where `HUH` puts its `ERR`. No rule calls itself, so that no message can exhaust the stack.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache

from plenipo.daide.tokens import POWER, PROVINCES, TEXT, Token, Tokens, category

__all__ = ["ABILITIES", "LEVELS", "check_from_client", "check_from_server", "mark_error"]

LEVELS = (0, 10, 20, 30)
"""The levels of press that the server knows."""

ABILITIES = {
    10: (Token.PRP, Token.PCE, Token.ALY, Token.VSS, Token.DRW, Token.SLO, Token.NOT, Token.YES, Token.REJ, Token.BWX),
    20: (Token.XDO, Token.DMZ),
    30: (Token.AND, Token.ORR),
}
"""The tokens that press may use from each level on, as `TRY` lists them."""


@dataclass
class _Reading:
    """A message that is being read, and the furthest token at which something else was expected."""

    tokens: Tokens
    furthest: int = 0
    known: Collection[int] = field(default=())
    """The powers and provinces of the map."""

    def fail(self, place: int) -> int:
        self.furthest = max(self.furthest, place)
        return -1


_Rule = Callable[[_Reading, int], int]


def _word(*words: int) -> _Rule:
    allowed = frozenset(int(word) for word in words)

    def read(reading: _Reading, place: int) -> int:
        found = place < len(reading.tokens) and reading.tokens[place] in allowed
        return place + 1 if found else reading.fail(place)

    return read


def _of(*categories: int, known: bool = False) -> _Rule:
    allowed = frozenset(categories)

    def read(reading: _Reading, place: int) -> int:
        if place == len(reading.tokens) or category(reading.tokens[place]) not in allowed:
            return reading.fail(place)
        return place + 1 if not known or reading.tokens[place] in reading.known else reading.fail(place)

    return read


def _sequence(*rules: _Rule) -> _Rule:
    def read(reading: _Reading, place: int) -> int:
        for rule in rules:
            place = rule(reading, place)
            if place < 0:
                return -1
        return place

    return read


def _either(*rules: _Rule) -> _Rule:
    def read(reading: _Reading, place: int) -> int:
        for rule in rules:
            end = rule(reading, place)
            if end >= 0:
                return end
        return -1

    return read


def _many(rule: _Rule, least: int = 1) -> _Rule:
    def read(reading: _Reading, place: int) -> int:
        count = 0
        while (end := rule(reading, place)) >= 0:
            place, count = end, count + 1
        return place if count >= least else -1

    return read


def _maybe(rule: _Rule) -> _Rule:
    def read(reading: _Reading, place: int) -> int:
        end = rule(reading, place)
        return place if end < 0 else end

    return read


def _anything(reading: _Reading, place: int) -> int:
    """Accept whatever stands before the end of the brackets around it."""
    depth = 0
    while place < len(reading.tokens):
        token = reading.tokens[place]
        if token == Token.KET and not depth:
            return place
        depth += (token == Token.BRA) - (token == Token.KET)
        place += 1
    return place


def _in_brackets(*rules: _Rule) -> _Rule:
    return _sequence(_word(Token.BRA), *rules, _word(Token.KET))


def _command(word: int, *rules: _Rule) -> _Rule:
    return _sequence(_word(word), *rules)


_COASTS = 0x46
"""The category of coasts."""

_B = _in_brackets
_POWER = _of(POWER, known=True)
_POWER_OR_NONE = _either(_POWER, _word(Token.UNO))
_POWERS = _B(_many(_POWER))
_PROVINCE = _of(*PROVINCES, known=True)
_COAST = _word(*(token for token in Token if category(token) == _COASTS))
_LOCATION = _either(_PROVINCE, _B(_PROVINCE, _COAST))
_NUMBER = _of(*range(0x40))
_STRING = _B(_many(_of(TEXT), 0))
_TURN = _B(_of(0x47), _NUMBER)
_UNIT_HERE = _sequence(_POWER, _of(0x42), _LOCATION)
_UNIT = _B(_UNIT_HERE)
_RETREATS = _sequence(_word(Token.MRT), _B(_many(_LOCATION, 0)))
_ORDER = _either(
    _B(
        _UNIT,
        _either(
            _word(Token.HLD, Token.DSB, Token.BLD, Token.REM),
            _command(Token.MTO, _LOCATION),
            _command(Token.RTO, _LOCATION),
            _command(Token.SUP, _UNIT, _maybe(_command(Token.MTO, _LOCATION))),
            _command(Token.CVY, _UNIT, _command(Token.CTO, _PROVINCE)),
            _command(Token.CTO, _PROVINCE, _command(Token.VIA, _B(_many(_PROVINCE)))),
        ),
    ),
    _B(_POWER, _word(Token.WVE)),
)
_ABOUT_MAP = _B(_either(_command(Token.MAP, _STRING), _command(Token.SVE, _STRING), _command(Token.LOD, _STRING)))


def _offer_rule(level: int) -> _Rule:
    """Return the rule of a single offer without `NOT`."""
    offers = [
        _command(Token.PCE, _POWERS),
        _command(Token.ALY, _POWERS, _word(Token.VSS), _POWERS),
        _word(Token.DRW),
        _command(Token.SLO, _B(_POWER)),
    ]
    if level >= 20:
        offers += [_command(Token.XDO, _ORDER), _command(Token.DMZ, _POWERS, _B(_many(_PROVINCE)))]
    return _either(*offers)


def _press(level: int) -> _Rule:
    plain = _offer_rule(level)
    offer = _either(plain, _command(Token.NOT, _B(plain)))
    whole = offer
    if level >= 30:
        parts = _sequence(_B(offer), _many(_B(offer)))
        whole = _either(offer, _command(Token.AND, parts), _command(Token.ORR, parts))
    press = _either(_command(Token.PRP, _B(whole)), _command(Token.TRY, _B(_anything)))
    replies = (_command(word, _B(press)) for word in (Token.YES, Token.REJ, Token.BWX))
    return _either(press, *replies, _command(Token.HUH, _B(_anything)))


@cache
def _from_client(level: int) -> _Rule:
    commands = [
        *map(_word, (Token.HLO, Token.MAP, Token.MDF, Token.NOW, Token.SCO, Token.ORD, Token.MIS)),
        *map(_word, (Token.GOF, Token.DRW, Token.SMR)),
        _command(Token.NME, _STRING, _STRING),
        _command(Token.OBS, _maybe(_sequence(_STRING, _STRING))),
        _command(Token.IAM, _B(_POWER), _B(_NUMBER)),
        _command(Token.HST, _TURN),
        _command(Token.SUB, _many(_ORDER)),
        _command(Token.TME, _maybe(_B(_NUMBER))),
        _command(
            Token.NOT,
            _B(
                _either(
                    _word(Token.GOF),
                    _word(Token.DRW),
                    _command(Token.SUB, _maybe(_ORDER)),
                    _command(Token.TME, _maybe(_B(_NUMBER))),
                )
            ),
        ),
        _command(Token.YES, _ABOUT_MAP),
        _command(Token.REJ, _ABOUT_MAP),
        _command(Token.ADM, _STRING, _STRING),
        _command(Token.HUH, _B(_anything)),
        _command(Token.PRN, _B(_anything)),
    ]
    if level:
        commands.append(_command(Token.SND, _POWERS, _B(_press(level))))
    return _longest(*commands)


def _longest(*rules: _Rule) -> _Rule:
    """Return a rule that takes the alternative that accepts most: `MAP` alone and `MAP ('…')` begin alike."""

    def read(reading: _Reading, place: int) -> int:
        return max(rule(reading, place) for rule in rules)

    return read


@cache
def _from_server(level: int) -> _Rule:
    contacts = _B(_PROVINCE, _many(_B(_either(_of(0x42), _B(_of(0x42), _COAST)), _many(_LOCATION, 0)), 0))
    homes = _B(_many(_B(_either(_POWER_OR_NONE, _POWERS), _many(_PROVINCE, 0)), 0))
    result = _B(_of(0x45), _maybe(_word(Token.RET)))
    option = _B(
        _either(
            *(_command(word, _NUMBER) for word in (Token.LVL, Token.MTL, Token.RTL, Token.BTL)),
            _word(Token.DSD, Token.AOA),
        )
    )
    summary = _B(_POWER, _STRING, _STRING, _NUMBER, _maybe(_NUMBER))
    orders_missing = _either(_B(_NUMBER), _many(_either(_UNIT, _B(_UNIT_HERE, _RETREATS)), 0))
    commands = [
        *map(_word, (Token.OFF, Token.DRW)),
        _command(Token.HLO, _B(_POWER_OR_NONE), _B(_NUMBER), _B(_many(option))),
        _command(Token.MAP, _STRING),
        _command(Token.MDF, _POWERS, _B(homes, _B(_many(_PROVINCE, 0))), _B(_many(contacts))),
        _command(Token.SCO, _many(_B(_POWER_OR_NONE, _many(_PROVINCE, 0)))),
        _command(Token.NOW, _TURN, _many(_B(_UNIT_HERE, _maybe(_RETREATS)), 0)),
        _command(Token.ORD, _TURN, _ORDER, result),
        _command(Token.THX, _ORDER, _B(_of(0x44))),
        _command(Token.MIS, orders_missing),
        _command(Token.TME, _B(_NUMBER)),
        _command(Token.SLO, _B(_POWER)),
        _command(Token.SMR, _TURN, _many(summary)),
        _command(Token.CCD, _B(_POWER), _maybe(_either(_TURN, _B(_anything)))),
        _command(Token.OUT, _B(_POWER), _maybe(_B(_anything))),
        _command(Token.NOT, _B(_command(Token.CCD, _B(_POWER)))),
        _command(Token.ADM, _STRING, _STRING),
        *(_command(word, _B(_anything)) for word in (Token.YES, Token.REJ, Token.HUH, Token.PRN)),
    ]
    if level:
        commands.append(_command(Token.FRM, _B(_POWER), _POWERS, _B(_press(level))))
    return _longest(*commands)


def _check(rule: _Rule, message: Tokens, known: Collection[int]) -> int | None:
    reading = _Reading(message, known=known)
    end = rule(reading, 0)
    if end == len(message):
        return None
    return max(reading.furthest, end, 0)


def check_from_client(message: Tokens, level: int, known: Collection[int]) -> int | None:
    """Return the place of the first token that a client may not send at a level, None if all is well.

    `known` are the powers and provinces of the map.
    """
    return _check(_from_client(level), message, known)


def check_from_server(message: Tokens, level: int, known: Collection[int]) -> int | None:
    """Return the place of the first token that a server may not send, None if all is well."""
    return _check(_from_server(level), message, known)


def mark_error(message: Tokens, place: int) -> Tokens:
    """Return the `HUH` about a message, with `ERR` before the offending token."""
    return (
        Token.HUH.value,
        Token.BRA.value,
        *message[:place],
        Token.ERR.value,
        *message[place:],
        Token.KET.value,
    )
