"""Motions: the kinds of vote, who may vote, what is shown of the votes, and when a motion passes.

A vote belongs to a seat and counts only while the tenure that cast it acts for the seat. Vacant seats and eliminated
powers neither vote nor block nor share.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from plenipo.engine.position import GAME_MASTER, Power
from plenipo.engine.sentences import Quoted, SentenceKind
from plenipo.languages import mark
from plenipo.server.hosting import changes
from plenipo.server.hosting.changes import Changes
from plenipo.server.hosting.schedule import LONGEST
from plenipo.server.hosting.schedule_words import instant_in_words

__all__ = [
    "ENDS",
    "EXTENSION",
    "KINDS",
    "LIVE_EXTENSION",
    "Motion",
    "MotionKind",
    "MotionVote",
    "Rule",
    "VoteCount",
    "VotingFacts",
    "VotingRules",
    "count_votes",
    "describe_motion",
    "find_sharing_powers",
    "find_voting_end",
    "in_words",
    "outcome",
    "shown_to",
    "title_of",
    "voters",
    "why_not",
    "why_not_then",
]

MotionKind = Literal[
    "draw", "concede", "pause", "tomorrow", "resume", "extend", "replace", "back", "abandon", "settings", "reveal"
]

KINDS: dict[MotionKind, str] = {
    "draw": mark("End the game in a draw"),
    "concede": mark("Concede to the leader"),
    "pause": mark("Pause the game"),
    "tomorrow": mark("Continue tomorrow"),
    "resume": mark("Resume the game"),
    "extend": mark("Extend the phase by a day"),
    "replace": mark("Find a replacement for a seat"),
    "back": mark("Go back one turn"),
    "abandon": mark("Abandon the game"),
    "settings": mark("Change the settings"),
    "reveal": mark("Open the private messages"),
}
"""The kinds of motion, each in a few words."""

EXTENSION, LIVE_EXTENSION = timedelta(days=1), timedelta(minutes=10)
"""The extra time of an extension by motion, and that in a live game."""

_EXTEND_LIVE = mark("Extend the phase by 10 minutes")


def title_of(kind: MotionKind, *, live: bool) -> str:
    """Return a kind of motion in a few words, as it is in a live game or in another."""
    return _EXTEND_LIVE if live and kind == "extend" else KINDS[kind]


ENDS: frozenset[MotionKind] = frozenset({"draw", "concede"})
"""The kinds of motion on which computer players vote too."""

CLOSED = SentenceKind("server-voting-closed", "The host of the game has closed voting.")()

AT_LEAST = 3
"""The least number of votes for a majority of the votes, unless the game has fewer voters."""

WITHOUT_DEADLINE = timedelta(days=1)
"""The time for which a motion is open in a game without deadlines."""


class Rule(BaseModel):
    """The voting rule of a kind of motion.

    `threshold` is the share of the seats that must agree: all, two thirds, or the `majority` of the votes cast before
    half the remaining time is gone. `secrecy` is the part of the votes that is shown: each vote, the counts, or only
    the result if the motion passes. `standing` motions stay open until decided, others for the phase. `allowed` is
    true if the motion may be made.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    threshold: Literal["all", "two thirds", "majority"] = "all"
    secrecy: Literal["open", "numbers", "secret"] = "numbers"
    standing: bool = False
    allowed: bool = True


TO_END = Rule(standing=True)
ON_TIME = Rule(threshold="majority", secrecy="open")
ON_SEATS = Rule(threshold="two thirds", secrecy="numbers")


