"""The JSON models of rules, boards and turns, for answers, pages and the OpenAPI document.

Each model takes its values from those of the engine; routes return them, templates read them.
"""

from functools import lru_cache
from http import HTTPStatus
from typing import Annotated, Any, ClassVar

from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    PrivateAttr,
    WithJsonSchema,
    field_serializer,
)

from plenipo import library
from plenipo.engine import calendar
from plenipo.engine import position as engine
from plenipo.engine.history import game
from plenipo.engine.history.record import encode_event, encode_refusal
from plenipo.engine.history.summary import Summary
from plenipo.engine.phases import retreats, victory
from plenipo.engine.phases.legality import Legality
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Sentence
from plenipo.languages import mark
from plenipo.library import plugins
from plenipo.maps.draw.theme import slug, tags
from plenipo.server.boards import chart_for
from plenipo.server.texts import VARIANTS, encode_parts, encode_text, pgettext, translate

__all__ = [
    "Draw",
    "Event",
    "Failure",
    "Fault",
    "Model",
    "Option",
    "OptionalSentence",
    "Outcome",
    "Phase",
    "Position",
    "Power",
    "Refusal",
    "SentenceField",
    "SentenceModel",
    "Spoken",
    "Text",
    "Turn",
    "Unit",
    "Variant",
    "Variants",
    "as_line",
    "encode_parts",
    "parts_of",
    "powers_of",
    "summary_of",
    "translate_summary",
]

Text = Annotated[str, BeforeValidator(str)]
"""A value of the engine as text."""

Spoken = Annotated[
    str,
    PlainValidator(lambda value: value if isinstance(value, Sentence) else str(value)),
    WithJsonSchema({"type": "string"}),
]
"""A sentence as text, which keeps its kind and parts for pages."""


class Model(BaseModel):
    """An answer, or a part of one."""

    model_config = ConfigDict(extra="forbid", from_attributes=True, frozen=True)

    lean: ClassVar[bool] = False
    """True if fields with their default value are left out."""


class SentenceModel(Model):
    """A sentence: its text in the language of the reader, and its kind and parts for programs.

    `kind` and `parts` are empty for a text without a kind.
    """

    text: str
    kind: str = ""
    parts: dict[str, Any] = {}
    _sentence: str = PrivateAttr("")

    @classmethod
    def of(cls, text: object) -> "SentenceModel":
        """Return a sentence of the engine or of the server as a model."""
        if isinstance(text, SentenceModel):
            return text
        if isinstance(text, dict):
            return cls(**text)
        said = text if isinstance(text, str) else str(text)
        made = cls(**encode_text(said))
        made._sentence = said
        return made

    @classmethod
    def if_any(cls, text: object) -> "SentenceModel | None":
        """Return a sentence as a model, None for an empty one."""
        return cls.of(text) if text else None

    @property
    def words(self) -> str:
        """The sentence in the language of the page or answer that is being made."""
        return translate(self._sentence or self.text)

    @field_serializer("text")
    def _render(self, text: str) -> str:
        del text
        return self.words


SentenceField = Annotated[SentenceModel, BeforeValidator(SentenceModel.of)]
"""A sentence of the engine or of the server."""

OptionalSentence = Annotated[SentenceModel | None, BeforeValidator(SentenceModel.if_any)]
"""A sentence, or null for none."""


def _of(path: str, attribute: str) -> AliasChoices:
    """Return the alias of a field whose value is an attribute of an attribute."""
    return AliasChoices(attribute, AliasPath(path, attribute))


# Refusals


