"""The notices of a game's changes, made from its public view; pure functions."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from plenipo.engine.history.summary import Summary
from plenipo.engine.sentences import Quoted, Sentence, SentenceKind
from plenipo.languages import mark
from plenipo.server.hosted_game import HostedGame
from plenipo.server.hosting import motions
from plenipo.server.hosting.joining import join_lines, join_paragraphs
from plenipo.server.hosting.notifications import GATHERED, WAYS, Preferences, kind_of, when
from plenipo.server.hosting.press import PressFacts, PressMessage, may_read
from plenipo.server.hosting.schedule_words import instant_in_words
from plenipo.server.hosting.tick import GameState
from plenipo.server.order_corrections import REASONED
from plenipo.server.store import HERE, GameChange, Notification, StoredEntry
from plenipo.server.store.values import StoredPreferences

__all__ = ["add_notices", "later", "of_change", "of_message", "of_motion", "of_offer", "preferences_of"]

_SEAL = re.compile(r" *\[[0-9a-f]{64}\]")

TOLD = {"ruling": mark("a ruling"), "vote": mark("a vote"), "settings": mark("changed settings")}
"""The kinds of game log entries with notices, each in a few words."""


_SUBJECT = SentenceKind("server-notice-subject", "{game}: {topic}", note="The subject of an email about a game.")
_ORDERING = SentenceKind("server-notice-ordering", "{phase}. You play {powers}. {due}")
_WATCHING = SentenceKind("server-notice-watching", "{phase}. You have nothing to order. {due}")
_NO_DEADLINE = SentenceKind("server-notice-no-deadline", "There is no deadline.")
_DUE = SentenceKind("server-notice-due", "It is due on {instant}.")
_CONCEDED = SentenceKind("server-result-conceded", "{winner} won; the others conceded.")
_DRAWN = SentenceKind("server-result-drawn", "Drawn between {powers}.")
_WON = SentenceKind("server-result-won", "{powers} won.")
_OVER = SentenceKind("server-result-over", "The game is over.")
_PROPOSED = SentenceKind("server-notice-proposed", "Put to the vote: {motion}.")
_MESSAGES = SentenceKind("server-notice-messages", "There are messages for you in {game}.")
_HOOK = SentenceKind("server-notice-hook", "**{game}**: {topic}", note="The beginning of a message to a webhook.")
_NOW = SentenceKind("server-notice-now", "{phase}. {due}")
_MESSAGES_TOPIC = mark("messages for you")


def preferences_of(stored: StoredPreferences) -> Preferences:
    """Return notification settings as a value."""
    kinds = {kind_of(name): frozenset(way for way in WAYS if way in ways) for name, ways in stored.kinds.items()}
    return Preferences(kinds, stored.quiet_from, stored.quiet_until, stored.zone, stored.hour)


def later(stored: StoredPreferences, family: str, now: datetime) -> Mapping[str, datetime]:
    """Return the channels of a notice that is ready now, and the instant of each; none if it is unwanted."""
    return when(preferences_of(stored), kind_of(family), now)


def of_change(before: HostedGame, after: HostedGame, entries: Sequence[StoredEntry] = ()) -> tuple[Notification, ...]:
    """Return the notices of a change to the people of a game, and to the game's webhook.

    If the change opens another phase, each person gets one notice, which includes a ruling or vote that led to it;
    otherwise each ruling and vote has its own. `entries` are the game log entries of the change.
    """
    if after.timing is None or after.forming:
        return ()
    told = [(TOLD[entry.kind], _without_seal(entry.text)) for entry in entries if entry.kind in TOLD]
    if after.phase_number != before.phase_number:
        news = (*(text for _, text in told), *_news(before, after))
        ruled = any(entry.kind == "ruling" for entry in entries)
        return (*_to_people(after, news, ruled=ruled), *_to_all(after, news))
    number = before.journal[0] + 1
    return tuple(notice for what, text in told for notice in _of_vote(after, f"vote {number}", text, what=what))


def add_notices(before: HostedGame, after: HostedGame, change: GameChange) -> GameChange:
    """Add to a change of a game the notices about it."""
    return replace(change, notices=(*change.notices, *of_change(before, after, change.entries)))


def _without_seal(text: str) -> str:
    """Return a sentence of the game log without the placeholder of a reason."""
    if isinstance(text, Sentence):
        return text.parts["ruling"] if text.kind is REASONED else text
    return _SEAL.sub("", text)


def _to_people(after: HostedGame, said: Sequence[str], *, ruled: bool) -> Iterator[Notification]:
    over, due = after.game.over, _due(after)
    news, link, name = join_lines(said), f"{HERE}/games/{after.id}\n", Quoted(after.name)
    for person, powers in _people(after).items():
        if over:
            result = _result(after)
            yield Notification(person, "end", _SUBJECT(game=name, topic=result), join_paragraphs((result, news, link)))
            continue
        mine = [power for power in powers if power in after.may_order]
        kind = "ruling" if ruled else "turn" if mine else "results"
        phase = after.game.position.phase.as_sentence()
        what = _ORDERING(phase=phase, powers=tuple(mine), due=due) if mine else _WATCHING(phase=phase, due=due)
        yield Notification(person, kind, _SUBJECT(game=name, topic=phase), join_paragraphs((news, what, link)))


def _to_all(after: HostedGame, news: Sequence[str]) -> Iterator[Notification]:
    """Yield the results for the webhook, with the turn whose map is attached; nothing if spectators have a delay."""
    if not after.looked_on:
        return
    title = _result(after) if after.game.over else _NOW(phase=after.game.position.phase, due=_due(after))
    yield _of_itself(after, str(after.turn), title, news)


def _of_itself(hosted: HostedGame, turn: str, title: str, news: Sequence[str] = ()) -> Notification:
    head = _HOOK(game=Quoted(hosted.name), topic=title)
    return Notification("", "hook", turn, join_lines((head, *news, f"{HERE}/games/{hosted.id}")))


def _of_vote(
    hosted: HostedGame, kind: str, text: str, but: str | None = None, what: str = "a vote"
) -> Iterator[Notification]:
    """Yield the notices of a vote, or another decision (`what`): to all people `but` one, and to the webhook."""
    for person in _people(hosted):
        if person != but:
            subject = _SUBJECT(game=Quoted(hosted.name), topic=what)
            yield Notification(person, kind, subject, join_paragraphs((text, f"{HERE}/games/{hosted.id}\n")))
    if hosted.looked_on:
        yield _of_itself(hosted, "", text)


def of_motion(hosted: HostedGame, table: motions.VotingFacts, motion: motions.Motion) -> tuple[Notification, ...]:
    """Return the notices to other players of a new motion; none for a secret one, and without its author."""
    if table.rules.of(motion.kind).secrecy == "secret":
        return ()
    text = _PROPOSED(motion=motions.describe_motion(motion))
    return tuple(_of_vote(hosted, f"vote on {motion.number}", text, hosted.actor(motion.by)))


def _people(hosted: HostedGame) -> Mapping[str, list[str]]:
    powers_of: dict[str, list[str]] = {}
    for power in hosted.rules.names:
        person = hosted.actor(power)
        if person is not None:
            powers_of.setdefault(person, []).append(power)
    return powers_of


def _news(before: HostedGame, after: HostedGame) -> tuple[str, ...]:
    """Return the public events of the last turn, as sentences."""
    if after.turn <= before.turn:
        return ()
    return Summary(after.rules, after.game.turns[-1].resolution).sentences()


def _due(hosted: HostedGame) -> str:
    timing = hosted.timing
    if timing is None or timing.state is not GameState.RUNNING or timing.phase.due is None:
        return _NO_DEADLINE()
    return _DUE(instant=instant_in_words(timing.phase.due, timing.schedule.zone))


def _result(hosted: HostedGame) -> str:
    game = hosted.game
    if len(game.drawn) == 1:
        return _CONCEDED(winner=game.drawn[0])
    if game.drawn:
        return _DRAWN(powers=tuple(game.drawn))
    winners = game.position.winners
    return _WON(powers=tuple(winners)) if winners else _OVER()


def of_message(
    hosted: HostedGame, table: PressFacts, message: PressMessage, deaf: Collection[int] = ()
) -> tuple[Notification, ...]:
    """Return the notices to the readers of a message, without its text and sender; `deaf` readers get none."""
    held = table.holders - set(deaf)
    persons = {
        tenure.person
        for tenure in hosted.tenures
        if tenure.number in held and tenure.number != message.sender and may_read(table, message, (tenure.number,))
    }
    return _of_messages(hosted, filter(None, persons))


def of_offer(hosted: HostedGame, power: str) -> tuple[Notification, ...]:
    """Return the notices to the players of a power that is offered a deal; they are those of a message."""
    return _of_messages(hosted, (one.person for one in hosted.players if one.power == power and one.person is not None))


def _of_messages(hosted: HostedGame, persons: Iterable[str]) -> tuple[Notification, ...]:
    name = Quoted(hosted.name)
    words = join_paragraphs((_MESSAGES(game=name), f"{HERE}/games/{hosted.id}\n"))
    return tuple(
        Notification(person, "message", _SUBJECT(game=name, topic=_MESSAGES_TOPIC), words, wait=GATHERED)
        for person in sorted(set(persons))
    )
