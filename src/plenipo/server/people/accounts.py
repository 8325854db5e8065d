"""Accounts: guests, how they claim what they play, sign in again, and leave nothing behind.

A guest is a person with a session and a name. A mail address, recovery words, a device or an account elsewhere make
him come back. There are no passwords; of sessions, codes and words the store has digests only.
"""

import hmac
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache

from mnemonic import Mnemonic
from sqlalchemy.exc import IntegrityError

from plenipo.server import keys
from plenipo.server.clock import Clock
from plenipo.server.errors import CodeRefused, SeatRefused
from plenipo.server.hosting.seating import name_of
from plenipo.server.limits import Limit
from plenipo.server.seats import LEFT
from plenipo.server.store import HERE, Json, StoredPost
from plenipo.server.store.persons import (
    GameOfPerson,
    Persons,
    StoredCode,
    StoredPerson,
    StoredSession,
    Way,
)

__all__ = ["Account", "Accounts", "SignedIn"]

CODE_LASTS = timedelta(minutes=15)
"""How long a mailed code can be used."""

MOST_TRIES = 5
"""How often a code may be typed wrongly."""

MOST_CODES = 3
"""How many codes an hour one mail address is sent."""

MOST_ASKED = 20
"""How many codes an hour one network may ask for."""

FRESH = timedelta(hours=1)
"""For how long after signing in another way to sign in may be added or taken away."""

NOT_FRESH = "You signed in more than an hour ago; sign in once more, and then change this."

MOST_WAYS = 20
"""How many devices and accounts elsewhere somebody can sign in with."""

LONGEST_NAME = 40

MOST_WORDS = 30
"""How often an hour one network may try recovery words."""

WORDS = 8
"""How many recovery words there are, of 2,048 each."""

MAIL = re.compile(r"[^@\s<>,;:\"()\[\]\\]{1,64}@[^@\s<>,;:\"()\[\]\\/]+\.[^@\s<>,;:\"()\[\]\\/.]{2,}")
"""A mail address as people have them; whether it is somebody's only a mail tells."""

LONGEST_MAIL = 254


@dataclass(frozen=True)
class SignedIn:
    """Somebody who was just signed in: who it is and the token of his browser, said this once."""

    person: StoredPerson
    token: str


@dataclass(frozen=True)
class Account:
    """What somebody is shown of himself: the ways to sign in, and the browsers in which he is."""

    person: StoredPerson
    ways: tuple[Way, ...]
    sessions: tuple[StoredSession, ...]
    here: str
    """The digest of the session that asks."""

    @property
    def mail(self) -> str:
        """The mail address, empty if there is none."""
        return next((way.identifier for way in self.ways if way.kind == "mail"), "")

    @property
    def words(self) -> bool:
        """Whether there are recovery words."""
        return any(way.kind == "words" for way in self.ways)

    @property
    def named(self) -> tuple[Way, ...]:
        """The devices and the accounts elsewhere that one signs in with."""
        return tuple(way for way in self.ways if way.kind not in ("mail", "words"))


