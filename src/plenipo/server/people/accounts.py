"""Accounts: guests, and how they claim their games, sign in again, and delete their data.

A guest is a person with a session and a name. A mail address, recovery words, a device or an external account allow
a person to sign in again. There are no passwords; only digests of sessions, codes and words are stored.
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
from plenipo.engine.sentences import SentenceKind
from plenipo.library import plugins
from plenipo.server import keys
from plenipo.server.clock import Clock
from plenipo.server.errors import CodeRefused, SeatRefused, WrongCode
from plenipo.server.hosting.names import LEFT, LONGEST, name_of
from plenipo.server.limits import Limits
from plenipo.server.store import HERE, Json, StoredPost
from plenipo.server.store.counters import Counters
from plenipo.server.store.notifications import LANGUAGE
from plenipo.server.store.persons import (
    GameOfPerson,
    Merge,
    NewPerson,
    Persons,
    SignInMethod,
    StoredCode,
    StoredPerson,
    StoredSession,
)

__all__ = ["Account", "Accounts", "SignedIn"]

_MAIL_ADDRESS_INVALID = SentenceKind(
    "server-mail-address-invalid", "'{address}' is not an email address; write one like anna@example.org."
)
_CODE_EXPIRED = SentenceKind("server-code-expired", "The code has expired; ask for a new one.")
_CODE_SUBJECT = SentenceKind("server-code-subject", "{code} is your code for Plenipo")
_CODE_MAIL = SentenceKind(
    "server-code-mail",
    "Your code is {code}. Type it on the page that asked for it, within 15 minutes.\n\n"
    "Or open this page in the browser in which you want to sign in:\n{address}\n\n"
    "If you did not ask for this, do nothing: without the code nobody signs in.\n",
)
_LINK_EXPIRED = SentenceKind("server-link-expired", "The link has expired; ask for a new one.")
_LINK_OTHER_BROWSER = SentenceKind(
    "server-link-other-browser",
    "You play here as a guest, and this link was requested in another browser; open it there, or ask for a code here.",
)
_CODE_USED = SentenceKind("server-code-used", "The code was already used; ask for a new one.")
_ACCOUNT_CLOSED_OF_ADDRESS = SentenceKind(
    "server-account-closed-of-address", "The moderators of this server closed the account of this address."
)
_ACCOUNT_DELETED = SentenceKind("server-account-deleted", "The account of this sign-in method was deleted.")
_MERGE_FINAL = SentenceKind("server-merge-final", "It is too late to undo this.")
_WORDS_UNKNOWN = SentenceKind("server-words-unknown", "These recovery words are not known; write all eight in order.")
_SIGN_IN_METHOD_LAST = SentenceKind(
    "server-sign-in-method-last", "This is your last sign-in method; make recovery words first."
)
_SIGN_IN_METHODS_MANY = SentenceKind(
    "server-sign-in-methods-many", "You have {most} sign-in methods, the most allowed; remove one that you do not use."
)
_SIGN_IN_METHOD_TAKEN = SentenceKind(
    "server-sign-in-method-taken", "Another account here already uses this sign-in method."
)

CODE_LASTS = timedelta(minutes=15)
"""The lifetime of a mailed code."""

MOST_TRIES = 5
"""The most wrong tries for a code."""

FRESH = timedelta(hours=1)
"""The time after signing in during which sign-in methods may be added or removed."""

_CODE_WRONG = SentenceKind(
    "server-code-wrong",
    "'{code}' is not the code; try once more, or ask for a new one.",
    "'{code}' is not the code; it can be tried {left} more times.",
    count="left",
)
_CODE_WRONG_LAST = SentenceKind("server-code-wrong-last", "That was not the code; ask for a new one.")

NOT_FRESH = SentenceKind("server-sign-in-old", "You signed in more than an hour ago; sign in again to change this.")()

MOST_WAYS = 20
"""The most devices and external accounts of a person."""

LONGEST_NAME = 40

UNDO_WITHIN = timedelta(days=1)
"""The time within which the move of a guest's seats to a person can be undone."""

