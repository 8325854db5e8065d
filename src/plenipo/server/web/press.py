"""The press of a game for pages and programs: threads, messages, writing, and export."""

import json
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from plenipo.engine.position import Power
from plenipo.engine.sentences import Quoted, Sentence, SentenceKind
from plenipo.engine.wording import listing
from plenipo.server import proposals
from plenipo.server.hosted_game import HostedGame
from plenipo.server.hosting import press
from plenipo.server.hosting.press import EVERYONE, OFFICE, UNSIGNED, ShownMessage
from plenipo.server.press import Draft, Inbox, Thread
from plenipo.server.proposals import Fate
from plenipo.server.web import bodies
from plenipo.server.web.context import GameId, Here, counts, viewer_of
from plenipo.server.web.message_markup import as_html, excerpt
from plenipo.server.web.models import Model, SentenceModel, Text
from plenipo.server.web.pictures import arrows
from plenipo.server.web.views import Arrows

__all__ = ["PressMessageModel", "key_in", "router", "thread_readers"]

router = APIRouter(prefix="/api", tags=["press"])

_WORDS = {EVERYONE: "everyone", UNSIGNED: "unsigned"}
_SIGNS = {word: sign for sign, word in _WORDS.items()}

NOT_KEPT = {"cache-control": "no-store"}


def thread_readers(key: Iterable[str]) -> tuple[str, ...]:
    """Return the readers of a thread: powers, `everyone` or `unsigned`."""
    return tuple(_WORDS.get(seat, seat) for seat in key)


def key_in(words: Iterable[str]) -> tuple[str, ...]:
    """Parse the seats of a thread."""
    return tuple(_SIGNS.get(word.casefold(), word) for word in words)


class ProposedOrder(Model):
    """A proposed order: its power, whether that is the viewer's, and whether it was given."""

    power: str
    order: str
    mine: bool
    fate: Fate


class PressMessageModel(Model):
    """A message as a viewer may see it; `seat` and `name` are empty where the sender is hidden."""

    id: str
    seat: Text
    name: Text
    mine: bool
    muted: Annotated[bool, "Whether one does not want to read the messages of its sender."]
    unsigned: bool
    phase: str
    phase_number: int
    written: datetime
    text: Text
    html: Annotated[str, "The text as safe HTML."]
    proposal: tuple[ProposedOrder, ...]
    arrows: Annotated[Arrows | None, "The orders proposed for the open phase as SVG groups of a bare picture."]

    @classmethod
    def of(
        cls, shown: ShownMessage, hosted: HostedGame, own: Iterable[str] = (), muted: Collection[int] = ()
    ) -> "PressMessageModel":
        """Return a message for the holder of the `own` seats, who has `muted` some tenures."""
        message = shown.message
        names = {tenure.number: tenure.name for tenure in hosted.tenures}
        fates = (
            proposals.fates(hosted, message.phase, message.phase_number, message.proposal) if message.proposal else ()
        )
        drawn = proposals.orders_of(hosted, message.proposal) if "open" in fates else ()
        return cls(
            id=message.id,
            seat=shown.seat,
            name=names.get(shown.sender, "") if shown.sender is not None else "",
            mine=shown.mine,
            muted=shown.sender in muted,
            unsigned=message.grey,
            phase=message.phase,
            phase_number=message.phase_number,
            written=shown.written,
            text=message.text,
            html=as_html(message.text),
            proposal=tuple(
                ProposedOrder(power=power, order=order, mine=power in own, fate=fate)
                for (power, order), fate in zip(message.proposal, fates, strict=True)
            ),
            arrows=Arrows.model_validate(arrows(hosted.rules, hosted.game.position, drawn))
            if drawn and hosted.public
            else None,
        )


class ThreadLine(Model):
    """A thread in a list: its seats, its unread messages, and the beginning of the newest."""

    thread: tuple[str, ...]
    unread: int
    newest: datetime
    seat: Text
    mine: bool
    begins: Text

    @classmethod
    def of(cls, thread: Thread) -> "ThreadLine":
        """Return a thread by its newest message."""
        last = thread.messages[-1]
        return cls(
            thread=thread_readers(thread.key),
            unread=thread.unread,
            newest=last.written,
            seat=last.seat,
            mine=last.mine,
            begins=excerpt(last.message.text) or "Orders are proposed.",
        )


class PressRecipient(Model):
    """A seat that may receive private messages, its player, and a reason if it may not; `seat` may be `everyone`."""

    seat: str
    names: tuple[Text, ...]
    why_not: Text
    refusal: Annotated[SentenceModel | None, "The reason why not, for programs that translate it."] = None