class Accounts:
    """The people of one store; safe to use from several threads."""

    def __init__(self, persons: Persons, clock: Clock) -> None:
        self.persons, self.clock = persons, clock
        self.closed: Callable[[str], bool] = lambda _digest: False
        """Whether the moderators closed the account of a way to sign in, by its SHA-256."""
        hour = timedelta(hours=1)
        self._by_mail = Limit("codes were sent", MOST_CODES, hour, clock, place="to one mail address")
        self._by_network = Limit("codes were asked for", MOST_ASKED, hour, clock)
        self._words = Limit("words were tried", MOST_WORDS, hour, clock)

    # Who somebody is

    def guest(self, name: str, device: str = "") -> SignedIn:
        """A new person with a name, signed in in this browser; raises `SeatRefused` for a name that deceives."""
        now = self.clock.now()
        person = StoredPerson(secrets.token_hex(10), name_of(name), now)
        token = keys.token()
        self.persons.add(person, self._session(person.id, token, device))
        return SignedIn(person, token)

    def of(self, token: str) -> StoredPerson | None:
        """Who is signed in with this token."""
        return self.persons.of_session(keys.digest(token), self.clock.now()) if token else None

    def account(self, person: StoredPerson, token: str) -> Account:
        """What somebody is shown of himself."""
        return Account(person, self.persons.ways(person.id), self.persons.sessions(person.id), keys.digest(token))

    def rename(self, person: StoredPerson, name: str) -> None:
        """Call somebody otherwise from now on; names in games that go on stay. Raises `SeatRefused`."""
        self.persons.rename(person.id, name_of(name))

    def games(self, person: StoredPerson) -> tuple[GameOfPerson, ...]:
        """The games somebody plays or keeps."""
        return self.persons.games(person.id)

    # Signing in by mail

    def send_code(self, mail: str, network: str = "") -> str:
        """Mail a code and a link; what the browser that asked must show with the code.

        The same answer whether or not somebody signs in with this address. Raises `CodeRefused` for what is not an
        address, and `TooOften`.
        """
        address = mail.strip().casefold()
        if len(address) > LONGEST_MAIL or not MAIL.fullmatch(address):
            raise CodeRefused(f"'{mail.strip()[:80]}' is not a mail address; it looks like anna@example.org.")
        self._by_network.take(network)
        self._by_mail.take(address)
        asked, link, digits = keys.token(), keys.token(), f"{secrets.randbelow(10**6):06}"
        now = self.clock.now()
        code = StoredCode(keys.digest(asked), keys.digest(link), keys.digest(asked + digits), address, now + CODE_LASTS)
        body = (
            f"Your code is {digits}. Type it on the page that asked for it, within 15 minutes.\n\n"
            f"Or open this page in the browser in which you want to sign in:\n{HERE}/sign-in/{link}\n\n"
            "If you did not ask for this, do nothing: without the code nobody signs in.\n"
        )
        post = StoredPost(secrets.token_hex(16), address, f"{digits} is your code for Plenipo", body)
        self.persons.ask(code, post, now)
        return asked

    def confirm(
        self, asked: str, digits: str, person: StoredPerson | None, device: str = "", *, fresh: bool = True
    ) -> SignedIn:
        """Sign in with the code that this browser asked for; raises `CodeRefused`.

        Who is a guest here claims what he plays: he becomes the person of this address. Who is not, and did not sign
        in lately (`fresh`), is given no new address.
        """
        code = self.persons.code(asked=keys.digest(asked))
        typed = "".join(digits.split())
        late = code is None or code.expires <= self.clock.now()
        if code is None or late or not self.persons.count_try(code, MOST_TRIES):
            raise CodeRefused("The code can no longer be used; ask for a new one.")
        if not hmac.compare_digest(code.code, keys.digest(asked + typed)):
            left = MOST_TRIES - code.tries - 1
            more = f"it can be tried {left} more times." if left > 1 else "try once more, or ask for a new one."
            raise CodeRefused(f"'{typed[:12]}' is not the code; {more}" if left else "That was not the code; ask anew.")
        return self._by_address(code, person, device, fresh=fresh)

    def link_is_good(self, link: str) -> bool:
        """Whether a link of a mail can still be used; asking spends nothing."""
        code = self.persons.code(link=keys.digest(link))
        return code is not None and code.expires > self.clock.now() and code.tries < MOST_TRIES

    def follow(self, link: str, person: StoredPerson | None, device: str = "", *, fresh: bool = True) -> SignedIn:
        """Sign in with the link of a mail, in the browser that opened it, as `confirm` does; raises `CodeRefused`."""
        code = self.persons.code(link=keys.digest(link))
        if code is None or code.expires <= self.clock.now() or code.tries >= MOST_TRIES:
            raise CodeRefused("The link can no longer be used; ask for a new one.")
        return self._by_address(code, person, device, fresh=fresh)

    def _by_address(self, code: StoredCode, person: StoredPerson | None, device: str, *, fresh: bool) -> SignedIn:
        if not self.persons.spend(code):
            raise CodeRefused("The code has been used already; ask for a new one.")
        if self.closed(keys.digest(code.mail)):
            raise CodeRefused("The moderators of this server closed the account of this address.")
        owner = self.persons.owner("mail", code.mail)
        if owner is None:
            if not fresh:
                raise CodeRefused(NOT_FRESH)
            if person is None:
                person = self.guest(_name_of(code.mail), device).person
            self.persons.add_way(Way("mail", code.mail, person.id, self.clock.now()), instead=True)
            return self._signed_in(person, device)
        return self.enter(owner, person, device)

    def enter(self, owner: str, guest: StoredPerson | None, device: str) -> SignedIn:
        """Sign in as somebody, who was looked at; what a guest of this browser plays becomes his."""
        if guest is not None and guest.id != owner and not self.persons.ways(guest.id):
            self.persons.merge(guest.id, owner)
        person = self.persons.find(owner)
        if person is None:
            raise CodeRefused("Whoever signed in like this has left.")
        return self._signed_in(person, device)

    # Signing in by words

    def new_words(self, person: StoredPerson) -> str:
        """New recovery words, said this once; older ones no longer count."""
        words = " ".join(secrets.choice(_all_words()) for _ in range(WORDS))
        self.persons.add_way(Way("words", keys.digest(words), person.id, self.clock.now()), instead=True)
        return words

    def by_words(self, words: str, person: StoredPerson | None, network: str = "", device: str = "") -> SignedIn:
        """Sign in with recovery words; raises `CodeRefused` and `TooOften`."""
        self._words.take(network)
        plain = " ".join(words.casefold().split())
        owner = self.persons.owner("words", keys.digest(plain))
        if owner is None:
            raise CodeRefused("Nobody has these words; write all eight in their order.")
        return self.enter(owner, person, device)

    # Browsers

    def sign_out(self, person: StoredPerson, digest: str) -> None:
        """Sign somebody out in one browser."""
        self.persons.sign_out(person.id, [digest])

    def sign_out_elsewhere(self, person: StoredPerson, token: str) -> None:
        """Sign somebody out in all browsers but this one."""
        here = keys.digest(token)
        others = [session.digest for session in self.persons.sessions(person.id) if session.digest != here]
        self.persons.sign_out(person.id, others)

    def _signed_in(self, person: StoredPerson, device: str) -> SignedIn:
        token = keys.token()
        self.persons.sign_in(self._session(person.id, token, device))
        return SignedIn(person, token)

    def _session(self, person: str, token: str, device: str) -> StoredSession:
        now = self.clock.now()
        return StoredSession(keys.digest(token), person, device[:200], now, now)

    # All and nothing

    def remove_way(self, person: StoredPerson, kind: str, identifier: str) -> None:
        """Let somebody no longer sign in in a way; raises `CodeRefused` where he could never come back without."""
        ways = self.persons.ways(person.id)
        if all((way.kind, way.identifier) == (kind, identifier) for way in ways):
            raise CodeRefused("Without this you could not sign in again; make recovery words first.")
        self.persons.remove_way(person.id, kind, identifier)

    def add_way(self, way: Way) -> None:
        """Let somebody sign in in one more way; raises `CodeRefused` where somebody does already, or with too many."""
        if len(self.persons.ways(way.person)) >= MOST_WAYS:
            raise CodeRefused(f"You can sign in in {MOST_WAYS} ways; remove one that you do not use.")
        try:
            self.persons.add_way(replace(way, name=" ".join(way.name.split())[:LONGEST_NAME]))
        except IntegrityError as fault:
            raise CodeRefused("Somebody signs in with this here already.") from fault

    def is_fresh(self, person: StoredPerson | None, token: str) -> bool:
        """Whether somebody signed in lately enough to change how he signs in; a guest never did, and may."""
        if person is None or not self.persons.ways(person.id):
            return True
        here = keys.digest(token)
        since = next((one.created for one in self.persons.sessions(person.id) if one.digest == here), None)
        return since is not None and self.clock.now() - since < FRESH

    def require_fresh(self, person: StoredPerson, token: str) -> None:
        """Raise `CodeRefused` if somebody signed in too long ago to change how he signs in."""
        if not self.is_fresh(person, token):
            raise CodeRefused(NOT_FRESH)

    def everything(self, person: StoredPerson) -> Json:
        """All that is kept of somebody."""
        return self.persons.everything(person.id)

    def delete(self, person: StoredPerson) -> None:
        """Leave nothing of somebody; what he ordered stays with the seats."""
        self.persons.delete(person.id, LEFT)


def _name_of(mail: str) -> str:
    """A name for who signs in before he has ever been called anything."""
    try:
        return name_of(mail.partition("@")[0][:40])
    except SeatRefused:
        return "Somebody"


@cache
def _all_words() -> tuple[str, ...]:
    return tuple(Mnemonic("english").wordlist)
