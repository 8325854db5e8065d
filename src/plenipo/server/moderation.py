"""Reports, and what moderators do about them: they see what was reported and nothing else, and all acts are kept."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, get_args

from plenipo.server import keys
from plenipo.server.errors import NotYours, ReportRefused
from plenipo.server.host import Host
from plenipo.server.hosted import SOMEBODY, Credentials
from plenipo.server.limits import Limit
from plenipo.server.people.accounts import Accounts
from plenipo.server.store import Json
from plenipo.server.store.moderation import Deed, Report

__all__ = ["ACTS", "Act", "Moderators", "Waiting"]

Act = Literal["dismiss", "strike", "unlist", "close"]

ACTS: dict[Act, str] = {
    "dismiss": "nothing is done",
    "strike": "the name is struck",
    "unlist": "the game is listed no more",
    "close": "the account is closed",
}
"""What a moderator does about a report, each in a few words."""

COPIED = 20
"""How many letters of a thread go with a report, the newest."""

LONGEST = 500
"""The most characters of a report, and of the reason of an act."""

A_DAY = 10
"""How many reports somebody makes a day."""


@dataclass(frozen=True)
class Waiting:
    """A report as a moderator is shown it: `letters` only if he does not sit at that game."""

    report: Report
    about: str
    letters: tuple[Json, ...]
    barred: bool


class Moderators:
    """Reports on one server, and those who deal with them: whoever signs in with one of these mail addresses."""

    def __init__(self, host: Host, accounts: Accounts, addresses: frozenset[str] = frozenset()) -> None:
        self.host, self.accounts, self.addresses = host, accounts, addresses
        self.store = host.store.moderation
        accounts.closed = self.store.is_closed
        self._limit = Limit("reports were made", A_DAY, timedelta(days=1), host.clock, place="by one person")

    def is_moderator(self, person: str | None) -> bool:
        """Whether somebody is a moderator of this server."""
        ways = self.host.store.persons.ways(person) if person is not None else ()
        return any(way.kind == "mail" and way.identifier in self.addresses for way in ways)

    # Reports

    def report_person(self, by: str, about: str, sentence: str) -> None:
        """Report a person; raises `ReportRefused` and `TooOften`."""
        if by == about or self.host.store.persons.find(about) is None:
            raise ReportRefused("There is nobody here who could be reported; perhaps he has left.")
        text = _sentence(sentence, "report")
        self._limit.take(by)
        self.store.report(by, about, None, (), text, self.host.clock.now())

    def report_letters(
        self, game_id: str, credentials: Credentials, thread: tuple[str, ...], seat: str, sentence: str
    ) -> None:
        """Report whoever writes from a seat, with the newest letters of a thread that one reads.

        Raises `ReportRefused` and `TooOften`.
        """
        by = credentials.person
        if by is None:
            raise ReportRefused("Who reports has a name here: put one to your seat first.")
        box = self.host.letters.letterbox(game_id, credentials)
        letters = [shown for shown in box.thread(thread).letters if shown.letter.seat == seat or shown.seat]
        theirs = [shown for shown in letters if shown.seat == seat and not shown.mine]
        if not theirs:
            raise ReportRefused(f"There is no signed letter of '{seat[:60]}' in this thread that you read.")
        text = _sentence(sentence, "report")
        self._limit.take(by)
        persons = {tenure.number: tenure.person for tenure in self.host.games.hosted(game_id).tenures}
        copied = [
            {"seat": one.seat, "written": one.written.isoformat(), "text": one.letter.text} for one in letters[-COPIED:]
        ]
        about = persons.get(theirs[-1].letter.sender)
        self.store.report(by, about, game_id, copied, text, self.host.clock.now())

    # What moderators see and do

    def waiting(self, moderator: str) -> tuple[Waiting, ...]:
        """The reports as a moderator sees them; raises `NotYours` for anybody else."""
        self._require(moderator)
        return tuple(self._waiting(report, moderator) for report in self.store.reports())

    def deeds(self, moderator: str) -> tuple[Deed, ...]:
        """What moderators did; raises `NotYours`."""
        self._require(moderator)
        return self.store.deeds()

    def act(self, moderator: str, number: int, act: str, reason: str) -> None:
        """Deal with a report, with a reason; raises `NotYours` and `ReportRefused`."""
        self._require(moderator)
        report = next((one for one in self.store.reports() if one.number == number and not one.closed), None)
        if report is None or act not in get_args(Act):
            raise ReportRefused("There is no such report that waits, or that is not done about one.")
        if self._waiting(report, moderator).barred:
            raise ReportRefused("You sit at this game, or it is about you; another moderator deals with it.")
        person = report.about and self.host.store.persons.find(report.about)
        if (act in ("strike", "close") and not person) or (act == "unlist" and report.game is None):
            raise ReportRefused("What the report is about is no longer here; nothing of that can be done.")
        if act == "close" and self.is_moderator(report.about):
            raise ReportRefused("A moderator's account is closed by whoever runs the server.")
        why = _sentence(reason, "reason")
        text = f"Report {number}: {ACTS[act]}. {why}"  # type: ignore[index]  # looked at above
        # written first: what is done then stands in the journal, whatever happens meanwhile
        if not self.store.close(number, act, text, self.host.clock.now()):
            raise ReportRefused("Another moderator has dealt with it.")
        if act == "strike" and person:
            self.store.strike(person.id, f"Player {secrets.randbelow(9000) + 1000}")
        elif act == "unlist" and report.game is not None:
            self.store.unlist(report.game)
        elif act == "close" and person:
            ways = self.host.store.persons.ways(person.id)
            self.store.close_ways([keys.digest(way.identifier) for way in ways if way.kind in ("mail", "provider")])
            self.host.get_up(person.id)
            self.accounts.delete(person)

    def _require(self, person: str) -> None:
        if not self.is_moderator(person):
            raise NotYours("This is for the moderators of this server.")

    def _waiting(self, report: Report, moderator: str) -> Waiting:
        barred = moderator == report.about or (report.game is not None and report.game in self._games(moderator))
        found = self.host.store.persons.find(report.about) if report.about else None
        name = found.name if found else "somebody who left"
        if report.game is not None and self.host.games.hosted(report.game).names_hidden:
            name = SOMEBODY  # what a moderator does concerns him all the same
        return Waiting(report, name, () if barred else report.letters, barred)

    def _games(self, person: str) -> Mapping[str, object]:
        return {game.id: game for game in self.host.store.persons.games(person)}


def _sentence(text: str, what: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise ReportRefused(f"The {what} is empty; write it in a sentence.")
    if len(text) > LONGEST:
        raise ReportRefused(f"The {what} has {len(text)} characters; write at most {LONGEST}.")
    return text
