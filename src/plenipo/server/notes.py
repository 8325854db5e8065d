"""Private notes of players and hosts: about a game, a power, or a thread of messages; only their writer reads them.

A note belongs to the tenure that wrote it, so a replacement player does not see those of the previous player. It does
not change the game.
"""

from collections.abc import Mapping, Sequence

from plenipo.engine.sentences import Quoted, SentenceKind
from plenipo.server.errors import NoKey, NoteRefused
from plenipo.server.games import Games
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.press import EVERYONE, OFFICE, UNSIGNED, PressFacts, clean_text, key_of
from plenipo.server.press import tenures_of
from plenipo.server.quota import require_room
from plenipo.server.store.notes import NoteStore

__all__ = ["PrivateNotes", "subject_of"]

_NOTE_SEAT_MISSING = SentenceKind("server-note-seat-missing", "To keep notes you need a seat in the game under a name.")
_NOTE_SUBJECT_UNKNOWN = SentenceKind(
    "server-note-subject-unknown", "'{name}' has no seat in this game; write a note about {powers}."
)
_NOTE_TOO_LONG = SentenceKind("server-note-too-long", "The note has {number} characters; at most {most} are allowed.")
_NOTES_MANY = SentenceKind("server-notes-many", "You have {most} notes in this game; empty one of them first.")

LONGEST_NOTE = 4000
"""The most characters of a note."""

MOST_NOTES = 100
"""The most notes of a tenure."""


class PrivateNotes:
    """The private notes in the games of one store; safe to use from several threads."""

    def __init__(self, games: Games) -> None:
        self.games, self._store = games, games.store.of(NoteStore)

    def of(self, game_id: str, credentials: Credentials) -> Mapping[str, str]:
        """Return the viewer's notes by their subjects: empty for the game, else the seats, joined by `+`."""
        tenures = tenures_of(self.games.load(game_id).press_table, credentials)
        kept = self._store.of(game_id, tenures) if tenures else {}
        return {
            about: text for tenure in reversed(tenures) for (writer, about), text in kept.items() if writer == tenure
        }

    def keep(self, game_id: str, credentials: Credentials, about: Sequence[str], text: str) -> None:
        """Store a note about the game, a power, or the seats of a thread; an empty one removes it.

        Raise `NoKey` without a tenure, `NoteRefused` and `QuotaReached`.
        """
        table = self.games.load(game_id).press_table
        tenures = tenures_of(table, credentials)
        if not tenures:
            raise NoKey(_NOTE_SEAT_MISSING())
        subject, text = subject_of(table, about), clean_text(text)
        if len(text) > LONGEST_NOTE:
            raise NoteRefused(_NOTE_TOO_LONG(number=len(text), most=LONGEST_NOTE))
        if text:
            require_room(self.games.store)
        if not self._store.keep(game_id, tenures[0], subject, text, MOST_NOTES):
            raise NoteRefused(_NOTES_MANY(most=MOST_NOTES))


def subject_of(table: PressFacts, about: Sequence[str]) -> str:
    """Return the subject of a note as it is stored; raise `NoteRefused` for an unknown seat."""
    names = {seat.casefold(): seat for seat in (*map(str, table.seats), OFFICE, EVERYONE, UNSIGNED)}
    seats = [names.get(one.casefold(), one) for one in about]
    if wrong := [one for one in seats if one not in names.values()]:
        raise NoteRefused(_NOTE_SUBJECT_UNKNOWN(name=Quoted(wrong[0][:60]), powers=tuple(table.seats)))
    return "+".join(key_of(seats, table.seats))
