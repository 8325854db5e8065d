"""The public game log, and the rulings of the game master."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from plenipo.engine.history import rulings
from plenipo.engine.history import turns as turns_
from plenipo.engine.history import view as engine_view
from plenipo.server.rulings import with_reasons
from plenipo.server.seats import with_names
from plenipo.server.store import JournalEntry, StoredTenure
from plenipo.server.web.models import Model, Text

__all__ = ["JournalAnswer", "JournalLine", "RulingModel", "RulingsAnswer", "UndoneTurn"]


class JournalLine(Model):
    """An entry of the game log."""

    number: int
    at: datetime
    phase_number: int
    kind: str
    text: Text
    sentence: Annotated[Text, Field(description="The text with names in place of the numbers of tenures.")]
    hash: str


class JournalAnswer(Model):
    """The game log."""

    entries: tuple[JournalLine, ...]

    @classmethod
    def of(
        cls, entries: Sequence[JournalEntry], tenures: Sequence[StoredTenure], reasons: Mapping[str, str]
    ) -> "JournalAnswer":
        """Return the stored entries with names, and the published reasons of rulings."""
        lines = (
            JournalLine(**asdict(entry), sentence=with_names(with_reasons(entry.text, reasons), tenures))
            for entry in entries
        )
        return cls(entries=tuple(lines))


class UndoneTurn(Model):
    """A turn that a ruling undid: its phase and its orders."""

    phase: Text
    orders: dict[str, tuple[Text, ...]]


class RulingModel(Model):
    """A ruling of a game master, with its reason if published, and the turns that it undid."""

    kind: Literal["back", "edited", "read as"]
    sentence: Text
    reason: Text | None
    undone: tuple[UndoneTurn, ...] = ()

    @classmethod
    def of(cls, ruling: rulings.Ruling, reasons: Mapping[str, str]) -> "RulingModel":
        """Return a ruling in its public form."""
        reason = reasons.get(ruling.reason.digest)
        if isinstance(ruling, rulings.ReadAs):
            sentence = f"'{ruling.order}' of {ruling.power} was read as '{ruling.read}'."
            return cls(kind="read as", sentence=sentence, reason=reason)
        if isinstance(ruling, rulings.Edited):
            return cls(kind="edited", sentence=f"The position of {ruling.position.phase} was edited.", reason=reason)
        turns = [entry for entry in ruling.undone if isinstance(entry, turns_.Turn)]
        undone = tuple(
            UndoneTurn(
                phase=str(turn.resolution.before.phase),
                orders={str(power): texts for power, texts in turn.orders.items()},
            )
            for turn in turns
        )
        return cls(kind="back", sentence=f"Back to {undone[0].phase}.", reason=reason, undone=undone)


class RulingsAnswer(Model):
    """The rulings of a game, in order."""

    rulings: tuple[RulingModel, ...]

    @classmethod
    def of(cls, view: engine_view.View, reasons: Mapping[str, str]) -> "RulingsAnswer":
        """Return all rulings of a game, including those that later ones undid."""
        made = [entry for entry in rulings.in_order((), view.rulings) if not isinstance(entry, turns_.Turn)]
        return cls(rulings=tuple(RulingModel.of(ruling, reasons) for ruling in made))