WORDS = 8
"""The number of recovery words, of 2,048 each."""

MAIL = re.compile(r"[^@\s<>,;:\"()\[\]\\]{1,64}@[^@\s<>,;:\"()\[\]\\/]+\.[^@\s<>,;:\"()\[\]\\/.]{2,}")
"""A plausible mail address; only a mail shows whether it has an owner."""

LONGEST_MAIL = 254


@dataclass(frozen=True)
class SignedIn:
    """A person who has just signed in: the person and the token of the session, which is not stored."""

    person: StoredPerson
    token: str
    undo: str = ""
    """The token by which this browser can give the seats of its guest back, empty if none were moved."""


@dataclass(frozen=True)
class Account:
    """A person's own account: the sign-in methods and the sessions."""

    person: StoredPerson
    ways: tuple[SignInMethod, ...]
    sessions: tuple[StoredSession, ...]
    here: str
    """The digest of the session of this request."""

    @property
    def mail(self) -> str:
        """The mail address, empty if there is none."""
        return next((way.identifier for way in self.ways if way.kind == "mail"), "")

    @property
    def words(self) -> bool:
        """True if there are recovery words."""
        return any(way.kind == "words" for way in self.ways)

    @property
    def devices_and_accounts(self) -> tuple[SignInMethod, ...]:
        """The devices and external accounts of the person."""
        return tuple(way for way in self.ways if way.kind not in ("mail", "words"))


