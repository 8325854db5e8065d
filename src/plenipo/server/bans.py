"""Bans of accounts and networks from changing anything on this server, with their ends and appeals."""

import hashlib
import hmac
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_network
from secrets import token_hex

from plenipo.engine.sentences import Quoted, Sentence, SentenceKind
from plenipo.server import keys
from plenipo.server.errors import Banned, ReportRefused
from plenipo.server.hosting.joining import join_paragraphs
from plenipo.server.limits import is_this_machine, network_prefix
from plenipo.server.service import GameService
from plenipo.server.store import HERE, StoredPost
from plenipo.server.store.bans import Ban, BanStore
from plenipo.server.store.persons import Persons
from plenipo.server.store.subscriptions import Subscriptions
from plenipo.server.texts import instant_with_year

__all__ = ["LONGEST_APPEAL", "MOST_DAYS", "Bans", "NewBan", "words_of"]

_BAN_LENGTH = SentenceKind("server-ban-length", "A ban cannot last {days} days; write 1 to {most}, or ban for good.")
_ADDRESS_UNREADABLE = SentenceKind(
    "server-address-unreadable", "'{typed}' is not an address; write one like 203.0.113.7 or 2001:db8::1."
)
_NETWORK_TOO_WIDE = SentenceKind(
    "server-network-too-wide", "'{typed}' is too wide; ban one address, or an IPv6 network with /64."
)
_ADDRESS_OWN = SentenceKind("server-address-own", "'{typed}' is this machine itself; name the address of the person.")
_ACCOUNT_UNTIL = SentenceKind("server-ban-account-until", "This account is banned until {instant}: {reason}.")
_ACCOUNT_FOR_GOOD = SentenceKind("server-ban-account-for-good", "This account is banned for good: {reason}.")
_NETWORK_UNTIL = SentenceKind("server-ban-network-until", "This network is banned until {instant}: {reason}.")
_NETWORK_FOR_GOOD = SentenceKind("server-ban-network-for-good", "This network is banned for good: {reason}.")
_BANNED = SentenceKind("server-banned", "{ban} You can appeal once, on the page /appeal.")
_BAN_UNKNOWN = SentenceKind("server-ban-unknown", "You have no such ban; it may have ended.")
_APPEAL_EMPTY = SentenceKind("server-appeal-empty", "The appeal is empty; write why the ban should end.")
_APPEAL_TOO_LONG = SentenceKind("server-appeal-too-long", "The appeal has {number} characters; write at most {most}.")
_APPEAL_REPEATED = SentenceKind(
    "server-appeal-repeated", "You have already appealed against this ban; each ban has one appeal."
)

MOST_DAYS = 3650
"""The most days of a ban that ends."""

LONGEST_APPEAL = 2000
"""The most characters of an appeal."""

OWN_KEY = "networks"
"""The name of the key for the digests of networks."""


@dataclass(frozen=True)
class NewBan:
    """A ban to be made: for a number of days, permanent with None; perhaps also of the account's networks."""

    days: int | None
    networks: bool = False

    def __post_init__(self) -> None:
        if self.days is not None and not 1 <= self.days <= MOST_DAYS:
            raise ReportRefused(_BAN_LENGTH(days=self.days, most=MOST_DAYS))

    def until(self, now: datetime) -> datetime | None:
        """Return when the ban ends automatically, None for a permanent ban."""
        return None if self.days is None else now + timedelta(days=self.days)


