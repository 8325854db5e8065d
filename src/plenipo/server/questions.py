"""Questions to a game master about one order, and the answers; only the two of them can read these.

A question shows the game master that order, and no other. It belongs to the tenure that asked, and does not change the
game.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection

from plenipo.engine.sentences import Quoted, SentenceKind
from plenipo.languages import mark
from plenipo.server.broker import Announcement
from plenipo.server.errors import GameServiceError, QuestionRefused
from plenipo.server.games import Games
from plenipo.server.hosted_game import Credentials, HostedGame
from plenipo.server.hosting.joining import join_paragraphs
from plenipo.server.hosting.press import clean_text
from plenipo.server.permissions import own_seat, require_begun, require_looker
from plenipo.server.store import HERE, Notification, StoredQuestion, StoredReading
from plenipo.server.store.notifications import tell
from plenipo.server.store.order_corrections import Questions

__all__ = ["Asking", "VisibleQuestions"]

_QUESTION_NO_GAME_MASTER = SentenceKind("server-question-no-game-master", "This game has no game master to ask.")
_QUESTION_ORDER_UNKNOWN = SentenceKind(
    "server-question-order-unknown", "'{order}' is not among your orders; ask about one that you have submitted."
)
_QUESTIONS_WAITING = SentenceKind(
    "server-questions-waiting", "{most} of your questions are unanswered; wait for an answer first."
)
_QUESTION_UNKNOWN = SentenceKind("server-question-unknown", "There is no such question in this game.")
_QUESTION_ANSWERED = SentenceKind("server-question-answered", "This question is already answered.")
_TEXT_EMPTY = SentenceKind("server-text-empty", "The {what} is empty; write it in a sentence.")
_TEXT_TOO_LONG = SentenceKind("server-text-too-long", "The {what} has {number} characters; write at most {most}.")

_ASKED = (
    SentenceKind("server-question-asked-subject", "{game}: a question for the game master"),
    SentenceKind("server-question-asked", "A player of {game} has a question for you, the game master."),
)
_ANSWERED = (
    SentenceKind("server-question-answered-subject", "{game}: the game master answered"),
    SentenceKind("server-question-answered-notice", "The game master of {game} answered your question."),
)
"""The subject and the text of a notice."""

LONGEST = 1000
"""The most characters of a question, and of an answer."""

OPEN_AT_ONCE = 5
"""The most questions of a power that wait for an answer."""


@dataclass(frozen=True)
class VisibleQuestions:
    """The questions of a game that a viewer may read, and the corrections of the open phase."""

    questions: tuple[StoredQuestion, ...]
    readings: tuple[StoredReading, ...]
    answers: bool
    """True if the viewer is the game master."""


class Asking:
    """The questions in the games of one store; safe to use from several threads."""

    def __init__(self, games: Games) -> None:
        self.games, self._store = games, games.store.of(Questions)

    def of(self, game_id: str, credentials: Credentials) -> VisibleQuestions:
        """Return the questions of the viewer, or all of them for the game master."""
        hosted = self.games.load(game_id)
        questions = self._store.of(game_id)
        if _answers(hosted, credentials):
            return VisibleQuestions(questions, hosted.readings, answers=True)
        mine = tuple(one for one in questions if _is_own(one, credentials))
        own = tuple(one for one in hosted.readings if one.power in credentials.powers)
        return VisibleQuestions(mine, own, answers=False)

    def ask(
        self, game_id: str, credentials: Credentials, seat: str, phase_number: int, order: str, text: str
    ) -> StoredQuestion:
        """Ask the game master about a submitted order; raise `QuestionRefused`, and the errors of `own_seat`."""
        hosted = self.games.load(game_id)
        power = own_seat(hosted, credentials, seat, phase_number)
        if hosted.timing is None or hosted.settings.host != "game master":
            raise QuestionRefused(_QUESTION_NO_GAME_MASTER())
        order = " ".join(order.split())
        order_set = hosted.order_sets.get(power)
        if order_set is None or order not in order_set.texts:
            raise QuestionRefused(_QUESTION_ORDER_UNKNOWN(order=order[:80]))
        waiting = [one for one in self.of(game_id, credentials).questions if one.answered is None]
        if len(waiting) >= OPEN_AT_ONCE:
            raise QuestionRefused(_QUESTIONS_WAITING(most=OPEN_AT_ONCE))
        question = StoredQuestion(
            phase_number=hosted.phase_number,
            phase=str(hosted.game.position.phase),
            power=str(power),
            tenure=credentials.player or 0,
            order=order,
            text=_text(text, mark("question")),
            asked=self.games.clock.now(),
        )
        hosts = [tenure for tenure in hosted.tenures if tenure.kind == "host" and tenure.until is None]
        persons = [tenure.person for tenure in hosts]
        kept = self._store.ask(
            game_id, question, lambda connection, kept: self._mail(hosted, persons, kept.number, _ASKED)(connection)
        )
        self._announce(game_id, frozenset(tenure.number for tenure in hosts))
        return kept

    def answer(self, game_id: str, credentials: Credentials, number: int, text: str) -> None:
        """Answer a question as the game master; raise `NotYours` and `QuestionRefused`."""
        hosted = self.games.load(game_id)
        require_looker(hosted, credentials)
        question = next((one for one in self._store.of(game_id) if one.number == number), None)
        if question is None:
            raise QuestionRefused(_QUESTION_UNKNOWN())
        persons = [t.person for t in hosted.tenures if t.number == question.tenure and t.until is None]
        also = self._mail(hosted, persons, number, _ANSWERED)
        now = self.games.clock.now()
        if not self._store.answer(game_id, number, _text(text, mark("answer")), now, also):
            raise QuestionRefused(_QUESTION_ANSWERED())
        self._announce(game_id, frozenset({question.tenure}))

    def _mail(
        self, hosted: HostedGame, persons: list[str | None], number: int, kinds: tuple[SentenceKind, SentenceKind]
    ) -> Callable[[Connection], None]:
        """Return a function that puts the notice of a question or answer, without its text, into the outbox."""
        subject, said = (kind(game=Quoted(hosted.name)) for kind in kinds)
        body = join_paragraphs((said, f"{HERE}/games/{hosted.id}/questions\n"))
        notices = [Notification(one, f"question {number}", subject, body) for one in persons if one is not None]
        return partial(
            tell,
            game=hosted.id,
            phase_number=hosted.phase_number,
            notices=notices,
            now=self.games.clock.now(),
            later=self.games.store.later,
        )

    def _announce(self, game_id: str, readers: frozenset[int]) -> None:
        self.games.broker.announce(game_id, Announcement("question", {}, readers=readers))


def _answers(hosted: HostedGame, credentials: Credentials) -> bool:
    try:
        require_begun(hosted)
        require_looker(hosted, credentials)
    except GameServiceError:
        return False
    return True


def _is_own(question: StoredQuestion, credentials: Credentials) -> bool:
    """Return whether the viewer asked the question: by tenure, or by the seat if there is only a link to it."""
    if question.tenure:
        return question.tenure in credentials.tenures
    return credentials.player is None and question.power in credentials.powers


def _text(text: str, what: str) -> str:
    text = clean_text(text)
    if not text:
        raise QuestionRefused(_TEXT_EMPTY(what=what))
    if len(text) > LONGEST:
        raise QuestionRefused(_TEXT_TOO_LONG(what=what, number=len(text), most=LONGEST))
    return text
