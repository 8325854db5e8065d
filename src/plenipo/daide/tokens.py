"""The tokens of the DAIDE language, and messages as bytes, as text and as nested lists.

A message is a flat tuple of 16-bit numbers, brackets included, as it is sent. The upper byte of a token is its
category. The numbers are those of the protocol, version 1 (revision 14), with `SMR` as programs send it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Union

from plenipo.engine.sentences import say
from plenipo.errors import InvalidMessage

__all__ = [
    "NUMBERS",
    "POWER",
    "Nested",
    "Token",
    "Tokens",
    "as_text",
    "balance",
    "build",
    "category",
    "decode",
    "encode",
    "integer",
    "nest",
    "number_of",
    "parse",
    "parts_of",
    "quote",
    "string_of",
    "token_of",
    "wrap",
]

Tokens = tuple[int, ...]
"""The tokens of a message in their order, with its brackets."""

Nested = Union[int, "list[Nested]"]
"""A token, or a list of the parts in a pair of brackets."""

NUMBERS = range(-8192, 8192)
"""The integers that a token can hold."""

POWER, PROVINCES, TEXT, PRIVATE = 0x41, range(0x50, 0x58), 0x4B, range(0x58, 0x60)
"""The categories of powers, provinces, characters, and of tokens that are never sent."""

_INTEGERS = range(0x40)
_HALF, _WHOLE = 0x2000, 0x3FFF


class Token(IntEnum):
    """A token with a fixed meaning; powers and provinces belong to the map."""

    BRA, KET = 0x4000, 0x4001
    AMY, FLT = 0x4200, 0x4201
    CTO, CVY, HLD, MTO, SUP, VIA = 0x4320, 0x4321, 0x4322, 0x4323, 0x4324, 0x4325
    DSB, RTO, BLD, REM, WVE = 0x4340, 0x4341, 0x4380, 0x4381, 0x4382
    MBV, BPR, CST, ESC, FAR, HSC = 0x4400, 0x4401, 0x4402, 0x4403, 0x4404, 0x4405
    NAS, NMB, NMR, NRN, NRS, NSA = 0x4406, 0x4407, 0x4408, 0x4409, 0x440A, 0x440B
    NSC, NSF, NSP, NST, NSU, NVR = 0x440C, 0x440D, 0x440E, 0x440F, 0x4410, 0x4411
    NYU, YSC = 0x4412, 0x4413
    SUC, BNC, CUT, DSR, FLD, NSO, RET = 0x4500, 0x4501, 0x4502, 0x4503, 0x4504, 0x4505, 0x4506
    NCS, NEC, ECS, SEC, SCS, SWC, WCS, NWC = 0x4600, 0x4602, 0x4604, 0x4606, 0x4608, 0x460A, 0x460C, 0x460E
    SPR, SUM, FAL, AUT, WIN = 0x4700, 0x4701, 0x4702, 0x4703, 0x4704
    CCD, DRW, FRM, GOF, HLO, HST = 0x4800, 0x4801, 0x4802, 0x4803, 0x4804, 0x4805
    HUH, IAM, LOD, MAP, MDF, MIS = 0x4806, 0x4807, 0x4808, 0x4809, 0x480A, 0x480B
    NME, NOT, NOW, OBS, OFF, ORD = 0x480C, 0x480D, 0x480E, 0x480F, 0x4810, 0x4811
    OUT, PRN, REJ, SCO, SLO, SND = 0x4812, 0x4813, 0x4814, 0x4815, 0x4816, 0x4817
    SUB, SVE, THX, TME, YES, ADM, SMR = 0x4818, 0x4819, 0x481A, 0x481B, 0x481C, 0x481D, 0x481E
    AOA, BTL, ERR, LVL, MRT, MTL, NPB = 0x4900, 0x4901, 0x4902, 0x4903, 0x4904, 0x4905, 0x4906
    NPR, PDA, PTL, RTL, UNO, DSD = 0x4907, 0x4908, 0x4909, 0x490A, 0x490B, 0x490D
    ALY, AND, BWX, DMZ, ELS, EXP, FWD = 0x4A00, 0x4A01, 0x4A02, 0x4A03, 0x4A04, 0x4A05, 0x4A06
    FCT, FOR, HOW, IDK, IFF, INS, OCC = 0x4A07, 0x4A08, 0x4A09, 0x4A0A, 0x4A0B, 0x4A0C, 0x4A0E
    ORR, PCE, POB, PRP, QRY, SCD, SRY = 0x4A0F, 0x4A10, 0x4A11, 0x4A13, 0x4A14, 0x4A15, 0x4A16
    SUG, THK, THN, TRY, VSS, WHT, WHY = 0x4A17, 0x4A18, 0x4A19, 0x4A1A, 0x4A1C, 0x4A1D, 0x4A1E
    XDO, XOY, YDO, CHO, BCC, UNT = 0x4A1F, 0x4A20, 0x4A21, 0x4A22, 0x4A23, 0x4A24


_FIXED: Mapping[int, str] = {token.value: token.name for token in Token}
_WORDS = re.compile(
    r"\s*(?:(?P<text>'(?:''|[^'])*')|(?P<code>0[xX][0-9A-Fa-f]{4}\b)|(?P<number>-?\d+\b)|(?P<word>[A-Za-z0-9]{3})|(?P<mark>[()]))"
)


def category(token: int) -> int:
    """Return the category of a token: its upper byte."""
    return token >> 8


def integer(number: int) -> int:
    """Return the token of a number; raise `InvalidMessage` for one that no token can hold."""
    if number not in NUMBERS:
        raise InvalidMessage(
            say(
                "{number} is not a number that DAIDE can send; it must be from {least} to {most}.",
                number=number,
                least=NUMBERS[0],
                most=NUMBERS[-1],
            )
        )
    return number & _WHOLE


def number_of(token: int) -> int | None:
    """Return the number that a token stands for, None if it is no number."""
    if category(token) not in _INTEGERS:
        return None
    return token - _WHOLE - 1 if token & _HALF else token


def quote(text: str) -> list[Nested]:
    """Return a text as tokens, one for each character of Latin 1; others become question marks."""
    return [TEXT << 8 | byte for byte in text.encode("latin-1", "replace")]


def string_of(tokens: Iterable[Nested]) -> str:
    """Return the text of tokens that are characters."""
    return "".join(chr(token & 0xFF) for token in tokens if isinstance(token, int))


def token_of(part: Nested) -> int:
    """Return a part of a message as the token that it is; raise `InvalidMessage` for brackets."""
    if not isinstance(part, int):
        raise InvalidMessage(say("A token is expected where brackets are."))
    return part


def parts_of(part: Nested) -> list[Nested]:
    """Return the content of brackets; raise `InvalidMessage` for a token."""
    if isinstance(part, int):
        raise InvalidMessage(say("Brackets are expected where a token is."))
    return part


def build(*parts: Nested) -> Tokens:
    """Return a message of its parts; a list is put in brackets."""
    return tuple(_flatten(parts))


def _flatten(parts: Sequence[Nested]) -> Iterator[int]:
    for part in parts:
        if isinstance(part, int):
            yield int(part)
        else:
            yield Token.BRA.value
            yield from _flatten(part)
            yield Token.KET.value


def wrap(first: int, message: Tokens) -> Tokens:
    """Return a message about another one: `YES (…)`."""
    return (int(first), Token.BRA.value, *message, Token.KET.value)


def balance(message: Sequence[int]) -> bool:
    """Return whether each bracket of a message has its partner."""
    depth = 0
    for token in message:
        depth += (token == Token.BRA) - (token == Token.KET)
        if depth < 0:
            return False
    return depth == 0


def nest(message: Tokens) -> list[Nested]:
    """Return a balanced message as nested lists."""
    stack: list[list[Nested]] = [[]]
    for token in message:
        if token == Token.BRA:
            stack.append([])
        elif token == Token.KET:
            inner = stack.pop()
            stack[-1].append(inner)
        else:
            stack[-1].append(token)
    return stack[0]


def encode(message: Tokens) -> bytes:
    """Return a message as it is sent: two bytes a token, the upper first."""
    return b"".join(token.to_bytes(2, "big") for token in message)


def decode(content: bytes) -> Tokens:
    """Return the message of bytes from `encode`; raise `InvalidMessage` for half a token or a private one."""
    if len(content) % 2:
        raise InvalidMessage(say("A message of {number} bytes ends within a token.", number=len(content)))
    tokens = tuple(int.from_bytes(content[at : at + 2], "big") for at in range(0, len(content), 2))
    private = next((token for token in tokens if category(token) in PRIVATE), None)
    if private is not None:
        raise InvalidMessage(say("The token 0x{token} is private and may not be sent.", token=f"{private:04X}"))
    return tokens


def as_text(message: Tokens, names: Mapping[int, str]) -> str:
    """Return a message as text; `names` has those of powers and provinces.

    Other tokens are written as `0x` and four digits.
    """
    words: list[str] = []
    characters: list[str] = []
    for token in (*message, -1):
        if category(token) == TEXT:
            characters.append(chr(token & 0xFF))
            continue
        if characters:
            words.append("'" + "".join(characters).replace("'", "''") + "'")
            characters = []
        number = number_of(token) if token >= 0 else None
        if number is not None:
            words.append(str(number))
        elif token in (Token.BRA, Token.KET):
            words.append("(" if token == Token.BRA else ")")
        elif token >= 0:
            words.append(names.get(token) or _FIXED.get(token) or f"0x{token:04X}")
    return " ".join(words).replace("( ", "(").replace(" )", ")")


def parse(text: str, tokens: Mapping[str, int]) -> Tokens:
    """Return the message of a text; `tokens` has those of powers and provinces, by their names.

    Raise `InvalidMessage` for a word that is none.
    """
    found: list[int] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        word = _WORDS.match(text, place)
        if word is None:
            raise InvalidMessage(say("'{text}' is not a DAIDE token.", text=text[place : place + 20].strip()))
        place = word.end()
        if word["text"] is not None:
            found += [TEXT << 8 | byte for byte in word["text"][1:-1].replace("''", "'").encode("latin-1", "replace")]
        elif word["code"] is not None:
            found.append(int(word["code"], 16))
        elif word["number"] is not None:
            found.append(integer(int(word["number"])))
        elif word["mark"] is not None:
            found.append(Token.BRA.value if word["mark"] == "(" else Token.KET.value)
        else:
            name = word["word"].upper()
            token = tokens.get(name, Token.__members__.get(name))
            if token is None:
                raise InvalidMessage(say("'{text}' is not a DAIDE token.", text=name))
            found.append(int(token))
    return tuple(found)
