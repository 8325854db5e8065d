"""A game as a file states it: the neutral value between the readers of files and the engine.

A reader makes a `Transcript` of a text, without rules; `plenipo.formats.playback` plays it on the engine. Everything is
a text as people write it, so that a reader translates nothing that the notation of orders understands.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from plenipo.engine.history.messages import Message

__all__ = ["StatedDislodged", "StatedPhase", "StatedPosition", "StatedUnit", "Transcript"]


@dataclass(frozen=True)
class StatedUnit:
    """A unit of a power, as text: `A PAR`."""

    power: str
    text: str


@dataclass(frozen=True)
class StatedDislodged:
    """A unit that must retreat, and the places it may go to; None where the file does not list them.

    `barred` are places that it may not go to, where the file lists those instead.
    """

    power: str
    text: str
    ways: tuple[str, ...] | None = None
    barred: tuple[str, ...] = ()


@dataclass(frozen=True)
class StatedPosition:
    """The position at the beginning of a phase; `owners` maps places to powers, or is None where the file has none."""

    units: tuple[StatedUnit, ...] = ()
    dislodged: tuple[StatedDislodged, ...] = ()
    owners: Mapping[str, str] | None = None


@dataclass(frozen=True)
class StatedPhase:
    """A phase: its position, the orders of each power, and the results of units that did not succeed.

    `name` is a phase as a calendar reads it, such as S1901M. `results` maps the text of a unit to words: `bounce`,
    `cut`, `void`, `no convoy`, `disrupted`, `dislodged`, `destroyed`, `disband`; None where the file has no results.
    `waived` counts builds that were not made, where the file does not name their powers. A phase that is not `played`
    is the one the game stands at.
    """

    name: str
    position: StatedPosition | None = None
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    results: Mapping[str, frozenset[str]] | None = None
    waived: int = 0
    played: bool = True


@dataclass(frozen=True)
class Transcript:
    """A game as a file states it.

    `variant` is the name of a variant, with its options. The players of a game that is `over` without a solo agreed on
    a draw between the `winners`, or between all survivors where the file does not name them.
    """

    variant: str
    phases: tuple[StatedPhase, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    messages: tuple[Message, ...] = ()
    over: bool = False
    winners: tuple[str, ...] = ()
