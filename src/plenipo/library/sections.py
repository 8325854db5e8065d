"""The sections of a `variant.toml`: the keys, their types and their meaning.

This is the one description of the file: reading, checking, the schema for editors and the reference page come from it.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from plenipo.engine.calendar import Year

__all__ = ["AboutSection", "CalendarSection", "PowerSection", "RemoveSection", "SpaceSection", "VariantFile", "keys_at"]

NonEmptyText = Annotated[str, Field(strict=True, min_length=1)]
PositiveNumber = Annotated[int, Field(strict=True, gt=0)]
Flag = Annotated[bool, Field(strict=True)]
Texts = list[Annotated[str, Field(strict=True)]]
StepPair = tuple[NonEmptyText, Literal["choice", "movement", "retreats", "draws", "ownership", "adjustments"]]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CalendarSection(_Section):
    """The calendar: the first year, the opening steps and the steps of each year."""

    start: Year = Field(description="The year the game begins in, such as 1901 or `48 BC`.")
    first_year: Year | None = Field(None, description="The year of the first cycle, if it is not `start`.")
    opening: list[StepPair] = Field([], description="Steps taken once, before the first cycle: season and kind.")
    cycle: list[StepPair] = Field(description="The steps of a year: season and kind.")


class PowerSection(_Section):
    """A power."""

    adjective: NonEmptyText | None = Field(None, description="`German` for Germany.")
    aliases: Texts | None = Field(None, description="Other spellings understood on input.")
    units: Texts | None = Field(None, description="The units it opens with, like `A PAR` or `F STP/SC`.")
    homes: Texts | None = Field(None, description="Its home centres, if not those its units start on.")
    owned: Texts | None = Field(None, description="The centres it owns at the start, if not its home centres.")
    played: Flag | None = Field(
        None, description="False for a power without a player, whose units hold or are hired by others."
    )
    like: NonEmptyText | None = Field(
        None, description="Another power, in this variant or not, whose colours it wears."
    )


class SpaceSection(_Section):
    """A province of the figure, or of the contacts."""

    name: NonEmptyText | None = Field(None, description="The name people read.")
    centre: Flag | None = Field(None, description="True for a supply centre.")
    aliases: Texts | None = Field(None, description="Other spellings understood on input.")
    coasts: dict[str, NonEmptyText] | None = Field(None, description='Other names of its coasts: `EC = "SC"`.')


class RemoveSection(_Section):
    """The powers and spaces of a parent that are left out."""

    powers: Texts = Field([], description="Powers of the parent that do not play.")
    spaces: Texts = Field([], description="Provinces of the parent that are not on this board.")


class AboutSection(_Section):
    """The entry in a list of variants; never taken over from a parent."""

    designer: NonEmptyText | None = Field(None, description="The designer.")
    source: NonEmptyText | None = Field(None, description="The source of the rules.")
    players: PositiveNumber | None = Field(None, description="The number of players, if not one per power.")
    length: Literal["short", "medium", "long"] | None = Field(None, description="The length of a game.")
    special: Texts = Field([], description="Special features, a word or two each.")
    licence: NonEmptyText | None = Field(None, description="The licence of an imported board, as found in its source.")
    only_here: Flag | None = Field(None, description="True if that licence does not say that the board may leave here.")


class VariantFile(_Section):
    """A variant: what it takes over from a parent and what it changes."""

    title: NonEmptyText = Field(description="The name people read.")
    about: AboutSection | None = Field(None, description="The entry in lists of variants.")
    parent: NonEmptyText | None = Field(None, description="The variant whose every key counts that is not given here.")
    figure: NonEmptyText | None = Field(None, description="The compiled figure, a file in this folder.")
    contacts: NonEmptyText | None = Field(
        None, description="In place of a figure: the spaces and their contacts, a file in this folder."
    )
    more_contacts: NonEmptyText | None = Field(
        None, description="Spaces and contacts put on top of the parent's board, a file in this folder."
    )
    victory: PositiveNumber | None = Field(
        None, description="The number of centres that wins, if nobody else owns as many."
    )
    rulebook: NonEmptyText | None = Field(None, description="The edition of the rules.")
    policies: dict[str, NonEmptyText] = Field({}, description="Single policies chosen otherwise than the edition does.")
    calendar: CalendarSection | None = Field(None, description="The order and the dates of the phases.")
    powers: dict[str, PowerSection] = Field({}, description="The powers, in the order of reports.")
    spaces: dict[str, SpaceSection] = Field({}, description="The provinces by the codes of the figure.")
    modules: dict[str, dict[str, Any]] = Field({}, description="The rule modules in play, with their options.")
    remove: RemoveSection | None = Field(None, description="Parts of the parent that are left out.")
    options: dict[str, NonEmptyText] = Field({}, description='Other names of options: `name = "module.option"`.')


def keys_at(path: Sequence[str]) -> tuple[str, ...]:
    """Return the keys known in the section with this path: `keys_at(["powers", "France"])`."""
    sections: dict[str, type[_Section]] = {
        "about": AboutSection,
        "calendar": CalendarSection,
        "powers": PowerSection,
        "remove": RemoveSection,
        "spaces": SpaceSection,
    }
    return tuple((sections[path[0]] if path and path[0] in sections else VariantFile).model_fields)
