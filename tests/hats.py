"""Turns whose draws are entered by hand, so that a test says what comes out of the hat."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.orders import Enter, Order
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.step import process
from plenipo.engine.position import GAME_MASTER, Position, Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from table import by_power

BY_HAND = '[modules.draws]\ndraws = "gm_entered"\n'
"""The lines of a variant in which the game master draws."""


def drawn(rules: Rules, position: Position, draws: Mapping[str, str], phase: Phase | None = None) -> Resolution:
    """The draws of a turn, with these results by their labels; those of the Spring before unless `phase` is given."""
    at = phase or Phase("Spring", rules.calendar.start, PhaseKind.DRAWS)
    entered: list[Order] = [Enter(label, result) for label, result in draws.items()]
    return process(rules, replace(position, phase=at), {GAME_MASTER: entered})


def turn(
    rules: Rules, position: Position, orders: str = "", draws: Mapping[str, str] | None = None, **promises: str
) -> Resolution:
    """The phase of `position`, with lines of orders, draws by their labels, and a promise of some powers."""
    notation = notation_of(rules, position)
    kind = position.phase.kind
    order_sets = {
        Power(power): [notation.read(text, kind) for text in texts] for power, texts in by_power(orders).items()
    }
    order_sets[GAME_MASTER] = [Enter(label, result) for label, result in (draws or {}).items()]
    for power, text in promises.items():
        order_sets.setdefault(Power(power), []).append(notation.read(f"PROMISE {text}", kind))
    return process(rules, position, order_sets)


def notes(resolution: Resolution, word: str) -> list[str]:
    """The sentences in which a word comes up."""
    return [note for note in resolution.notes if word in note]


def given(**orders: Sequence[str]) -> dict[Power, Sequence[str | Order]]:
    """Texts as they are submitted, by the names of powers: `given(France=["A PAR H"])`."""
    return {Power(power): list(texts) for power, texts in orders.items()}