class Accounts:
    """The people of one store; safe to use from several threads."""

    def __init__(self, persons: Persons, clock: Clock, limits: Limits | None = None) -> None:
        self.persons, self.clock = persons, clock
        self.limits = limits or Limits(Counters(persons.engine), clock)
        self.closed: Callable[[str], bool] = lambda _digest: False
        """The function that tells if moderators closed a sign-in method, given its SHA-256."""
        self.banned: Callable[[str], bool] = lambda _person: False
        """The function that tells if moderators banned an account, given its id."""
        self.reserved: Callable[[], Collection[str]] = shipped_powers
        """The names that accounts cannot have, in addition to those of offices: the powers of the shipped variants."""

    # Identity

    def guest(self, name: str, device: str = "") -> SignedIn:
        """Store a new person with a name, signed in in this browser; raise `SeatRefused` for a deceptive name."""
        newcomer, token = self.new_guest(name, device)
        self.persons.add(*newcomer)
        return SignedIn(newcomer.person, token)

    def new_guest(self, name: str, device: str = "", network: str = "") -> tuple[NewPerson, str]:
        """Return a new person with a name, to be stored with their first seat, and the token of their session.

        Raise `SeatRefused` for a deceptive name, and `TooOften`.
        """
        self.limits.take("guests", network=network)
        person, token = StoredPerson(secrets.token_hex(10), self.name_of(name), self.clock.now()), keys.token()
        return NewPerson(person, self._session(person.id, token, device)), token

    def name_of(self, text: str) -> str:
        """Return a name as an account may have it; raise `SeatRefused` for a deceptive one."""
        return name_of(text, self.reserved())

    def name_or_somebody(self, text: str) -> str:
        """Return a name for a person who has not chosen one: the external one if it is allowed."""
        try:
            return self.name_of(text[:LONGEST])
        except SeatRefused:
            return "Somebody"

    def of(self, token: str) -> StoredPerson | None:
        """Return the person signed in with this token, None if there is none."""
        return self.persons.of_session(keys.digest(token), self.clock.now()) if token else None

    def account(self, person: StoredPerson, token: str) -> Account:
        """Return a person's own account."""
        return Account(person, self.persons.ways(person.id), self.persons.sessions(person.id), keys.digest(token))

    def rename(self, person: StoredPerson, name: str) -> None:
        """Rename a person; names in running games stay. Raise `SeatRefused`."""
        self.persons.rename(person.id, self.name_of(name))

    def games(self, person: StoredPerson) -> tuple[GameOfPerson, ...]:
        """Return the games that a person plays or hosts."""
        return self.persons.games(person.id)

    # Signing in by mail

    def send_code(self, mail: str, network: str = "", language: str = "") -> str:
        """Mail a code and a link in a language; return the secret that the browser must show with the code.

        The result is the same whether or not the address has an account. Raise `CodeRefused` for an invalid
        address, and `TooOften`.
        """
        address = mail.strip().casefold()
        if len(address) > LONGEST_MAIL or not MAIL.fullmatch(address):
            raise CodeRefused(_MAIL_ADDRESS_INVALID(address=mail.strip()[:80]))
        self.limits.take("codes", network=network)
        self.limits.take("mailed codes", mail=address)
        asked, link, digits = keys.token(), keys.token(), f"{secrets.randbelow(10**6):06}"
        now = self.clock.now()
        code = StoredCode(keys.digest(asked), keys.digest(link), keys.digest(asked + digits), address, now + CODE_LASTS)
        body = _CODE_MAIL(code=digits, address=f"{HERE}/sign-in/{link}")
        subject, headers = _CODE_SUBJECT(code=digits), {LANGUAGE: language}
        post = StoredPost(secrets.token_hex(16), address, subject, body, headers=headers)
        self.persons.ask(code, post, now)
        return asked

    def confirm(
        self, asked: str, digits: str, person: StoredPerson | None, device: str = "", *, fresh: bool = True
    ) -> SignedIn:
        """Sign in with the code that this browser requested; raise `CodeRefused`.

        A guest of this browser becomes the owner of the address. A person who is signed in with an account, and did
        not sign in recently (`fresh`), is given no new address.
        """
        code = self.persons.code(asked=keys.digest(asked))
        typed = "".join(digits.split())
        late = code is None or code.expires <= self.clock.now()
        if code is None or late or not self.persons.count_try(code, MOST_TRIES):
            raise CodeRefused(_CODE_EXPIRED())
        if not hmac.compare_digest(code.code, keys.digest(asked + typed)):
            left = MOST_TRIES - code.tries - 1
            raise WrongCode(_CODE_WRONG(code=typed[:12], left=left)) if left else CodeRefused(_CODE_WRONG_LAST())
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

        Only in the browser that requested it (`asked`) does the person there get the address, or give up the seats of a
        guest, as in `confirm`. In another the link signs in the owner of the address and nothing more, and is
        refused where a guest would lose seats: a person who forwarded the link could take them otherwise.
        """
        code = self.persons.code(link=keys.digest(link))
        if code is None or code.expires <= self.clock.now() or code.tries >= MOST_TRIES:
            raise CodeRefused(_LINK_EXPIRED())
        if hmac.compare_digest(code.asked, keys.digest(asked)):
            return self._by_address(code, person, device, fresh=fresh)
        if self.guest_games(person):
            raise CodeRefused(_LINK_OTHER_BROWSER())
        return self._by_address(code, None, device, fresh=True)

    def guest_games(self, person: StoredPerson | None) -> tuple[str, ...]:
        """Return the names of the games of a guest, who has no sign-in method; none for other people."""
        if person is None or self.persons.ways(person.id):
            return ()
        return tuple({game.id: game.name for game in self.persons.games(person.id)}.values())

    def _by_address(self, code: StoredCode, person: StoredPerson | None, device: str, *, fresh: bool) -> SignedIn:
        if not self.persons.spend(code):
            raise CodeRefused(_CODE_USED())
        if self.closed(keys.digest(code.mail)):
            raise CodeRefused(_ACCOUNT_CLOSED_OF_ADDRESS())
        owner = self.persons.owner("mail", code.mail)
        if owner is None:
            if not fresh:
                raise CodeRefused(NOT_FRESH)
            if person is None:
                person = self.guest(self.name_or_somebody(code.mail.partition("@")[0]), device).person
            self.persons.add_way(SignInMethod("mail", code.mail, person.id, self.clock.now()), instead=True)
            return self._signed_in(person, device)
        return self.enter(owner, person, device)

    def enter(self, owner: str, guest: StoredPerson | None, device: str) -> SignedIn:
        """Sign in as a person whose identity was checked, who gets the seats of a guest of this browser."""
        person = self.persons.find(owner)
        if person is None:
            raise CodeRefused(_ACCOUNT_DELETED())
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
        """Give a guest of this browser their seats back, and sign the guest in; raise `CodeRefused`."""
        merge, token = self.merge_of(undo), keys.token()
        if merge is not None:
            session = self._session(merge.guest.id, token, device)
            if self.persons.undo_merge(keys.digest(undo), merge, session):
                return SignedIn(merge.guest, token)
        raise CodeRefused(_MERGE_FINAL())

    # Signing in by words

    def new_words(self, person: StoredPerson) -> str:
        """Create and return new recovery words, which are not stored; older ones are no longer valid."""
        words = " ".join(secrets.choice(_all_words()) for _ in range(WORDS))
        self.persons.add_way(SignInMethod("words", keys.digest(words), person.id, self.clock.now()), instead=True)
        return words

    def by_words(self, words: str, person: StoredPerson | None, network: str = "", device: str = "") -> SignedIn:
        """Sign in with recovery words; raise `CodeRefused` and `TooOften`."""
        self.limits.take("words", network=network)
        plain = " ".join(words.casefold().split())
        owner = self.persons.owner("words", keys.digest(plain))
        if owner is None:
            raise CodeRefused(_WORDS_UNKNOWN())
        return self.enter(owner, person, device)

    # Browsers

    def sign_out(self, person: StoredPerson, digest: str) -> None:
        """Sign a person out in one browser."""
        self.persons.sign_out(person.id, [digest])

    def sign_out_elsewhere(self, person: StoredPerson, token: str) -> None:
        """Sign a person out in all browsers but this one."""
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

    # Data and deletion

    def remove_way(self, person: StoredPerson, kind: str, identifier: str) -> None:
        """Remove a sign-in method; raise `CodeRefused` if the person could not sign in again without it."""
        ways = self.persons.ways(person.id)
        if all((way.kind, way.identifier) == (kind, identifier) for way in ways):
            raise CodeRefused(_SIGN_IN_METHOD_LAST())
        self.persons.remove_way(person.id, kind, identifier)

    def add_way(self, way: SignInMethod) -> None:
        """Add a sign-in method; raise `CodeRefused` if it has an owner already, or the person has too many."""
        if len(self.persons.ways(way.person)) >= MOST_WAYS:
            raise CodeRefused(_SIGN_IN_METHODS_MANY(most=MOST_WAYS))
        try:
            self.persons.add_way(replace(way, name=" ".join(way.name.split())[:LONGEST_NAME]))
        except IntegrityError as fault:
            raise CodeRefused(_SIGN_IN_METHOD_TAKEN()) from fault

    def is_fresh(self, person: StoredPerson | None, token: str) -> bool:
        """Return whether a person signed in recently enough to change sign-in methods; a guest always may."""
        if person is None or not self.persons.ways(person.id):
            return True
        here = keys.digest(token)
        since = next((one.created for one in self.persons.sessions(person.id) if one.digest == here), None)
        return since is not None and self.clock.now() - since < FRESH

    def require_fresh(self, person: StoredPerson, token: str) -> None:
        """Raise `CodeRefused` if a person signed in too long ago to change sign-in methods."""
        if not self.is_fresh(person, token):
            raise CodeRefused(NOT_FRESH)

    def everything(self, person: StoredPerson) -> Json:
        """Return all stored data of a person."""
        return self.persons.everything(person.id)

    def delete(self, person: StoredPerson) -> None:
        """Delete a person; the orders stay with the seats."""
        self.persons.delete(person.id, LEFT)


@cache
def shipped_powers() -> frozenset[str]:
    """Return the names of the powers of all variants that come with the program, or with packages installed with it."""
    variants = map(library.read, (*library.names(), *plugins.shipped_bank()))
    return frozenset(power.name for variant in variants for power in variant.powers)


@cache
def _all_words() -> tuple[str, ...]:
    return tuple(Mnemonic("english").wordlist)
