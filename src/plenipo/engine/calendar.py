"""The calendar: the order of the phases, as a table.

A year is a cycle of steps. A step either asks the players for orders (movement, retreats, adjustments) or is carried
out by the rules alone (ownership). `Calendar` only knows the order of the steps; the caller checks whether a phase
has anything to do, and skips it if not.

Years are whole numbers. Those before Christ are negative and count up towards 0, which is a year of its own; people
write them `48 BC`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, NamedTuple

from plenipo.engine.immutable import Brief
from plenipo.engine.sentences import Sentence, SentenceKind, say
from plenipo.engine.wording import shorten
from plenipo.errors import InvalidPhase

__all__ = [
    "A_YEAR",
    "Calendar",
    "Phase",
    "PhaseKind",
    "Step",
    "Year",
    "as_season",
    "as_year",
    "phase_of_text",
    "year_read",
    "year_text",
]

_SEASON = re.compile(r"(?P<name>.*[^\s\d.-])(?:\.? ?(?P<year>\d+)|\.? ?(?P<signed>-\d+))\.?")
_NUMBER = re.compile(r"-?\d+")
_BEFORE_CHRIST = re.compile(r"(?<![\d-])(\d+) ?b\.? ?c(?:\.? ?e\b)?\.?")
"""A year before Christ as people write it, in small letters; a letter may follow it, as in `s48bcm`."""

_MOST_DIGITS = 5
"""The greatest number of digits of a year."""

_SHORT = 100
"""The earliest year that may follow an abbreviated season where all years are later: `F01` is not the year 1."""


def year_text(year: int) -> str:
    """Return a year as people write it.

    >>> year_text(1901), year_text(0), year_text(-48)
    ('1901', '0', '48 BC')
    """
    return f"{-year} BC" if year < 0 else str(year)


def year_read(text: str) -> int | None:
    """Return the year that people write as `text`, such as `1901`, `48 BC` or `-48`; None if it is not a year.

    >>> year_read("48 B.C."), year_read("-48"), year_read("soon")
    (-48, -48, None)
    """
    written = _sign_years(" ".join(text.split()).casefold())
    return int(written) if _NUMBER.fullmatch(written) and len(written.strip("-")) <= _MOST_DIGITS else None


def _sign_years(text: str) -> str:
    """Return a text in small letters with each year before Christ as a negative number: `spring -48 movement`."""
    return _BEFORE_CHRIST.sub(lambda found: str(-int(found[1])) if len(found[1]) <= _MOST_DIGITS else found[0], text)


class _AsWritten:
    """The notation of a year in a file: a whole number, or a text as people write it."""

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, _handler: object) -> dict[str, Any]:
        latest = 10**_MOST_DIGITS - 1
        number = {"type": "int", "strict": True, "ge": -latest, "le": latest}
        read = {"type": "function-before", "function": {"type": "no-info", "function": cls._number}, "schema": number}
        return {"type": "custom-error", "schema": read, "custom_error_type": "year", "custom_error_message": A_YEAR}

    @classmethod
    def __get_pydantic_json_schema__(cls, _schema: object, _handler: object) -> dict[str, Any]:
        return {"anyOf": [{"type": "integer"}, {"type": "string"}]}

    @staticmethod
    def _number(value: object) -> object:
        year = year_read(value) if isinstance(value, str) else None
        return value if year is None else year


A_YEAR = 'a year such as 1901, 0 or "48 BC"'
"""The description of a year in errors."""

Year = Annotated[int, _AsWritten()]
"""A year in a file: `1901`, `0`, `-48`, `"48 BC"`."""


class PhaseKind(StrEnum):
    """The kind of a step of the calendar."""

    MOVEMENT = "movement"
    RETREATS = "retreats"
    OWNERSHIP = "ownership"
    """Supply centres change hands and victory is checked; no orders."""
    ADJUSTMENTS = "adjustments"
    CHOICE = "choice"
    """Every power chooses secretly among the choices that a rule module offers; all choices are revealed together."""

    DRAWS = "draws"
    """Results are drawn from a draw pile; orders only where a game master enters physical draws."""

    def as_sentence(self) -> Sentence:
        """Return the name of the kind, as a part of a sentence."""
        return _KINDS[self]()

    @property
    def asks_orders(self) -> bool:
        """True if players give orders in this step."""
        return self not in (PhaseKind.OWNERSHIP, PhaseKind.DRAWS)

    @property
    def noun(self) -> str:
        """The noun for such a phase: a `retreat` phase."""
        return self.removesuffix("s")

    @property
    def one(self) -> Sentence:
        """Such a phase in the words of a sentence: `a retreat phase`."""
        return _ONE_PHASE[self]

    @property
    def asks_anything(self) -> bool:
        """True if any power or the game master submits something in this step."""
        return self is not PhaseKind.OWNERSHIP


_KINDS = {kind: SentenceKind(f"phase-{kind}", str(kind)) for kind in PhaseKind}
_PHASE = SentenceKind("phase", "{season} {year} {kind}", note="A phase, such as 'Spring 1901 movement'.")
_WHEN = SentenceKind("phase-when", "{season} {year}", note="The time of a phase, such as 'Spring 1901'.")
_SEASONS = {
    season: SentenceKind(f"season-{season.lower()}", season)
    for season in ("Spring", "Summer", "Fall", "Autumn", "Winter")
}
_YEAR_BC = SentenceKind("year-bc", "{year} BC", note="A year before Christ.")


def as_season(season: str) -> str:
    """Return the name of a season as a part of a sentence."""
    return _SEASONS[season]() if season in _SEASONS else season


def as_year(year: int) -> int | Sentence:
    """Return a year as a part of a sentence."""
    return _YEAR_BC(year=-year) if year < 0 else year


_ONE_PHASE = {
    PhaseKind.MOVEMENT: SentenceKind("a-movement-phase", "a movement phase")(),
    PhaseKind.RETREATS: SentenceKind("a-retreat-phase", "a retreat phase")(),
    PhaseKind.OWNERSHIP: SentenceKind("an-ownership-phase", "an ownership phase")(),
    PhaseKind.ADJUSTMENTS: SentenceKind("an-adjustment-phase", "an adjustment phase")(),
    PhaseKind.CHOICE: SentenceKind("a-choice-phase", "a choice phase")(),
    PhaseKind.DRAWS: SentenceKind("a-draw-phase", "a draw phase")(),
}


class Phase(NamedTuple):
    """One moment of the calendar, printed `Spring 1901 movement`; `code` is the usual abbreviation `S1901M`.

    Before Christ they are `Spring 48 BC movement` and `S48BCM`; the `year` is -48 then.
    """

    season: str
    year: int
    kind: PhaseKind

    def __str__(self) -> str:
        return f"{self.when} {self.kind}"

    def as_sentence(self) -> Sentence:
        """Return the phase as a part of a sentence."""
        return _PHASE(season=as_season(self.season), year=as_year(self.year), kind=_KINDS[self.kind]())

    def when_as_sentence(self) -> Sentence:
        """Return the season and year as a part of a sentence."""
        return _WHEN(season=as_season(self.season), year=as_year(self.year))

    @property
    def when(self) -> str:
        """The season and year: `Spring 1901`."""
        return f"{self.season} {year_text(self.year)}"

    @property
    def code(self) -> str:
        """First letter of the season, year, first letter of the kind: `S1901M`, `F1901R`, `W48BCA`."""
        return f"{self.season[:1].upper()}{year_text(self.year).replace(' ', '')}{self.kind[:1].upper()}"

    def within(self, seasons: Sequence[str] = (), first: int | None = None, last: int | None = None) -> bool:
        """Return whether it is in one of `seasons` and in the years from `first` to `last`; any, if left out."""
        begun = first is None or self.year >= first
        return begun and (last is None or self.year <= last) and (not seasons or self.season in seasons)


def phase_of_text(text: str) -> Phase | None:
    """Return the phase that is printed as `text`; None if none is.

    >>> phase_of_text("Spring 48 BC movement"), phase_of_text("The end")
    (Phase(season='Spring', year=-48, kind=<PhaseKind.MOVEMENT: 'movement'>), None)
    """
    found = re.fullmatch(rf"(.+?) (-?\d{{1,{_MOST_DIGITS}}}(?: BC)?) ({'|'.join(PhaseKind)})", text)
    year = year_read(found[2]) if found else None
    return Phase(found[1], year, PhaseKind(found[3])) if found and year is not None else None


class Step(NamedTuple):
    """A step in the cycle of the year."""

    season: str
    kind: PhaseKind


@dataclass(frozen=True)
class Calendar(Brief):
    """The cycle of a year, and the year in which it starts.

    `opening` are steps before the first cycle, each taken once, in the year `start`; the first cycle then has the year
    `first_year`, which is `start` where it is left out. Without an opening the first step of the cycle begins the game.
    `draws_before_retreats` is the place of draws that are added to a calendar without any: a module can set it before
    or after another one asks for draws.
    """

    cycle: tuple[Step, ...]
    start: int
    opening: tuple[Step, ...] = ()
    first_year: int | None = None
    draws_before_retreats: bool = False

    @property
    def first(self) -> Phase:
        """The first phase of a game."""
        step = (*self.opening, *self.cycle)[0]
        return Phase(step.season, self.start, step.kind)

    @property
    def phases(self) -> tuple[Step, ...]:
        """The steps in which orders are given, those of the opening first."""
        return tuple(step for step in (*self.opening, *self.cycle) if step.kind.asks_orders)

    def seasons(self, kind: PhaseKind) -> tuple[str, ...]:
        """Return the seasons that have a phase of `kind`, each once, those of the opening first."""
        return tuple(dict.fromkeys(step.season for step in (*self.opening, *self.cycle) if step.kind is kind))

    def after(self, phase: Phase) -> Iterator[Phase]:
        """Yield every step after `phase`, without end; the year increases when the cycle begins again.

        Raises `InvalidPhase` if the calendar has no such phase.
        """
        here = Step(phase.season, phase.kind)
        first_year = self.start if self.first_year is None else self.first_year
        if here in self.opening and (here not in self.cycle or phase.year < first_year):
            for step in self.opening[self.opening.index(here) + 1 :]:
                yield Phase(step.season, phase.year, step.kind)
            index, year = -1, first_year
        elif here in self.cycle:
            index, year = self.cycle.index(here), phase.year
        else:
            known = ", ".join(f"{step.season} {step.kind}" for step in self.phases)
            raise InvalidPhase(
                say(
                    "'{season} {kind}' is not in this calendar, which has {known}.",
                    season=phase.season,
                    kind=phase.kind,
                    known=known,
                )
            )
        while True:
            index += 1
            if index == len(self.cycle):
                index, year = 0, year + 1
            yield Phase(self.cycle[index].season, year, self.cycle[index].kind)

    def read(self, text: str) -> Phase:
        """Return the phase written as `Spring 1901 movement`, `S1901M`, `S 1901` or just `movement` (the first such).

        A season may be abbreviated to its beginning, and `Autumn` means `Fall` where no step has that name. A year
        before Christ is written `48 BC`, or with a minus. Without a kind its movement is meant, if it has one.

        Raises `InvalidPhase` if it is none of these.
        """
        wanted = _sign_years(" ".join(text.split()).casefold())
        # any number may be the year: a season may have one in its name
        years = [int(number) for number in _NUMBER.findall(wanted) if len(number.strip("-")) <= _MOST_DIGITS]
        for year in reversed(years):
            for phase in self._in(year):
                exact = {str(phase), phase.code}
                forms = {form.casefold() for form in exact | {form.removesuffix("s") for form in exact}}
                if wanted in set(map(_sign_years, forms)):
                    return phase
            for phase in (Phase(step.season, year, step.kind) for step in self.cycle):
                if _sign_years(str(phase).casefold()) == wanted:
                    return phase  # an ownership phase, in which a game ends
        for phase in self._first_ones():
            exact = {str(phase.kind), f"{phase.season} {phase.kind}"}
            if wanted in {form.casefold() for form in exact | {form.removesuffix("s") for form in exact}}:
                return phase
        season = _SEASON.fullmatch(wanted)
        meant = self._interpret_year(season["year"] or season["signed"]) if season else None
        phases = [] if meant is None else self._in(meant)
        named = [phase for phase in phases if season and self._is_season(phase.season, season["name"].strip())]
        if named:
            return next((phase for phase in named if phase.kind is PhaseKind.MOVEMENT), named[0])
        short, known = shorten(text, 60), ", ".join(phase.code for phase in self._first_ones())
        raise InvalidPhase(
            say("'{text}' is not a phase of this calendar; write one like {known}.", text=short, known=known)
        )

    def _interpret_year(self, number: str) -> int | None:
        """Return the year that a number after a season means in this calendar, None if it means none."""
        year = year_read(number)
        early = self.start < _SHORT
        return None if year is None or (year < _SHORT and not early) else year

    def _is_season(self, season: str, text: str) -> bool:
        """Return whether `text` is the beginning of the name of a season, or of its other name."""
        names = {step.season.casefold() for step in (*self.opening, *self.cycle)}
        other = {"fall": "autumn", "autumn": "fall"}.get(season.casefold(), "")
        return season.casefold().startswith(text) or (other not in names and bool(other) and other.startswith(text))

    def _in(self, year: int) -> list[Phase]:
        """Return the phases of a year in which orders are given; steps of the opening are in the first year alone."""
        steps = list(self.opening) if year == self.start else []
        if not self.opening or year >= (self.start if self.first_year is None else self.first_year):
            steps += self.cycle
        return [Phase(step.season, year, step.kind) for step in steps if step.kind.asks_anything]

    def _first_ones(self) -> list[Phase]:
        """Return the phases of the opening and of the first cycle in which orders are given."""
        first_year = self.start if self.first_year is None else self.first_year
        dated = [(self.start, step) for step in self.opening] + [(first_year, step) for step in self.cycle]
        return [Phase(step.season, year, step.kind) for year, step in dated if step.kind.asks_anything]