class Bans:
    """The bans of one server."""

    def __init__(self, service: GameService) -> None:
        self.service, self.store = service, service.store.of(BanStore)
        self._persons, self._own = service.store.of(Persons), service.store.of(Subscriptions)

    # Digests

    def network(self, address: str) -> str:
        """Return the keyed digest of the network of an address, IPv6 by 64 bits; empty for this machine.

        The key is the server's own, so that an address cannot be found by trying all addresses.
        """
        group = network_prefix(address)
        if not group or is_this_machine(address):
            return ""
        own = self._own.own_key(OWN_KEY, lambda: token_hex(32))
        return hmac.new(bytes.fromhex(own), group.encode(), hashlib.sha256).hexdigest()

    def network_of_text(self, text: str) -> str:
        """Return the digest of a network that a moderator types: an address, or an IPv6 network of 64 bits.

        Raise `ReportRefused` for any other text.
        """
        typed = text.strip()
        try:
            network = ip_network(typed, strict=False)
        except ValueError as fault:
            raise ReportRefused(_ADDRESS_UNREADABLE(typed=typed[:60])) from fault
        if network.prefixlen != network.max_prefixlen and (network.version, network.prefixlen) != (6, 64):
            raise ReportRefused(_NETWORK_TOO_WIDE(typed=typed[:60]))
        digest = self.network(str(network.network_address))
        if not digest:
            raise ReportRefused(_ADDRESS_OWN(typed=typed[:60]))
        return digest

    def marks(self, person: str) -> tuple[str, ...]:
        """Return the digests by which an account is banned: its own, and those of its ways to sign in."""
        ways = self._persons.ways(person)
        return (keys.digest(f"person {person}"), *(keys.digest(f"{way.kind} {way.identifier}") for way in ways))

    def networks(self, person: str) -> tuple[str, ...]:
        """Return the digests of the networks from which a person's sessions last changed something."""
        sessions = self._persons.sessions(person)
        return tuple(dict.fromkeys(session.network for session in sessions if session.network))

    # Active bans

    def active(self, persons: Collection[str], address: str = "") -> tuple[Ban, ...]:
        """Return the active bans of accounts, or of the network of an address."""
        digests = [mark for person in persons for mark in self.marks(person)]
        network = self.network(address) if address else ""
        return self.store.active([*digests, *([network] if network else [])], self.service.clock.now())

    def require_none(self, persons: Collection[str], address: str) -> None:
        """Raise `Banned`, with the reason and the end, if an account or the network of an address is banned."""
        found = self.active(persons, address)
        if found:
            raise Banned(_BANNED(ban=words_of(found[0])))

    def persons_behind(self, game_id: str, tokens: Collection[str]) -> frozenset[str]:
        """Return the accounts whose seats in a game these keys open."""
        found = [self.service.store.key(keys.digest(token)) for token in tokens]
        numbers = {power for game, power in filter(None, found) if game == game_id}
        if not numbers:
            return frozenset()
        tenures = self.service.games.load(game_id).tenures
        return frozenset(one.person for one in tenures if one.person and f"#{one.number}" in numbers)

    def appeal(self, number: int, persons: Collection[str], address: str, text: str) -> None:
        """Store the one appeal against a ban; raise `ReportRefused`."""
        plain = text.strip()
        if number not in {ban.number for ban in self.active(persons, address)}:
            raise ReportRefused(_BAN_UNKNOWN())
        if not plain:
            raise ReportRefused(_APPEAL_EMPTY())
        if len(plain) > LONGEST_APPEAL:
            raise ReportRefused(_APPEAL_TOO_LONG(number=len(plain), most=LONGEST_APPEAL))
        if not self.store.appeal(number, plain, self.service.clock.now()):
            raise ReportRefused(_APPEAL_REPEATED())

    def notify(self, person: str, subject: str, body: str) -> None:
        """Send mail to an account, if it has an address."""
        ways = self._persons.ways(person)
        address = next((way.identifier for way in ways if way.kind == "mail"), "")
        if address:
            self._persons.post(
                StoredPost(token_hex(16), address, subject, join_paragraphs((body, f"{HERE}/appeal\n")), person=person),
                self.service.clock.now(),
            )


def words_of(ban: Ban) -> Sentence:
    """Return the notice to a banned person, with the end and the reason of the ban."""
    reason, account = Quoted(ban.reason.rstrip(".")), ban.kind == "account"
    if ban.until is None:
        return (_ACCOUNT_FOR_GOOD if account else _NETWORK_FOR_GOOD)(reason=reason)
    return (_ACCOUNT_UNTIL if account else _NETWORK_UNTIL)(instant=instant_with_year(ban.until), reason=reason)