class PressAnswer(Model):
    """The press of a game that a viewer may read.

    `seats` are those the viewer writes from, `kept` says that the host's office is one. `words` is the press policy,
    `closes` is when press closes before the deadline. `sentences` are the words for programs that translate them.
    """

    seats: tuple[str, ...]
    words: tuple[Text, ...]
    sentences: tuple[SentenceModel, ...]
    groups: Annotated[bool, "Whether a message may go to several others at once."]
    unsigned: Literal["no", "allowed", "only"]
    closes: datetime | None
    longest: int
    to: tuple[PressRecipient, ...]
    threads: tuple[ThreadLine, ...]

    @classmethod
    def of(cls, box: Inbox, now: datetime) -> "PressAnswer":
        """Return the press of a game for a viewer."""
        table = box.table
        seat = next(iter(box.seats), "")
        grey = table.policy.grey == "only"
        others = [one for one in (*map(str, table.seats), OFFICE) if one not in box.seats]
        if not table.tenures.get(OFFICE):
            others = [one for one in others if one != OFFICE]
        names = {tenure.number: tenure.name for tenure in box.hosted.tenures}

        def reader(one: str) -> PressRecipient:
            held = table.tenures.get(one, ())
            signed = OFFICE in (one, seat)
            refusal = press.why_not(table, seat, [one], now, grey=grey and not signed)
            return PressRecipient(
                seat=_WORDS.get(one, one),
                names=tuple(names[number] for number in held),
                why_not=refusal,
                refusal=SentenceModel.of(refusal) if refusal else None,
            )

        return cls(
            seats=box.seats,
            words=press.describe_press(table),
            sentences=tuple(map(SentenceModel.of, press.describe_press(table))),
            groups=table.policy.who == "groups",
            unsigned=table.policy.grey,
            closes=press.closing(table),
            longest=press.LONGEST,
            to=tuple(map(reader, (EVERYONE, *others))) if seat else (),
            threads=tuple(map(ThreadLine.of, box.threads)),
        )


class SeatTakeover(Model):
    """The place in a thread from which a seat has another holder."""

    seat: str
    name: Text
    phase_number: int


class ThreadAnswer(Model):
    """A thread: its readers, its messages in order, and the changes of its seats' holders."""

    thread: tuple[str, ...]
    readers: Annotated[Text, "Who reads it, in a sentence."]
    said: Annotated[SentenceModel, "The same, for programs that translate it."]
    messages: tuple[PressMessageModel, ...]
    joined: tuple[SeatTakeover, ...]

    @classmethod
    def of(cls, box: Inbox, key: tuple[str, ...]) -> "ThreadAnswer":
        """Return a thread as a viewer may see it."""
        tenures = box.hosted.tenures
        came = (t for t in tenures if t.kind in {"substitute", "sitter"} and (t.power in key or EVERYONE in key))
        return cls(
            thread=thread_readers(key),
            readers=_readers(box, key),
            said=SentenceModel.of(_readers(box, key)),
            messages=tuple(
                PressMessageModel.of(one, box.hosted, box.seats, box.muted) for one in box.thread(key).messages
            ),
            joined=tuple(SeatTakeover(seat=t.power, name=t.name, phase_number=t.since) for t in came),
        )


_ALL = SentenceKind("server-press-read-by-all", "All players read this.")
_ALL_BUT = SentenceKind("server-press-read-by-all-but", "All players read this; no player reads it for {powers}.")
_PUBLIC = SentenceKind("server-press-read-by-spectators", "All players and spectators read this.")
_PUBLIC_BUT = SentenceKind(
    "server-press-read-by-spectators-but", "All players and spectators read this; no player reads it for {powers}."
)
_OPENED = SentenceKind("server-press-read-after", "You read this because the game is over.")
_UNSIGNED_ALONE = SentenceKind("server-press-read-unsigned", "Only you read this; its sender is not shown.")
_ALONE = SentenceKind("server-press-read-alone", "Only you read this.")
_ONLY = SentenceKind("server-press-read-by", "Only {readers} and you read this.")
_READER = SentenceKind("server-press-reader", "{power} ({player})")
_VACANT_READER = SentenceKind("server-press-reader-vacant", "{power}, which is vacant")
_HOST_READER = SentenceKind("server-press-reader-host", "the host ({player})")
_HOST_VACANT = SentenceKind("server-press-reader-host-vacant", "the host, which is vacant")


