"""The votes of a game for pages and programs."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response

from plenipo.engine.position import Power
from plenipo.server.hosting import motions
from plenipo.server.hosting.motions import KINDS, MotionKind
from plenipo.server.voting import Poll
from plenipo.server.web import bodies
from plenipo.server.web.context import GameId, Here, Viewer, viewer_of
from plenipo.server.web.models import Model, SentenceModel, Spoken, Text

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["votes"])


class Motion(Model):
    """A motion as a viewer may see it: its proposal, the viewer's vote, and the visible votes of others."""

    number: int
    kind: MotionKind
    about: tuple[str, ...]
    title: Spoken
    said: Annotated[SentenceModel, "The title, for programs that translate it."]
    state: Literal["open", "passed", "failed", "withdrawn"]
    until: datetime | None
    standing: bool
    needs: str
    may_vote: bool
    mine: bool | None
    yes: Annotated[int | None, "How many are for it, unless that is secret."]
    of: int
    votes: Annotated[dict[str, bool], "Who voted how, where that is open."]

    @classmethod
    def of_poll(cls, poll: Poll, motion: motions.Motion) -> "Motion":
        """Return a motion of a poll."""
        table = poll.table
        rule = table.rules.of(motion.kind)
        votes = motions.count_votes(table, motion)
        known = {**dict.fromkeys(votes.yes, True), **dict.fromkeys(votes.no, False)}
        voting = motions.voters(table, motion)
        return cls(
            number=motion.number,
            kind=motion.kind,
            about=motion.about,
            title=motions.describe_motion(motion),
            said=SentenceModel.of(motions.describe_motion(motion)),
            state=motion.state,
            until=motion.until,
            standing=rule.standing,
            needs=rule.threshold,
            may_vote=motion.state == "open" and poll.seat in voting,
            mine=known.get(poll.seat) if poll.seat is not None else None,
            yes=None if rule.secrecy == "secret" else len(votes.yes),
            of=len(voting),
            votes={str(seat): vote for seat, vote in known.items()} if rule.secrecy == "open" else {},
        )


class PossibleMotion(Model):
    """A motion that the viewer may make, with the powers it may name; `many` says that it may name several."""

    kind: MotionKind
    title: Text
    about: tuple[str, ...]
    many: bool
    hour: Annotated[bool, "Whether it names when the game is to go on."] = False


class VotesAnswer(Model):
    """The votes of a game: the visible motions, the newest first, and the possible new ones."""

    seat: str | None
    words: tuple[Text, ...]
    sentences: Annotated[tuple[SentenceModel, ...], "The voting rules, for programs that translate them."]
    motions: tuple[Motion, ...]
    may: tuple[PossibleMotion, ...]

    @classmethod
    def of(cls, poll: Poll) -> "VotesAnswer":
        """Return the votes for a viewer."""
        return cls(
            seat=poll.seat,
            words=motions.in_words(poll.table.rules),
            sentences=tuple(map(SentenceModel.of, motions.in_words(poll.table.rules))),
            motions=tuple(Motion.of_poll(poll, motion) for motion in poll.motions),
            may=tuple(_choices(poll)) if poll.seat is not None else (),
        )


def _choices(poll: Poll) -> Iterable[PossibleMotion]:
    table, seat = poll.table, poll.seat
    assert seat is not None  # noqa: S101  # asked before
    others = [power for power in table.seats if power != seat]
    named: dict[MotionKind, list[Power]] = {
        "concede": [power for power in others if not motions.why_not(table, "concede", [power], seat)],
        "replace": [power for power in others if not motions.why_not(table, "replace", [power], seat)],
        "draw": [power for power in table.seats if not motions.why_not(table, "draw", [power], seat)],
    }
    for kind in KINDS:
        about = named.get(kind, [])
        if about or (kind not in {"concede", "replace", "settings"} and not motions.why_not(table, kind, (), seat)):
            yield PossibleMotion(
                kind=kind,
                title=motions.title_of(kind, live=table.live),
                about=tuple(about),
                many=kind == "draw" and bool(about),
                hour=kind == "tomorrow",
            )


def _answer(response: Response, here: Here, viewer: Viewer) -> VotesAnswer:
    response.headers["cache-control"] = "no-store"
    return VotesAnswer.of(here.service.voting.poll(viewer.game, viewer.credentials))


@router.get("/games/{game}/votes")
def votes(request: Request, response: Response, here: Here, game: GameId) -> VotesAnswer:
    """List the visible motions of a game, and the possible new ones."""
    return _answer(response, here, viewer_of(request, here, game, None))


@router.post("/games/{game}/votes", status_code=201)
def move(request: Request, response: Response, here: Here, game: GameId, body: bodies.MotionBody) -> VotesAnswer:
    """Make a motion; repeating an open motion is a vote for it."""
    viewer = viewer_of(request, here, game, None)
    changes = None if body.changes is None else body.changes.changes
    here.service.voting.move(game, viewer.credentials, body.kind, body.about, body.goes_on, changes)
    return _answer(response, here, viewer)


@router.put("/games/{game}/votes/{number}")
def vote(
    request: Request, response: Response, here: Here, game: GameId, number: int, body: bodies.VoteBody
) -> VotesAnswer:
    """Vote for or against a motion, or withdraw the vote."""
    viewer = viewer_of(request, here, game, None)
    here.service.voting.vote(game, viewer.credentials, number, body.yes)
    return _answer(response, here, viewer)