class VotingRules(BaseModel):
    """The voting rules of a game by kind.

    `draws` says who may share a draw: no power, all survivors, or any named powers.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    draws: Literal["none", "survivors", "named"] = "survivors"
    draw: Rule = TO_END
    concede: Rule = TO_END
    pause: Rule = ON_TIME
    tomorrow: Rule = ON_TIME
    resume: Rule = ON_TIME
    extend: Rule = ON_TIME
    replace: Rule = ON_SEATS
    back: Rule = Rule(secrecy="open")
    abandon: Rule = Rule(threshold="two thirds", secrecy="numbers")
    settings: Rule = Rule(standing=True)
    reveal: Rule = Rule(secrecy="open", standing=True)
    open: Annotated[bool, Field(description="False if the host has closed voting.")] = True

    def of(self, kind: MotionKind) -> Rule:
        """Return the rule of a kind of motion."""
        rule: Rule = getattr(self, kind)
        if kind in {"settings", "reveal"}:
            return rule.model_copy(update={"threshold": "all"})  # an agreement of all may only be changed by all
        return rule.model_copy(update={"allowed": False}) if kind == "draw" and self.draws == "none" else rule


@dataclass(frozen=True)
class VotingFacts:
    """The facts of a game on which motions depend, at one moment.

    `acting` maps each seat to the tenure that acts for it now, `computers` are seats of computer players; seats in
    neither are vacant. `alive` are the surviving powers; `leader` is the one with the highest score, None in a tie.
    `sealed` is true if private messages stay private after the game, `live` if movement phases last minutes.
    """

    rules: VotingRules
    seats: tuple[Power, ...]
    acting: Mapping[Power, int]
    computers: frozenset[Power]
    alive: frozenset[Power]
    leader: Power | None
    phase_number: int
    turns: int = 0
    due: datetime | None = None
    paused: bool = False
    timed: bool = True
    over: bool = False
    forming: bool = False
    sealed: bool = False
    live: bool = False


@dataclass(frozen=True)
class MotionVote:
    """The vote of a seat, and the tenure that cast it."""

    tenure: int
    yes: bool


@dataclass(frozen=True)
class Motion:
    """A motion; `about` are the powers that share, win or lose their seat, `until` is when votes are counted.

    `by` is the seat that made it, or the game master's office for the host. A pause ends at the instant `goes_on`,
    shown
    in a `zone`. `changes` are the proposed changes to the settings. `live` is true in a live game.
    """

    number: int
    kind: MotionKind
    about: tuple[Power, ...]
    by: Power
    phase_number: int
    moved: datetime
    until: datetime | None = None
    state: Literal["open", "passed", "failed", "withdrawn"] = "open"
    ballots: Mapping[Power, MotionVote] = field(default_factory=dict)
    goes_on: datetime | None = None
    zone: str = "UTC"
    changes: Changes | None = None
    live: bool = False

    def with_ballot(self, seat: Power, ballot: MotionVote | None) -> "Motion":
        """Return the motion with the vote of a seat added, changed or withdrawn."""
        others = {one: cast for one, cast in self.ballots.items() if one != seat}
        return replace(self, ballots=others if ballot is None else {**others, seat: ballot})


@dataclass(frozen=True)
class VoteCount:
    """The current votes on a motion; `waiting` are the seats that have not voted, computer players included."""

    yes: tuple[Power, ...]
    no: tuple[Power, ...]
    waiting: tuple[Power, ...]


def find_sharing_powers(table: VotingFacts, motion: Motion) -> tuple[Power, ...]:
    """Return the powers that share the game if the motion passes; vacant and eliminated powers do not share."""
    playing = [
        seat for seat in table.seats if seat in table.alive and (seat in table.acting or seat in table.computers)
    ]
    return tuple(seat for seat in playing if not motion.about or seat in motion.about)


def voters(table: VotingFacts, motion: Motion) -> tuple[Power, ...]:
    """Return the seats that vote: survivors with a player and, on motions that end the game, computer players.

    After the game every seat with a player votes on its own messages.
    """
    if motion.kind == "reveal":
        return tuple(seat for seat in table.seats if seat in table.acting)
    seats = [seat for seat in table.seats if seat in table.alive]
    if motion.kind == "concede":
        seats = [seat for seat in seats if seat not in motion.about]
    if motion.kind == "replace":
        seats = [seat for seat in seats if seat not in motion.about]
    return tuple(s for s in seats if s in table.acting or (motion.kind in ENDS and s in table.computers))


def count_votes(table: VotingFacts, motion: Motion, computers: Mapping[Power, bool] | None = None) -> VoteCount:
    """Count the votes that are valid now; `computers` are those of computer players, as far as known."""
    yes: list[Power] = []
    no: list[Power] = []
    waiting: list[Power] = []
    for seat in voters(table, motion):
        ballot = motion.ballots.get(seat)
        vote = (computers or {}).get(seat)
        if seat in table.acting:
            vote = ballot.yes if ballot is not None and ballot.tenure == table.acting[seat] else None
        (waiting if vote is None else yes if vote else no).append(seat)
    return VoteCount(tuple(yes), tuple(no), tuple(waiting))


def find_voting_end(table: VotingFacts, kind: MotionKind, now: datetime) -> datetime | None:
    """Return until when a motion made now is open; None if it stands until decided or lasts for the phase."""
    rule = table.rules.of(kind)
    if rule.threshold != "majority":
        return None
    return now + (WITHOUT_DEADLINE if table.due is None or table.due <= now else (table.due - now) / 2)


def outcome(
    table: VotingFacts, motion: Motion, now: datetime, computers: Mapping[Power, bool] | None = None
) -> Literal["open", "passed", "failed"]:
    """Decide whether an open motion passes or fails at an instant."""
    rule = table.rules.of(motion.kind)
    afterwards = motion.kind == "reveal"
    if table.over is not afterwards or (not rule.standing and motion.phase_number != table.phase_number):
        return "failed"
    if motion.kind == "concede" and table.leader not in motion.about:
        return "failed"
    votes = count_votes(table, motion, computers)
    all_of_them = len(votes.yes) + len(votes.no) + len(votes.waiting)
    if not all_of_them or not votes.yes:
        return "failed" if motion.until is not None and now >= motion.until else "open"
    if rule.threshold == "all":
        return "passed" if len(votes.yes) == all_of_them else "open"
    if rule.threshold == "two thirds":
        if 3 * len(votes.yes) >= 2 * all_of_them:
            return "passed"
        return "failed" if 3 * len(votes.no) > all_of_them else "open"
    if 2 * len(votes.yes) > all_of_them:
        return "passed"
    if motion.until is None or now < motion.until:
        return "open"
    voted = len(votes.yes) + len(votes.no)
    return "passed" if len(votes.yes) > len(votes.no) and voted >= min(AT_LEAST, all_of_them) else "failed"


_NOTHING_TO_VOTE = SentenceKind(
    "server-motion-nothing", "There is nothing to vote on before a game has begun, or when it is over."
)
_NOTHING_SEALED = SentenceKind(
    "server-motion-nothing-sealed",
    "Private messages can be opened by a vote of all when the game is over, if they are not open then anyway.",
)
_NOT_VOTED_ON = SentenceKind("server-motion-not-allowed", "In this game that is not voted on.")
_OUT = SentenceKind("server-motion-eliminated", "{seat} is eliminated and cannot vote.")
_UNSEATED = SentenceKind("server-motion-unseated", "'{name}' has no seat in this game; the seats are {powers}.")
_SHARED_BY_ALL = SentenceKind("server-motion-shared-by-all", "In this game all surviving powers share a draw.")
_CANNOT_SHARE = SentenceKind(
    "server-motion-cannot-share", "{power} cannot share a draw: its seat is vacant, or it is eliminated."
)
_LEADER = SentenceKind("server-motion-leader", "A game is conceded to its leader, and that is {power}; name it.")
_NO_LEADER = SentenceKind("server-motion-no-leader", "A game is conceded to its leader, and no power leads alone.")
_CONCEDED_TO_SELF = SentenceKind("server-motion-conceded-to-self", "A game is conceded to another.")
_REPLACED_UNNAMED = SentenceKind(
    "server-motion-replaced-unnamed", "Name the one other power whose seat needs another player."
)
_PAUSED_ALREADY = SentenceKind("server-motion-paused-already", "The game is paused already, or has no deadlines.")
_NOT_PAUSED = SentenceKind("server-motion-not-paused", "The game is not paused.")
_NO_DEADLINE = SentenceKind("server-motion-no-deadline", "This phase has no deadline that could be moved.")
_NO_SETTINGS = SentenceKind("server-settings-none", "This game has no settings that can be changed.")
_FIRST_PHASE = SentenceKind("server-motion-first-phase", "This is the first phase; there is none to go back to.")
_HOUR_UNNEEDED = SentenceKind("server-motion-hour-unneeded", "Only a motion to go on tomorrow names an hour.")
_HOUR_MISSING = SentenceKind("server-motion-hour-missing", "Name the hour at which the game is to go on.")
_HOUR_OVER = SentenceKind("server-motion-hour-over", "{instant} has passed; choose a later hour.")
_HOUR_FAR = SentenceKind("server-motion-hour-far", "{instant} is too far away; name an hour in the next {days} days.")


def why_not(table: VotingFacts, kind: MotionKind, about: Iterable[Power], seat: Power) -> str:
    """Return why a seat may not make a motion, as a sentence; empty if it may."""
    about, rules = tuple(about), table.rules
    unknown = [power for power in about if power not in table.seats]
    out = [power for power in about if power not in table.alive or power not in {*table.acting, *table.computers}]
    if kind == "reveal":
        return _why_not_reveal(table, about)
    if table.forming or table.over:
        return _NOTHING_TO_VOTE()
    if not rules.open:
        return CLOSED
    if not rules.of(kind).allowed:
        return _NOT_VOTED_ON()
    if seat not in table.alive and seat != GAME_MASTER:
        return _OUT(seat=seat)
    if unknown:
        return _UNSEATED(name=Quoted(str(unknown[0])[:60]), powers=table.seats)
    if kind == "draw" and about and rules.draws == "survivors":
        return _SHARED_BY_ALL()
    if kind == "draw" and out:
        return _CANNOT_SHARE(power=out[0])
    if kind == "concede" and (len(about) != 1 or about[0] != table.leader):
        return _LEADER(power=table.leader) if table.leader else _NO_LEADER()
    if kind == "concede" and about[0] == seat:
        return _CONCEDED_TO_SELF()
    if kind == "replace" and (len(about) != 1 or about[0] not in table.acting or about[0] == seat):
        return _REPLACED_UNNAMED()
    if kind in {"pause", "tomorrow"} and (table.paused or not table.timed):
        return _PAUSED_ALREADY()
    if kind == "resume" and not table.paused:
        return _NOT_PAUSED()
    if kind == "extend" and (table.paused or table.due is None):
        return _NO_DEADLINE()
    if kind == "settings" and not table.timed:
        return _NO_SETTINGS()
    if kind == "back" and not table.turns:
        return _FIRST_PHASE()
    return ""


def _why_not_reveal(table: VotingFacts, about: Iterable[Power]) -> str:
    """Return why the private messages cannot be opened by a vote, as a sentence; empty if they can."""
    if not table.over or not table.sealed or tuple(about):
        return _NOTHING_SEALED()
    if not table.rules.open:
        return CLOSED
    return "" if table.rules.of("reveal").allowed else _NOT_VOTED_ON()


def why_not_then(kind: MotionKind, goes_on: datetime | None, now: datetime, zone: str) -> str:
    """Return why a game cannot resume at the instant of a motion, as a sentence; empty if it can, or none is needed."""
    if kind != "tomorrow":
        return "" if goes_on is None else _HOUR_UNNEEDED()
    if goes_on is None:
        return _HOUR_MISSING()
    if goes_on <= now:
        return _HOUR_OVER(instant=instant_in_words(goes_on, zone))
    if goes_on > now + LONGEST:
        return _HOUR_FAR(instant=instant_in_words(goes_on, zone), days=LONGEST.days)
    return ""


def shown_to(table: VotingFacts, motion: Motion, seats: Iterable[Power]) -> bool:
    """Return whether a viewer with these seats (none for a spectator) may see a motion.

    Only its voters see a secret one.
    """
    if table.rules.of(motion.kind).secrecy != "secret" or motion.state == "passed":
        return True
    return any(seat in motion.ballots and motion.ballots[seat].tenure == table.acting.get(seat) for seat in seats)


_DRAW = SentenceKind("server-motion-draw", "A draw of {powers}")
_DRAW_OF_ALL = SentenceKind("server-motion-draw-of-all", "A draw of all surviving powers")
_CONCESSION = SentenceKind("server-motion-concession", "The game to {powers}")
_REPLACEMENT = SentenceKind("server-motion-replacement", "Another player for {powers}")
_SETTINGS = SentenceKind("server-motion-settings", "Change the settings: {changes}")
_TOMORROW = SentenceKind("server-motion-tomorrow", "Stop for now, and go on {instant}")


def describe_motion(motion: Motion) -> str:
    """Return the motion in words."""
    if motion.kind == "draw":
        return _DRAW(powers=motion.about) if motion.about else _DRAW_OF_ALL()
    if motion.kind == "concede":
        return _CONCESSION(powers=motion.about)
    if motion.kind == "replace":
        return _REPLACEMENT(powers=motion.about)
    if motion.changes is not None:
        return _SETTINGS(changes=changes.describe_changes(motion.changes, motion.zone))
    if motion.goes_on is not None:
        return _TOMORROW(instant=instant_in_words(motion.goes_on, motion.zone))
    return title_of(motion.kind, live=motion.live)


_DRAWS = {
    "none": mark("There are no draws by vote."),
    "survivors": mark("All surviving powers share a draw."),
    "named": mark("A draw is shared by the powers that it names."),
}
_ENDING = SentenceKind("server-votes-ending", "A draw or a concession needs {share}, and {secrecy}.")
_SECRECY = {
    "open": mark("every vote is shown"),
    "numbers": mark("only the numbers of votes are shown"),
    "secret": mark("only the result is shown"),
}
_TIMING = SentenceKind("server-votes-timing", "A pause or more time needs {share}.")
_CHANGING = mark("A change of the settings needs all votes.")
_NEVER = SentenceKind("server-votes-never", "Not voted on in this game: {motions}.")
_SHARES = {"all": mark("all votes"), "two thirds": mark("two thirds of the votes")}
_MAJORITY = SentenceKind(
    "server-votes-majority",
    "the majority of the votes, at least {number} vote",
    "the majority of the votes, at least {number} votes",
)


def in_words(rules: VotingRules) -> tuple[str, ...]:
    """Return the voting rules of a game as sentences."""
    never = tuple(words for kind, words in KINDS.items() if not rules.of(kind).allowed)
    return (
        _DRAWS[rules.draws],
        _ENDING(share=_share(rules.draw), secrecy=_SECRECY[rules.draw.secrecy]),
        _TIMING(share=_share(rules.pause)),
        _CHANGING,
        *((_NEVER(motions=never),) if never else ()),
        *(() if rules.open else (CLOSED,)),
    )


def _share(rule: Rule) -> str:
    return _SHARES[rule.threshold] if rule.threshold in _SHARES else _MAJORITY(number=AT_LEAST)
