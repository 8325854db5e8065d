"""Spectators of a game, and their delay; pure."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator

from plenipo.engine.sentences import Sentence, SentenceKind
from plenipo.languages import mark
from plenipo.server.errors import InvalidSchedule
from plenipo.server.hosting.schedule import length_of
from plenipo.server.hosting.schedule_words import span_words

__all__ = ["DELAYS", "SPECTATORS", "Delay", "Spectators", "delay_in_words", "in_words", "phases_of"]

Spectators = Literal["link", "public", "nobody"]
"""The groups of people who may spectate."""

SPECTATORS: dict[Spectators, str] = {
    "link": mark("Anyone with the link can watch."),
    "public": mark("Anyone can watch; a listed game appears under Watch."),
    "nobody": mark("Only players can watch."),
}
"""The rules for spectators, each as a sentence."""

MOST_PHASES = 20

_PHASES = re.compile(r"(\d{1,4}) phases?")


def _delay(text: str) -> str:
    match = _PHASES.fullmatch(text)
    if not text or (match is not None and 1 <= int(match[1]) <= MOST_PHASES):
        return text
    try:
        if match is None and length_of(text):
            return text
    except InvalidSchedule as fault:
        raise ValueError(f"write a delay like '2 phases', at most {MOST_PHASES}, or '24h'") from fault
    raise ValueError(f"a delay has from 1 to {MOST_PHASES} phases, or a length of time")


Delay = Annotated[str, AfterValidator(_delay)]
"""The delay of spectators: phases, `2 phases`, or a length of time, `24h`; empty for none."""

DELAYS: dict[Delay, str] = {
    "": mark("none"),
    "1 phase": mark("1 phase"),
    "2 phases": mark("2 phases"),
    "4 phases": mark("4 phases"),
    "30m": mark("30 minutes"),
    "3h": mark("3 hours"),
    "24h": mark("1 day"),
}
"""The delays that a form offers, each in a few words."""


def phases_of(delay: str) -> int | None:
    """Return the delay in phases; None for a length of time."""
    match = _PHASES.fullmatch(delay)
    return None if match is None else int(match[1])


_NOT_LATE = SentenceKind("server-not-late", "without a delay", note="Spectators see the game so.")
_PHASES_LATE = SentenceKind("server-phases-late", "{number} phase late", "{number} phases late")
_LATE = SentenceKind("server-late", "{span} late")
_PUBLIC_LATE = SentenceKind("server-watch-late", "Anyone can watch, {late}, until the game is over.")
_LINK_LATE = SentenceKind(
    "server-watch-by-link-late", "Anyone with the link can watch, {late}, until the game is over."
)


def delay_in_words(delay: str) -> Sentence:
    """Return the delay in words: `without a delay`, `2 phases late`."""
    if not delay:
        return _NOT_LATE()
    phases = phases_of(delay)
    return _PHASES_LATE(number=phases) if phases is not None else _LATE(span=span_words(length_of(delay)))


def in_words(spectators: Spectators, delay: str) -> str:
    """Return who may spectate and how late, as a sentence; empty if the link is enough and there is no delay."""
    if spectators == "nobody":
        return SPECTATORS["nobody"]
    if not delay:
        return SPECTATORS["public"] if spectators == "public" else ""
    return (_PUBLIC_LATE if spectators == "public" else _LINK_LATE)(late=delay_in_words(delay))
