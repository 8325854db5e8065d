"""Passkeys: signing in with a device, which proves with its own key its presence and its user.

A challenge is used once and is valid for some minutes. A device answers for one origin alone,
so that no other page can use its answer (Web Authentication, sections 7.1 and 7.2). A failure does not reveal
whether an account exists: whatever is wrong with a signature, the refusal is the same.
"""

import json
import secrets
from hashlib import sha256

from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import (
    bytes_to_base64url,
    options_to_json,
    parse_authentication_credential_json,
    parse_client_data_json,
    parse_registration_credential_json,
)
from webauthn.helpers.cose import COSEAlgorithmIdentifier
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from plenipo.engine.sentences import SentenceKind
from plenipo.server.errors import CodeRefused
from plenipo.server.people.accounts import Accounts, SignedIn
from plenipo.server.people.origins import Origin
from plenipo.server.store import Json
from plenipo.server.store.challenges import LASTS, Challenge, Challenges
from plenipo.server.store.persons import SignInMethod, StoredPerson

__all__ = ["PASSKEY", "Passkeys"]

_PASSKEY_UNUSABLE = SentenceKind("server-passkey-unusable", "This device cannot be used as a passkey here.")
_PASSKEY_OTHER_PERSON = SentenceKind(
    "server-passkey-other-person", "Another account was asked for in this browser; try again."
)

PASSKEY = "passkey"
"""The kind of this sign-in method."""

SIGNED = [
    COSEAlgorithmIdentifier.ECDSA_SHA_256,
    COSEAlgorithmIdentifier.EDDSA,
    COSEAlgorithmIdentifier.RSASSA_PKCS1_v1_5_SHA_256,
]
"""The accepted signature algorithms."""

UNREADABLE = SentenceKind("server-passkey-unreadable", "The browser sent an invalid passkey; try again.")()
LATE = SentenceKind("server-passkey-late", "This passkey request has expired or was already answered; try again.")()
UNKNOWN = SentenceKind("server-passkey-unknown", "This passkey is not known here; use another sign-in method.")()
"""The refusal of every invalid signature."""


class Passkeys:
    """The passkeys of one store; safe to use from several threads."""

    def __init__(self, accounts: Accounts, challenges: Challenges) -> None:
        self.accounts, self.challenges = accounts, challenges

    # Adding a device

    def ask_new(self, person: StoredPerson, place: Origin) -> Json:
        """Return the options with which a browser creates a passkey for a person."""
        options = generate_registration_options(
            rp_id=place.name,
            rp_name="Plenipo",
            user_id=person.id.encode(),
            user_name=person.name,
            challenge=self._ask("new", person.id),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
            ),
            supported_pub_key_algs=SIGNED,
        )
        made: Json = json.loads(options_to_json(options))
        return made

    def add(self, person: StoredPerson, answer: Json, name: str, place: Origin) -> None:
        """Add the device that answers as a sign-in method; raise `CodeRefused`."""
        try:
            shown = parse_registration_credential_json(answer)
            challenge = parse_client_data_json(shown.response.client_data_json).challenge
        except Exception as fault:  # an invalid answer may raise anything in the library; it is no fault of the server
            raise CodeRefused(UNREADABLE) from fault
        asked = self._take(challenge, "new")
        try:
            made = verify_registration_response(
                credential=shown,
                expected_challenge=challenge,
                expected_rp_id=place.name,
                expected_origin=place.origin,
                require_user_verification=True,
                supported_pub_key_algs=SIGNED,
            )
        except Exception as fault:  # the same
            raise CodeRefused(_PASSKEY_UNUSABLE()) from fault
        if asked.person != person.id:
            raise CodeRefused(_PASSKEY_OTHER_PERSON())
        now = self.accounts.clock.now()
        identifier, key = sha256(made.credential_id).hexdigest(), bytes_to_base64url(made.credential_public_key)
        way = SignInMethod(PASSKEY, identifier, person.id, now, name or "A device", key, made.sign_count)
        self.accounts.add_way(way)

    # Signing in

    def ask(self, place: Origin) -> Json:
        """Return the options with which a browser signs in by any passkey for this origin."""
        options = generate_authentication_options(
            rp_id=place.name, challenge=self._ask("enter", None), user_verification=UserVerificationRequirement.REQUIRED
        )
        made: Json = json.loads(options_to_json(options))
        return made

    def enter(self, answer: Json, guest: StoredPerson | None, place: Origin, device: str = "") -> SignedIn:
        """Sign in the owner of the passkey that answers; raise `CodeRefused`, in the same words for an unknown one."""
        try:
            shown = parse_authentication_credential_json(answer)
            challenge = parse_client_data_json(shown.response.client_data_json).challenge
        except Exception as fault:  # an invalid answer may raise anything in the library; it is no fault of the server
            raise CodeRefused(UNREADABLE) from fault
        self._take(challenge, "enter")
        way = self.accounts.persons.way(PASSKEY, sha256(shown.raw_id).hexdigest())
        if way is None or shown.response.user_handle != way.person.encode():
            raise CodeRefused(UNKNOWN)
        try:
            good = verify_authentication_response(
                credential=shown,
                expected_challenge=challenge,
                expected_rp_id=place.name,
                expected_origin=place.origin,
                credential_public_key=base64url_to_bytes(way.key),
                credential_current_sign_count=way.counter,
                require_user_verification=True,
            )
        except Exception as fault:  # the same
            raise CodeRefused(UNKNOWN) from fault
        if not self.accounts.persons.use_way(way, good.new_sign_count, self.accounts.clock.now()):
            raise CodeRefused(UNKNOWN)
        return self.accounts.enter(way.person, guest, device)

    def _ask(self, kind: str, person: str | None) -> bytes:
        challenge, now = secrets.token_bytes(32), self.accounts.clock.now()
        self.challenges.ask(Challenge(sha256(challenge).hexdigest(), kind, person, "", now + LASTS), now)
        return challenge

    def _take(self, challenge: bytes, kind: str) -> Challenge:
        found = self.challenges.take(sha256(challenge).hexdigest(), kind, self.accounts.clock.now())
        if found is None:
            raise CodeRefused(LATE)
        return found
