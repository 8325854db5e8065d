"""Reports and the decisions of moderators, who see only the reported messages; all decisions are logged."""

import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Literal, get_args

from plenipo.engine.sentences import Either, Quoted, SentenceKind
from plenipo.engine.wording import count
from plenipo.languages import mark
from plenipo.server import keys
from plenipo.server.bans import Bans, NewBan, words_of
from plenipo.server.errors import NotYours, ReportRefused
from plenipo.server.hosted_game import SOMEBODY, Credentials
from plenipo.server.hosting.joining import join_paragraphs
from plenipo.server.people.accounts import MAIL, Accounts
from plenipo.server.service import GameService
from plenipo.server.store import HERE, Json, StoredPost
from plenipo.server.store.bans import Ban
from plenipo.server.store.moderation import LoggedAction, Moderation, Report
from plenipo.server.store.persons import Persons

__all__ = [
    "ACTS",
    "KINDS",
    "OPERATOR",
    "ModerationAct",
    "Moderators",
    "PersonHistory",
    "ReportKind",
    "WaitingReport",
    "moderators_of",
]

_REPORT_PERSON_GONE = SentenceKind(
    "server-report-person-gone", "There is no such player to report; they may have left."
)
_REPORT_UNNAMED = SentenceKind("server-report-unnamed", "To report a player you need a name; claim your seat first.")
_REPORT_MESSAGE_UNKNOWN = SentenceKind(
    "server-report-message-unknown", "There is no signed message of '{seat}' in this thread that you read."
)
_REPORT_UNKNOWN = SentenceKind("server-report-unknown", "There is no such open report, or no such action.")
_REPORT_BIASED = SentenceKind(
    "server-report-biased", "You play in this game, or the report is about you; another moderator must handle it."
)
_REPORT_SUBJECT_GONE = SentenceKind(
    "server-report-subject-gone", "The account or game of the report was deleted; dismiss the report."
)
_MODERATOR_CLOSED_BY_OPERATOR = SentenceKind(
    "server-moderator-closed-by-operator", "Only the operator of this server can close a moderator's account."
)
_REPORT_DECIDED = SentenceKind("server-report-decided", "Another moderator has handled this report.")
_REPORT_WAITS = SentenceKind("server-report-waits", "A report waits")
_REPORT_WAITS_BODY = SentenceKind("server-report-waits-body", "A report waits for the moderators:")
_BANNED_SUBJECT = SentenceKind("server-ban-subject", "Your account is banned")
_BANNED_BODY = SentenceKind("server-ban-body", "{ban} You can appeal once:")
_BAN_ENDED = SentenceKind("server-ban-ended", "Your ban has ended")
_BAN_ENDED_BODY = SentenceKind("server-ban-ended-body", "Your ban has ended. {reason}")
_BAN_STAYS = SentenceKind("server-ban-stays", "Your appeal was read, and the ban stays")
_BAN_STAYS_BODY = SentenceKind("server-ban-stays-body", "Your appeal was read, and the ban stays. {reason}")
_BAN_OWN = SentenceKind("server-ban-own", "This ban is about you; another moderator decides.")
_BAN_DECIDED = SentenceKind("server-ban-decided", "There is no such ban, or its appeal has been decided.")
_MODERATORS_ONLY = SentenceKind("server-moderators-only", "This is for the moderators of this server.")
_REPORT_KIND_UNKNOWN = SentenceKind(
    "server-report-kind-unknown", "'{kind}' is not a kind of report; write one of {kinds}."
)
_TEXT_EMPTY = SentenceKind("server-text-empty", "The {what} is empty; write it in a sentence.")
_TEXT_TOO_LONG = SentenceKind("server-text-too-long", "The {what} has {number} characters; write at most {most}.")

ModerationAct = Literal["dismiss", "strike", "unlist", "ban", "close"]

ACTS: dict[ModerationAct, str] = {
    "dismiss": mark("no action"),
    "strike": mark("the name is replaced"),
    "unlist": mark("the game was removed from the list"),
    "ban": mark("the account is banned"),
    "close": mark("the account is closed"),
}
"""The decisions on a report, each in a few words."""

ReportKind = Literal["abuse", "name", "cheating", "spam", "other"]

KINDS: dict[ReportKind, str] = {
    "abuse": mark("Abusive messages"),
    "name": mark("Offensive or misleading name"),
    "cheating": mark("Cheating or several accounts"),
    "spam": mark("Spam"),
    "other": mark("Something else"),
}
"""The kinds of reports, as the pages offer them."""

