"""Private notes, for pages and programs; only their writer reads them."""

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import Response

from plenipo.server.web import bodies
from plenipo.server.web.context import GameId, Here, viewer_of
from plenipo.server.web.models import Model, Text
from plenipo.server.web.press import NOT_KEPT, key_in, thread_readers

__all__ = ["router"]

router = APIRouter(tags=["notes"])


class PrivateNote(Model):
    """A private note, and its subject: none for the game, a power, or the seats of a thread."""

    about: tuple[str, ...]
    text: Text


class NotesAnswer(Model):
    """The notes of the viewer about a game."""

    notes: Annotated[tuple[PrivateNote, ...], "Those that are not empty."]

    @classmethod
    def of(cls, notes: Mapping[str, str]) -> "NotesAnswer":
        """Return stored notes by their subjects."""
        return cls(
            notes=tuple(
                PrivateNote(about=thread_readers(about.split("+")) if about else (), text=text)
                for about, text in notes.items()
            )
        )


@router.get("/api/games/{game}/notes")
def list_notes(request: Request, response: Response, here: Here, game: GameId) -> NotesAnswer:
    """List the private notes of the viewer."""
    response.headers.update(NOT_KEPT)
    return NotesAnswer.of(here.notes.of(game, viewer_of(request, here, game, None).credentials))


@router.put("/api/games/{game}/notes")
def keep_note(request: Request, response: Response, here: Here, game: GameId, body: bodies.NoteBody) -> NotesAnswer:
    """Store a private note in place of the earlier one about the same subject; an empty text removes it."""
    response.headers.update(NOT_KEPT)
    credentials = viewer_of(request, here, game, None).credentials
    here.notes.keep(game, credentials, key_in(body.about), body.text)
    return NotesAnswer.of(here.notes.of(game, credentials))
