"""The public game log, and the rulings of the game master."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from plenipo.engine.history import rulings
from plenipo.engine.history import turns as turns_
from plenipo.engine.history import view as engine_view
from plenipo.engine.sentences import Quoted, SentenceKind
from plenipo.server.rulings import with_reasons
from plenipo.server.seats import with_names
from plenipo.server.store import JournalEntry, StoredTenure
from plenipo.server.web.models import Model, SentenceModel, Spoken, Text

__all__ = ["JournalAnswer", "JournalLine", "RulingModel", "RulingsAnswer", "UndoneTurn", "fill_in"]


_READ_AS = SentenceKind("server-ruled-read-as", "'{order}' of {power} was read as '{read}'.")
_EDITED = SentenceKind("server-ruled-edited", "The position of {phase} was edited.")
_BACK = SentenceKind("server-ruled-back", "Back to {phase}.")


class JournalLine(Model):
    """An entry of the game log."""

    number: int
    at: datetime
    phase_number: int
    kind: str
    text: Text
    sentence: Annotated[Text, Field(description="The text with names in place of the numbers of tenures.")]
    said: Annotated[SentenceModel, Field(description="The same, for programs that translate it.")]
    stored: Annotated[
        str, Field(description="The kind and parts of the text as stored, which the hash covers; empty without them.")
    ]
    hash: str


class JournalAnswer(Model):
    """The game log."""

    entries: tuple[JournalLine, ...]

    @classmethod
    def of(
        cls, entries: Sequence[JournalEntry], tenures: Sequence[StoredTenure], reasons: Mapping[str, str]
    ) -> "JournalAnswer":
        """Return the stored entries with names, and the published reasons of rulings."""
        return cls(entries=tuple(_line(entry, fill_in(entry, tenures, reasons)) for entry in entries))


def fill_in(entry: JournalEntry, tenures: Sequence[StoredTenure], reasons: Mapping[str, str]) -> str:
    """Return the sentence of an entry with the names of its players, and with its reason if it is published."""
    return with_names(with_reasons(entry.statement, reasons), tenures)


def _line(entry: JournalEntry, said: str) -> JournalLine:
    values = {**asdict(entry), "stored": entry.sentence, "sentence": said}
    return JournalLine(**values, said=SentenceModel.of(said))


class UndoneTurn(Model):
    """A turn that a ruling undid: its phase and its orders."""

    phase: Text
    orders: dict[str, tuple[Text, ...]]


class RulingModel(Model):
    """A ruling of a game master, with its reason if published, and the turns that it undid."""

    kind: Literal["back", "edited", "read as"]
    sentence: Spoken
    said: Annotated[SentenceModel, Field(description="The sentence, for programs that translate it.")]
    reason: Text | None
    undone: tuple[UndoneTurn, ...] = ()

    @classmethod
    def of(cls, ruling: rulings.Ruling, reasons: Mapping[str, str]) -> "RulingModel":
        """Return a ruling in its public form."""
        reason = reasons.get(ruling.reason.digest)
        if isinstance(ruling, rulings.ReadAs):
            sentence = _READ_AS(order=Quoted(ruling.order), power=ruling.power, read=Quoted(ruling.read))
            return cls(kind="read as", sentence=sentence, said=SentenceModel.of(sentence), reason=reason)
        if isinstance(ruling, rulings.Edited):
            sentence = _EDITED(phase=ruling.position.phase)
            return cls(kind="edited", sentence=sentence, said=SentenceModel.of(sentence), reason=reason)
        turns = [entry for entry in ruling.undone if isinstance(entry, turns_.Turn)]
        undone = tuple(
            UndoneTurn(
                phase=str(turn.resolution.before.phase),
                orders={str(power): texts for power, texts in turn.orders.items()},
            )
            for turn in turns
        )
        sentence = _BACK(phase=turns[0].resolution.before.phase)
        return cls(kind="back", sentence=sentence, said=SentenceModel.of(sentence), reason=reason, undone=undone)


class RulingsAnswer(Model):
    """The rulings of a game, in order."""

    rulings: tuple[RulingModel, ...]

    @classmethod
    def of(cls, view: engine_view.View, reasons: Mapping[str, str]) -> "RulingsAnswer":
        """Return all rulings of a game, including those that later ones undid."""
        made = [entry for entry in rulings.in_order((), view.rulings) if not isinstance(entry, turns_.Turn)]
        return cls(rulings=tuple(RulingModel.of(ruling, reasons) for ruling in made))