OPERATOR = None
"""The operator on the command line, who has no account and may do everything."""

COPIED = 20
"""The number of messages of a thread that go with a report: the newest ones."""

LONGEST = 500
"""The most characters of a report, and of the reason of a decision."""

_LOG = logging.getLogger("plenipo.server")


@dataclass(frozen=True)
class PersonHistory:
    """The moderators' information on a person: earlier reports, decisions and bans.

    For a person in an anonymous game there are only numbers: sentences could reveal the identity.
    """

    reports: tuple[Report, ...]
    decisions: tuple[LoggedAction, ...]
    bans: tuple[Ban, ...]
    counts: tuple[int, int]
    """The numbers of earlier reports and bans."""


@dataclass(frozen=True)
class WaitingReport:
    """A report as a moderator sees it, with `messages` and `history` only for those without a seat in it."""

    report: Report
    about: str
    messages: tuple[Json, ...]
    barred: bool
    history: PersonHistory


def moderators_of(options: Mapping[str, str], named: tuple[str, ...] = ()) -> frozenset[str]:
    """Return the addresses of moderators: those named, and those in `PLENIPO_MODERATORS`, by commas or spaces.

    Raise `ReportRefused` for a text that is not an address.
    """
    texts = (*named, *options.get("PLENIPO_MODERATORS", "").replace(",", " ").split())
    addresses = frozenset(text.strip().casefold() for text in texts if text.strip())
    for address in sorted(addresses):
        if not MAIL.fullmatch(address):
            raise ReportRefused(
                f"'{address[:80]}' is not an email address; "
                "write PLENIPO_MODERATORS as anna@example.org,ben@example.org."
            )
    return addresses