def _readers(box: Inbox, key: tuple[str, ...]) -> Sentence:
    """Return the current readers of a thread, as a sentence."""
    table = box.table
    if EVERYONE in key:
        empty = tuple(seat for seat in table.seats if not table.tenures.get(seat))
        if empty and len(empty) < 6:
            return (_PUBLIC_BUT if table.policy.observers else _ALL_BUT)(powers=empty)
        return _PUBLIC() if table.policy.observers else _ALL()
    others = [seat for seat in key if seat not in box.seats and seat != UNSIGNED]
    if len(others) == len(key) and box.seats and UNSIGNED not in key:
        return _OPENED()
    names = {tenure.number: tenure.name for tenure in box.hosted.tenures}
    if not others:
        return _UNSIGNED_ALONE() if UNSIGNED in key else _ALONE()
    readers = []
    for seat in others:
        held = tuple(Quoted(names[number]) for number in table.tenures.get(seat, ()))
        if seat == OFFICE:
            readers.append(_HOST_READER(player=held) if held else _HOST_VACANT())
        else:
            power = Power(seat)
            readers.append(_READER(power=power, player=held) if held else _VACANT_READER(power=power))
    return _ONLY(readers=tuple(readers))


def _letterbox(request: Request, here: Here, game: str) -> Inbox:
    return here.service.press.inbox(game, viewer_of(request, here, game, None).credentials)


@router.get("/games/{game}/press")
def threads(request: Request, response: Response, here: Here, game: GameId) -> PressAnswer:
    """List the threads that the viewer may read, and the possible recipients."""
    response.headers.update(NOT_KEPT)
    return PressAnswer.of(_letterbox(request, here, game), here.service.clock.now())


@router.get("/games/{game}/press/thread")
def thread(
    request: Request,
    response: Response,
    here: Here,
    game: GameId,
    seat: Annotated[list[str], Query(max_length=60, description="Each seat of the thread; `everyone` for all.")],
) -> ThreadAnswer:
    """Return the messages of one thread."""
    response.headers.update(NOT_KEPT)
    box = _letterbox(request, here, game)
    return ThreadAnswer.of(box, press.key_of(key_in(word[:200] for word in seat), box.table.seats))


@router.post("/games/{game}/press", status_code=201)
@counts("messages")
def write(
    request: Request, response: Response, here: Here, game: GameId, body: bodies.MessageBody
) -> PressMessageModel:
    """Send a message; it is stored when this answers."""
    response.headers.update(NOT_KEPT)
    credentials = viewer_of(request, here, game, None).credentials
    draft = Draft(
        body.seat, key_in(body.to), body.text, grey=body.unsigned, proposal=tuple(body.proposal), once=body.once
    )
    shown = here.service.press.write(game, credentials, draft)
    hosted = here.service.games.load(game)
    return PressMessageModel.of(shown, hosted, own=(body.seat,))


@router.post("/games/{game}/press/read", status_code=204)
def read(request: Request, here: Here, game: GameId, body: bodies.ReadBody) -> Response:
    """Set the read mark of a thread; no other player learns of it."""
    credentials = viewer_of(request, here, game, None).credentials
    here.service.press.mark(game, credentials, key_in(body.thread), body.id)
    return Response(status_code=204)


@router.get("/games/{game}/press/file", response_class=Response)
def export(
    request: Request, here: Here, game: GameId, form: Annotated[Literal["text", "jsonl"], Query()] = "text"
) -> Response:
    """Export all readable messages in order: as text, or a JSON object a line."""
    box = _letterbox(request, here, game)
    ordered = sorted((shown for thread in box.threads for shown in thread.messages), key=lambda one: one.message.number)
    make = _line if form == "jsonl" else _paragraph
    body = "".join(make(box, shown) for shown in ordered)
    kind = "application/x-ndjson" if form == "jsonl" else "text/plain; charset=utf-8"
    name = f"messages-{game}.{'jsonl' if form == 'jsonl' else 'txt'}"
    headers = {**NOT_KEPT, "content-disposition": f'attachment; filename="{name}"'}
    return Response(body, headers=headers, media_type=kind)


def _line(box: Inbox, shown: ShownMessage) -> str:
    value = PressMessageModel.of(shown, box.hosted).model_dump(mode="json", exclude={"html", "mine", "muted", "arrows"})
    return json.dumps({"thread": thread_readers(shown.message.thread), **value}, ensure_ascii=False) + "\n"


def _paragraph(box: Inbox, shown: ShownMessage) -> str:
    message = PressMessageModel.of(shown, box.hosted)
    sender = f"{message.seat} ({message.name})" if message.name else message.seat or "unsigned"
    proposed = "".join(f"{one.power}: {one.order} ({one.fate})\n" for one in message.proposal)
    to = listing([seat for seat in thread_readers(shown.message.thread) if seat not in {message.seat, "unsigned"}])
    return f"{message.phase}, {message.written:%Y-%m-%d %H:%M} UTC\n{sender} to {to}\n\n{message.text}\n{proposed}\n\n"
