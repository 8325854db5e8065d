"""The presets for new games that people save in their accounts."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Response
from fastapi.responses import RedirectResponse
from pydantic import Field

from plenipo.engine.sentences import SentenceKind
from plenipo.server.errors import PresetRefused
from plenipo.server.hosting.press import clean_text
from plenipo.server.store.host_presets import HostPreset, HostPresets
from plenipo.server.web import bodies
from plenipo.server.web.context import Here, Person
from plenipo.server.web.forms import Fields, field
from plenipo.server.web.models import Model, Text

__all__ = ["router"]

_PRESET_NAMELESS = SentenceKind("server-preset-nameless", "The preset has no name; give it one.")
_PRESET_NAME_LONG = SentenceKind(
    "server-preset-name-long", "The name of the preset has {number} characters; at most {most} are allowed."
)
_PRESETS_MANY = SentenceKind("server-presets-many", "You have {most} presets; remove one of them on your account page.")

LONGEST_NAME = 40
"""The most characters of a preset's name."""

MOST_PRESETS = 20
"""The most presets of a person."""

router = APIRouter(tags=["people"])


class SavedPreset(Model):
    """A preset for new games: the fields of the form that it sets; all others keep their defaults."""

    name: Text
    fields: dict[str, str | tuple[str, ...]]


class PresetsAnswer(Model):
    """The presets of the signed-in person."""

    presets: Annotated[tuple[SavedPreset, ...], Field(description="The oldest first.")]

    @classmethod
    def of(cls, presets: Sequence[HostPreset]) -> "PresetsAnswer":
        """Return stored presets."""
        return cls(
            presets=tuple(
                SavedPreset(
                    name=one.name,
                    fields={
                        name: value if isinstance(value, str) else tuple(value) for name, value in one.fields.items()
                    },
                )
                for one in presets
            )
        )


@router.get("/api/me/presets")
def list_presets(here: Here, person: Person, response: Response) -> PresetsAnswer:
    """List the presets for new games of the signed-in person."""
    response.headers["cache-control"] = "no-store"
    return PresetsAnswer.of(here.service.store.of(HostPresets).of(person.id))


@router.post("/api/me/presets", status_code=201)
def keep_preset(here: Here, person: Person, body: bodies.PresetBody) -> PresetsAnswer:
    """Save a preset in the account, in place of one with the same name."""
    name = " ".join(clean_text(body.name).split())
    if not name:
        raise PresetRefused(_PRESET_NAMELESS())
    if len(name) > LONGEST_NAME:
        raise PresetRefused(_PRESET_NAME_LONG(number=len(name), most=LONGEST_NAME))
    store = here.service.store.of(HostPresets)
    if not store.keep(person.id, HostPreset(name, body.fields), here.service.clock.now(), MOST_PRESETS):
        raise PresetRefused(_PRESETS_MANY(most=MOST_PRESETS))
    return PresetsAnswer.of(store.of(person.id))


@router.post("/me/presets/remove", include_in_schema=False)
def remove_preset(here: Here, person: Person, form: Fields) -> RedirectResponse:
    """Remove a preset from the account."""
    here.service.store.of(HostPresets).remove(person.id, field(form, "name"))
    return RedirectResponse("/me#presets", 303)