class Moderators:
    """The reports on one server and its moderators: the people who sign in with one of these mail addresses.

    Without moderators, the operator deals with reports on the command line.
    """

    def __init__(self, service: GameService, accounts: Accounts, addresses: frozenset[str] = frozenset()) -> None:
        self.service, self.accounts, self.addresses = service, accounts, addresses
        self.store, self.bans, self._persons = service.store.of(Moderation), Bans(service), service.store.of(Persons)
        accounts.closed = self.store.is_closed
        accounts.banned = lambda person: bool(self.bans.active([person]))
        self._told, self._guard = False, Lock()

    @property
    def readers(self) -> str:
        """The sentence that tells reporting people who will read the report."""
        return (
            mark("The moderators of this server read it.")
            if self.addresses
            else mark("The operator of this server reads it.")
        )

    def is_moderator(self, person: str | None) -> bool:
        """Return whether a person is a moderator of this server."""
        ways = self._persons.ways(person) if person is not None else ()
        return any(way.kind == "mail" and way.identifier in self.addresses for way in ways)

    # Reports

    def report_person(self, by: str, about: str, sentence: str, kind: str = "other", *, network: str = "") -> None:
        """Report a person, from an address in `network`; raise `ReportRefused` and `TooOften`."""
        if by == about or self._persons.find(about) is None:
            raise ReportRefused(_REPORT_PERSON_GONE())
        text, kind = _sentence(sentence, mark("report")), _kind(kind)
        self.accounts.limits.take("reports", person=by, network=network)
        self.store.report(by, about, None, (), text, self.service.clock.now(), kind=kind)
        self._announce()

    def report_messages(
        self,
        game_id: str,
        credentials: Credentials,
        thread: tuple[str, ...],
        seat: str,
        sentence: str,
        kind: str = "abuse",
        *,
        network: str = "",
    ) -> None:
        """Report the player of a seat, with the newest messages of a thread that the reporting player can read.

        Raise `ReportRefused` and `TooOften`.
        """
        by = credentials.person
        if by is None:
            raise ReportRefused(_REPORT_UNNAMED())
        box = self.service.press.inbox(game_id, credentials)
        messages = [shown for shown in box.thread(thread).messages if shown.writer]
        theirs = [shown for shown in messages if shown.writer == seat and not shown.mine]
        if not theirs:
            raise ReportRefused(_REPORT_MESSAGE_UNKNOWN(seat=seat[:60]))
        text, kind = _sentence(sentence, mark("report")), _kind(kind)
        self.accounts.limits.take("reports", person=by, network=network)
        tenures = self.service.games.load(game_id).tenures
        persons = {tenure.number: tenure.person for tenure in tenures}
        names = {tenure.number: tenure.name for tenure in tenures}
        copied = [
            {
                "seat": one.seat or names.get(one.sender or 0, ""),
                "written": one.written.isoformat(),
                "text": one.message.text,
                "reported": one.writer == seat and not one.mine,
            }
            for one in messages[-COPIED:]
        ]
        about = persons.get(theirs[-1].message.sender)
        now = self.service.clock.now()
        self.store.report(by, about, game_id, copied, text, now, kind=kind, thread=thread)
        self._announce()

    def _announce(self) -> None:
        """Announce a report: to the moderators by mail if no other was open, or to the operator's log once."""
        if not self.addresses:
            with self._guard:
                first, self._told = not self._told, True
            if first:
                _LOG.warning(
                    "A report waits, and this server has no moderators: read it with 'plenipo reports list', "
                    "or name moderators with --moderator or PLENIPO_MODERATORS."
                )
        elif self.store.count_open() == 1:
            body = join_paragraphs((_REPORT_WAITS_BODY(), f"{HERE}/moderation\n"))
            for address in sorted(self.addresses):
                way = self._persons.way("mail", address)
                person = way.person if way else None
                post = StoredPost(secrets.token_hex(16), address, _REPORT_WAITS(), body, person=person)
                self._persons.post(post, self.service.clock.now())

    # Decisions

    def waiting(self, moderator: str | None) -> tuple[WaitingReport, ...]:
        """Return the reports as a moderator sees them; raise `NotYours` for other people."""
        self._require(moderator)
        return tuple(self._waiting(report, moderator) for report in self.store.reports())

    def deeds(self, moderator: str | None) -> tuple[tuple[LoggedAction, str], ...]:
        """Return the moderators' log, each entry with the moderator's name; raise `NotYours`."""
        self._require(moderator)
        found = self.store.deeds()
        names = {one.by: self._name(one.by) for one in found}
        return tuple((one, names[one.by]) for one in found)

    def active_bans(self, moderator: str | None) -> tuple[tuple[Ban, str], ...]:
        """Return the active bans, each with the name of the banned person or `A network`; raise `NotYours`."""
        self._require(moderator)
        found = self.bans.store.all_active(self.service.clock.now())
        return tuple((ban, "A network" if ban.kind == "network" else self._person(ban.person)) for ban in found)

    def act(self, moderator: str | None, number: int, act: str, reason: str, ban: NewBan | None = None) -> None:
        """Decide on a report, with a reason; raise `NotYours` and `ReportRefused`.

        `ban` has the length of a ban, by default 7 days; the banned person sees the reason.
        """
        self._require(moderator)
        report = next((one for one in self.store.reports() if one.number == number and not one.closed), None)
        if report is None or act not in get_args(ModerationAct):
            raise ReportRefused(_REPORT_UNKNOWN())
        if self._waiting(report, moderator).barred:
            raise ReportRefused(_REPORT_BIASED())
        person = report.about and self._persons.find(report.about)
        if (act in ("strike", "ban", "close") and not person) or (act == "unlist" and report.game is None):
            raise ReportRefused(_REPORT_SUBJECT_GONE())
        if act in ("ban", "close") and self.is_moderator(report.about):
            raise ReportRefused(_MODERATOR_CLOSED_BY_OPERATOR())
        why, now = _sentence(reason, mark("reason")), self.service.clock.now()
        text = f"Report {number}: {ACTS[act]}. {why}"  # type: ignore[index]  # checked above
        values: Json = {}
        digests: tuple[str, ...] = ()
        if act == "ban" and person:
            new = ban or NewBan(7)
            values = {"kind": "account", "person": person.id, "reason": why, "until": new.until(now)}
            digests = (*self.bans.marks(person.id), *(self.bans.networks(person.id) if new.networks else ()))
            text = f"Report {number}: {ACTS['ban']} {_length(new)}{' with its networks' if new.networks else ''}. {why}"
        # log first, so that the decision is in the log whatever happens next
        if not self.store.close(number, act, text, now, by=moderator, ban=values or None, digests=digests):
            raise ReportRefused(_REPORT_DECIDED())
        if act == "strike" and person:
            self.store.strike(person.id, f"Player {secrets.randbelow(9000) + 1000}")
        elif act == "unlist" and report.game is not None:
            self.store.unlist(report.game)
        elif act == "ban" and person:
            held = self.bans.active([person.id])
            self.bans.notify(person.id, _BANNED_SUBJECT(), _BANNED_BODY(ban=words_of(held[0])))
        elif act == "close" and person:
            ways = self._persons.ways(person.id)
            self.store.close_ways([keys.digest(way.identifier) for way in ways if way.kind in ("mail", "provider")])
            self.service.leave_every_seat(person.id)
            self.accounts.delete(person)

    def ban_network(self, moderator: str | None, address: str, ban: NewBan, reason: str) -> None:
        """Ban the network of an address; raise `NotYours` and `ReportRefused`."""
        self._require(moderator)
        digest, why, now = (
            self.bans.network_of_text(address),
            _sentence(reason, mark("reason")),
            self.service.clock.now(),
        )
        values = {"kind": "network", "person": None, "reason": why, "until": ban.until(now)}
        self.store.ban(f"A network is banned {_length(ban)}. {why}", values, [digest], now, moderator)

    def end_ban(self, moderator: str | None, number: int, reason: str, *, lifted: bool) -> None:
        """Lift a ban, or uphold it after an appeal; raise `NotYours` and `ReportRefused`."""
        self._require(moderator)
        ban = self.bans.store.find(number)
        why = _sentence(reason, mark("reason"))
        if ban is not None and ban.person is not None and ban.person == moderator:
            raise ReportRefused(_BAN_OWN())
        done = "lifted" if lifted else "stays after an appeal"
        if ban is None or not self.store.end_ban(
            number, f"Ban {number} {done}. {why}", self.service.clock.now(), moderator, lifted=lifted
        ):
            raise ReportRefused(_BAN_DECIDED())
        if ban.person is not None:
            subject, body = (_BAN_ENDED, _BAN_ENDED_BODY) if lifted else (_BAN_STAYS, _BAN_STAYS_BODY)
            self.bans.notify(ban.person, subject(), body(reason=Quoted(why)))

    def _require(self, person: str | None) -> None:
        if person is not OPERATOR and not self.is_moderator(person):
            raise NotYours(_MODERATORS_ONLY())

    def _waiting(self, report: Report, moderator: str | None) -> WaitingReport:
        barred = moderator is not OPERATOR and (
            moderator == report.about or (report.game is not None and report.game in self._games(moderator))
        )
        name, hidden = self._person(report.about), False
        if report.game is not None and self._may_hide_names(report.game):
            name, hidden = SOMEBODY, True  # a decision still applies to the person
        return WaitingReport(
            report, name, () if barred else report.messages, barred, self._history(report, barred or hidden)
        )

    def _may_hide_names(self, game: str) -> bool:
        """Return whether a game hides the names of its players; a game that cannot be opened may do so."""
        return self.service.games.open_each((game,), lambda hosted: hosted.names_hidden).get(game, True)

    def _history(self, report: Report, only_counts: bool) -> PersonHistory:  # noqa: FBT001
        """Return the earlier reports, decisions and bans of the reported person."""
        if report.about is None:
            return PersonHistory((), (), (), (0, 0))
        earlier = tuple(one for one in self.store.reports_about(report.about) if one.number != report.number)
        bans = self.bans.store.of_person(report.about)
        counts = (len(earlier), len(bans))
        if only_counts:
            return PersonHistory((), (), (), counts)
        decisions = tuple(one for one in self.store.deeds() if one.about == report.about)
        return PersonHistory(earlier, decisions, bans, counts)

    def _person(self, person: str | None) -> str:
        found = self._persons.find(person) if person else None
        return found.name if found else "somebody who left"

    def _name(self, moderator: str | None) -> str:
        found = self._persons.find(moderator) if moderator else None
        return found.name if found else "The operator, or a moderator who left"

    def _games(self, person: str) -> Mapping[str, object]:
        return {game.id: game for game in self._persons.games(person)}


def _length(ban: NewBan) -> str:
    return "for good" if ban.days is None else f"for {count(ban.days, 'day')}"


def _kind(kind: str) -> str:
    if kind not in get_args(ReportKind):
        raise ReportRefused(_REPORT_KIND_UNKNOWN(kind=kind[:40], kinds=Either(get_args(ReportKind))))
    return kind


def _sentence(text: str, what: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise ReportRefused(_TEXT_EMPTY(what=what))
    if len(text) > LONGEST:
        raise ReportRefused(_TEXT_TOO_LONG(what=what, number=len(text), most=LONGEST))
    return text