def as_line(text: str) -> str:
    """Return a text as one printable line that ends like a sentence."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if line.endswith((".", "!", "?", "…")) else f"{line}."


STATUS_TITLES = {
    400: mark("Bad Request"),
    401: mark("Unauthorized"),
    403: mark("Forbidden"),
    404: mark("Not Found"),
    405: mark("Method Not Allowed"),
    409: mark("Conflict"),
    422: mark("Not Accepted"),
    429: mark("Too Many Requests"),
    500: mark("Internal Server Error"),
    503: mark("Service Unavailable"),
}
"""The titles of the pages of errors, by status."""


class Fault(Model):
    """The reason of a refusal, in one sentence, with a stable code for programs."""

    status: int
    code: str
    message: str
    piece: str = ""
    suggestions: tuple[str, ...] = ()
    index: int | None = None
    kind: Annotated[str, "The kind of sentence, for programs that translate it; empty for a text without one."] = ""
    parts: Annotated[dict[str, Any], "The values in the sentence, by name."] = {}
    _sentence: str = PrivateAttr("")

    @classmethod
    def of(cls, status: int, code: str, sentence: str, **more: Any) -> "Fault":
        """Return the refusal with a sentence, whose kind and parts go along."""
        kind, parts = ("", {}) if not isinstance(sentence, Sentence) else (sentence.kind.id, encode_parts(sentence))
        made = cls(status=status, code=code, message=as_line(sentence), kind=kind, parts=parts, **more)
        made._sentence = sentence
        return made

    @property
    def title(self) -> str:
        """The name of the status, `Not Found`."""
        return STATUS_TITLES.get(self.status, HTTPStatus(self.status).phrase)

    @property
    def words(self) -> str:
        """The sentence in the language of the page that is being rendered."""
        return as_line(translate(self._sentence or self.message))


class Failure(Model):
    """The answer to a refused request."""

    error: Fault


# Rules


class Phase(Model):
    """A phase; `text` and `when` are in the language of the reader."""

    text: str
    code: str
    season: str
    year: int
    kind: str
    when: str
    _phase: calendar.Phase | None = PrivateAttr(None)

    @classmethod
    def of(cls, phase: calendar.Phase) -> "Phase":
        """Return the model of a phase."""
        made = cls(
            text=str(phase), code=phase.code, season=phase.season, year=phase.year, kind=phase.kind, when=phase.when
        )
        made._phase = phase
        return made

    @property
    def words(self) -> str:
        """The phase in the language of the page or answer that is being made."""
        return self.text if self._phase is None else translate(self._phase.as_sentence())

    @field_serializer("text")
    def _render(self, text: str) -> str:
        del text
        return self.words

    @field_serializer("when")
    def _render_when(self, when: str) -> str:
        return when if self._phase is None else translate(self._phase.when_as_sentence())


class Power(Model):
    """A power of a variant."""

    name: str
    slug: str
    adjective: str
    tag: str
    played: bool


def powers_of(rules: Rules) -> tuple[Power, ...]:
    """Return the powers, including those without a player."""
    letters = tags(tuple(info.name for info in rules.powers))
    return tuple(
        Power(
            name=info.name,
            slug=slug(info.name),
            adjective=info.adjective,
            tag=letters[info.name],
            played=info.played,
        )
        for info in rules.powers
    )


class Option(Model):
    """An option of a variant."""

    name: str
    default: str
    choices: str


class Variant(Model):
    """A variant."""

    name: str
    title: str
    summary: str
    powers: tuple[Power, ...]
    centres: int
    to_win: int
    counted: str
    victory: SentenceField
    first: Phase
    options: tuple[Option, ...]
    features: tuple[str, ...]
    picture: str

    @classmethod
    def load(cls, name: str) -> "Variant":
        """Return a variant of the library, as its files are now; raise as `library.load` does."""
        return cls._load(name, plugins.version_of(name))

    @classmethod
    @lru_cache(maxsize=256)
    def _load(cls, name: str, _version: tuple[int, ...]) -> "Variant":
        rules = library.load(name)
        score = victory.score(rules, rules.opening)
        return cls(
            name=rules.variant,
            title=rules.title,
            summary=summary_of(name),
            powers=powers_of(rules),
            centres=len(rules.board.centres),
            to_win=score.enough,
            counted=score.noun,
            victory=SentenceModel.of(rules.victory_condition),
            first=Phase.of(rules.opening.phase),
            options=tuple(map(Option.model_validate, library.options_of(name))),
            features=tuple(module.name for module in rules.modules),
            picture=f"/variants/{name}/picture.svg",
        )


def summary_of(name: str) -> str:
    """Return the summary of a variant: the first paragraph of its page that is neither its title nor its authors.

    A combination has the summary of each part.
    """
    if library.AND in name:
        return " ".join(filter(None, map(summary_of, parts_of(name))))
    paragraphs = [part for part in (library.read_page(name) or "").split("\n\n") if part.strip()]
    texts = (part for part in paragraphs if not part.startswith(("#", "```", "|", "-", "*", ">")))
    said = ([line.strip() for line in text.splitlines() if not line.startswith("By ")] for text in texts)
    return " ".join(next(filter(None, said), ())[:2])


def parts_of(name: str) -> tuple[str, ...]:
    """Return the variants of which a combined one consists."""
    return tuple(part.strip() for part in name.split(library.AND))


def translate_summary(name: str) -> str:
    """Return the summary of a variant in the current language."""
    texts = (pgettext(part, summary, VARIANTS) for part in parts_of(name) if (summary := summary_of(part)))
    return " ".join(texts)


class Variants(Model):
    """All variants."""

    variants: tuple[Variant, ...]


# Positions


class Unit(Model):
    """A unit."""

    text: str
    power: str
    kind: str
    space: str
    coast: str

    @classmethod
    def of(cls, unit: engine.Unit) -> "Unit":
        """Return the model of a unit."""
        space, coast = unit.location
        return cls(text=str(unit), power=unit.power, kind=unit.kind, space=space, coast=coast)


AnyUnit = Annotated[Unit, BeforeValidator(lambda unit: Unit.of(unit) if isinstance(unit, engine.Unit) else unit)]


class DislodgedUnit(Unit):
    """A unit that must retreat."""

    by: AnyUnit | None
    retreats: tuple[Text, ...]


class Position(Model):
    """The position on the board."""

    units: tuple[AnyUnit, ...]
    dislodged: tuple[DislodgedUnit, ...]
    contested: tuple[str, ...]
    centres: dict[str, tuple[str, ...]]
    homes: dict[str, tuple[str, ...]]
    marks: dict[str, str]

    @classmethod
    def of(cls, rules: Rules, position: engine.Position) -> "Position":
        """Return the model of a position."""
        dislodged = (
            {**Unit.of(gone.unit).model_dump(), "by": gone.by, "retreats": retreats.options(rules, position, gone)}
            for gone in position.dislodged
        )
        centres: dict[str, list[str]] = {}
        for code, power in position.owners.items():
            centres.setdefault(power, []).append(code)
        return cls.model_validate(
            {
                "units": position.units,
                "dislodged": tuple(dislodged),
                "contested": sorted(position.contested),
                "centres": centres,
                "homes": {power: sorted(codes) for power, codes in position.homes.items()},
                "marks": chart_for(rules).marks(position),
            }
        )


# Turns


class Outcome(Model):
    """The result of an order."""

    power: str
    unit: AnyUnit | None
    order: Text | None
    result: Text
    succeeded: bool
    why: SentenceField
    reason: Annotated[Text, Field(validation_alias=_of("cause", "reason"))]
    strength: Annotated[int | None, Field(validation_alias=_of("cause", "strength"))]
    against: Annotated[int | None, Field(validation_alias=_of("cause", "against"))]
    scale: Annotated[int, Field(validation_alias=_of("cause", "scale"))]
    helpers: Annotated[tuple[Text, ...], Field(validation_alias=_of("cause", "helpers"))]
    against_helpers: Annotated[tuple[Text, ...], Field(validation_alias=_of("cause", "against_helpers"))]
    by: Annotated[tuple[AnyUnit, ...], Field(validation_alias=_of("cause", "by"))]
    place: Annotated[str | None, Field(validation_alias=_of("cause", "place"))]
    dislodged_by: AnyUnit | None
    retreats: tuple[Text, ...]


class Draw(Model):
    """A draw from a deck or of dice."""

    label: str
    slips: tuple[str, ...]
    result: str
    entered: bool
    cards: dict[str, str]


class Event(Model):
    """An event that is not the result of an order; its parts, such as the powers, are as in the record."""

    kind: str
    sentence: SentenceField
    powers: tuple[str, ...] = ()
    spaces: tuple[str, ...] = ()
    units: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()


class Refusal(Model):
    """A refusal and its reason; `place` is the place of the fault in its text."""

    code: str
    sentence: SentenceField
    power: str | None
    text: str
    place: tuple[int, int] | None


class ConcernModel(Model):
    """A result of a turn that matters to a power: `gained`, `lost`, `dislodged` …, and a sentence."""

    kind: Text
    sentence: SentenceField


def _find_nmr(rules: Rules, turn: game.Turn) -> tuple[str, ...]:
    """Return the powers that could order in a turn and have no order set in it; orders kept secret are none."""
    silent = [power for power in rules.names if power not in turn.orders]
    legality = Legality(rules, turn.resolution.before)
    return tuple(power for power in silent if not rules.has_secrets and legality.orders_of(power))


class Turn(Model):
    """An adjudicated turn: its summary names everything, `concerns` are the results that matter to each power.

    `notes` and `errors` are the sentences of its events and refusals.
    """

    turn: int
    phase: Phase
    summary: tuple[SentenceField, ...]
    concerns: dict[str, tuple[ConcernModel, ...]]
    outcomes: tuple[Outcome, ...]
    events: tuple[Event, ...]
    refusals: tuple[Refusal, ...]
    notes: tuple[SentenceField, ...]
    errors: tuple[SentenceField, ...]
    draws: tuple[Draw, ...]
    orders: dict[str, tuple[str, ...]]
    nmr: Annotated[
        tuple[str, ...],
        Field(description="The powers that could order and submitted nothing at all, as deadlines count it."),
    ]
    before: Position
    after: Position
    score: dict[str, int]

    @classmethod
    def of(cls, rules: Rules, turn: game.Turn, number: int) -> "Turn":
        """Return the model of a turn; all of it is public."""
        resolution = turn.resolution
        summary = Summary(rules, resolution)
        return cls.model_validate(
            {
                "turn": number,
                "phase": Phase.of(resolution.before.phase),
                "summary": summary.sentences(),
                "concerns": {power: concerns for power in rules.names if (concerns := summary.concerns(power))},
                "outcomes": resolution.outcomes,
                "events": tuple({**encode_event(one), "sentence": one.sentence} for one in resolution.events),
                "refusals": tuple({**encode_refusal(one), "sentence": one.sentence} for one in resolution.refusals),
                "notes": resolution.notes,
                "errors": resolution.errors,
                "draws": resolution.draws,
                "orders": turn.orders,
                "nmr": _find_nmr(rules, turn),
                "before": Position.of(rules, resolution.before),
                "after": Position.of(rules, resolution.after),
                "score": victory.score(rules, resolution.after).counts,
            }
        )
