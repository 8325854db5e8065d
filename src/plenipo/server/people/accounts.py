"""Accounts: guests, how they claim what they play, sign in again, and leave nothing behind.

A guest is a person with a session and a name. A mail address, recovery words, a device or an account elsewhere make
him come back. There are no passwords; of sessions, codes and words the store has digests only.
"""

import hmac
import re
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache

from mnemonic import Mnemonic
from sqlalchemy.exc import IntegrityError

from plenipo import library
from plenipo.server import keys
from plenipo.server.clock import Clock
from plenipo.server.errors import CodeRefused, SeatRefused
from plenipo.server.hosting.names import LEFT, LONGEST, name_of
from plenipo.server.limits import Limits
from plenipo.server.store import HERE, Json, StoredPost
from plenipo.server.store.counters import Counters
from plenipo.server.store.persons import (
    GameOfPerson,
    Merge,
    NewPerson,
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

FRESH = timedelta(hours=1)
"""For how long after signing in another way to sign in may be added or taken away."""

NOT_FRESH = "You signed in more than an hour ago; sign in once more, and then change this."

MOST_WAYS = 20
"""How many devices and accounts elsewhere somebody can sign in with."""

LONGEST_NAME = 40

UNDO_WITHIN = timedelta(days=1)
"""How long it can be undone that the seats of a guest went to a person."""

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
    undo: str = ""
    """The token by which this browser can give the seats of its guest back, empty if none were moved."""


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

    def __init__(self, persons: Persons, clock: Clock, limits: Limits | None = None) -> None:
        self.persons, self.clock = persons, clock
        self.limits = limits or Limits(Counters(persons.engine), clock)
        self.closed: Callable[[str], bool] = lambda _digest: False
        """Whether the moderators closed the account of a way to sign in, by its SHA-256."""
        self.banned: Callable[[str], bool] = lambda _person: False
        """Whether moderators banned an account."""
        self.reserved: Callable[[], Collection[str]] = shipped_powers
        """The names that no account may have besides those of offices: the powers of the variants that come along."""

    # Who somebody is

    def guest(self, name: str, device: str = "") -> SignedIn:
        """Keep a new person with a name, signed in in this browser; raises `SeatRefused` for a name that deceives."""
        newcomer, token = self.new_guest(name, device)
        self.persons.add(*newcomer)
        return SignedIn(newcomer.person, token)

    def new_guest(self, name: str, device: str = "", network: str = "") -> tuple[NewPerson, str]:
        """Return a new person with a name, to be kept with their first seat, and the token of their session.

        Raises `SeatRefused` for a name that deceives, and `TooOften`.
        """
        self.limits.take("guests", network=network)
        person, token = StoredPerson(secrets.token_hex(10), self.name_of(name), self.clock.now()), keys.token()
        return NewPerson(person, self._session(person.id, token, device)), token

    def name_of(self, text: str) -> str:
        """Return a name as an account may have it; raises `SeatRefused` for one that deceives."""
        return name_of(text, self.reserved())

    def name_or_somebody(self, text: str) -> str:
        """Return a name for a person who has not chosen one yet: the one that is known from elsewhere, if it can be."""
        try:
            return self.name_of(text[:LONGEST])
        except SeatRefused:
            return "Somebody"

    def of(self, token: str) -> StoredPerson | None:
        """Who is signed in with this token."""
        return self.persons.of_session(keys.digest(token), self.clock.now()) if token else None

    def account(self, person: StoredPerson, token: str) -> Account:
        """What somebody is shown of himself."""
        return Account(person, self.persons.ways(person.id), self.persons.sessions(person.id), keys.digest(token))

    def rename(self, person: StoredPerson, name: str) -> None:
        """Call somebody otherwise from now on; names in games that go on stay. Raises `SeatRefused`."""
        self.persons.rename(person.id, self.name_of(name))

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
        self.limits.take("codes", network=network)
        self.limits.take("mailed codes", mail=address)
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

        A guest of this browser becomes the person of the address. Somebody who is signed in with an account, and did
        not sign in lately (`fresh`), is given no new address.
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

    def code_of_link(self, link: str, asked: str = "") -> tuple[str, bool] | None:
        """Return the address that a mailed link signs in, and whether the browser with `asked` asked for the link.

        None if the link can no longer be used. Nothing is spent.
        """
        code = self.persons.code(link=keys.digest(link))
        if code is None or code.expires <= self.clock.now() or code.tries >= MOST_TRIES:
            return None
        return code.mail, hmac.compare_digest(code.asked, keys.digest(asked))

    def follow(
        self, link: str, person: StoredPerson | None, device: str = "", *, asked: str = "", fresh: bool = True
    ) -> SignedIn:
        """Sign in with the link of a mail, in the browser that opened it; raise `CodeRefused`.

        Only in the browser that asked for it (`asked`) the person there gets the address, or gives up the seats of a
        guest, as `confirm` has it. In another the link signs in the owner of the address and nothing more, and is
        refused where a guest would lose seats: whoever sent the link on would have them otherwise.
        """
        code = self.persons.code(link=keys.digest(link))
        if code is None or code.expires <= self.clock.now() or code.tries >= MOST_TRIES:
            raise CodeRefused("The link can no longer be used; ask for a new one.")
        if hmac.compare_digest(code.asked, keys.digest(asked)):
            return self._by_address(code, person, device, fresh=fresh)
        if self.guest_games(person):
            raise CodeRefused(
                "You play here as a guest, and this link was asked for in another browser; open it there, "
                "or ask for a code here."
            )
        return self._by_address(code, None, device, fresh=True)

    def guest_games(self, person: StoredPerson | None) -> tuple[str, ...]:
        """Return the names of the games of a guest, who has no sign-in method; none for anybody else."""
        if person is None or self.persons.ways(person.id):
            return ()
        return tuple({game.id: game.name for game in self.persons.games(person.id)}.values())

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
                person = self.guest(self.name_or_somebody(code.mail.partition("@")[0]), device).person
            self.persons.add_way(Way("mail", code.mail, person.id, self.clock.now()), instead=True)
            return self._signed_in(person, device)
        return self.enter(owner, person, device)

    def enter(self, owner: str, guest: StoredPerson | None, device: str) -> SignedIn:
        """Sign in as somebody whose identity was checked; the seats of a guest of this browser go to that person."""
        person = self.persons.find(owner)
        if person is None:
            raise CodeRefused("The account that this signs in was deleted.")
        undo = ""
        banned = guest is not None and self.banned(guest.id)  # the seats of a banned guest stay where the ban is
        if guest is not None and guest.id != owner and not banned and not self.persons.ways(guest.id):
            undo = keys.token()
            self.persons.merge(guest, owner, keys.digest(undo), self.clock.now() + UNDO_WITHIN)
        return replace(self._signed_in(person, device), undo=undo)

    def merge_of(self, undo: str) -> Merge | None:
        """Return the merge that a browser can still undo."""
        return self.persons.merge_of(keys.digest(undo), self.clock.now()) if undo else None

    def undo_merge(self, undo: str, device: str = "") -> SignedIn:
        """Give a guest of this browser their seats back, and sign the guest in; raises `CodeRefused`."""
        merge, token = self.merge_of(undo), keys.token()
        if merge is not None:
            session = self._session(merge.guest.id, token, device)
            if self.persons.undo_merge(keys.digest(undo), merge, session):
                return SignedIn(merge.guest, token)
        raise CodeRefused("This can no longer be undone.")

    # Signing in by words

    def new_words(self, person: StoredPerson) -> str:
        """New recovery words, said this once; older ones no longer count."""
        words = " ".join(secrets.choice(_all_words()) for _ in range(WORDS))
        self.persons.add_way(Way("words", keys.digest(words), person.id, self.clock.now()), instead=True)
        return words

    def by_words(self, words: str, person: StoredPerson | None, network: str = "", device: str = "") -> SignedIn:
        """Sign in with recovery words; raises `CodeRefused` and `TooOften`."""
        self.limits.take("words", network=network)
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


@cache
def shipped_powers() -> frozenset[str]:
    """Return the names of the powers of all variants that come with the program, or with packages installed with it."""
    variants = map(library.read, (*library.names(), *library.bank()))
    return frozenset(power.name for variant in variants for power in variant.powers)


@cache
def _all_words() -> tuple[str, ...]:
    return tuple(Mnemonic("english").wordlist)
