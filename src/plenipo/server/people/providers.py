"""External accounts: signing in with Discord, or with any OpenID provider that the operator names.

By the authorization code flow with PKCE (RFC 6749, RFC 7636); OpenID claims are signed for this server and for
the one request they answer (OpenID Connect Core, 3.1.3.7). Mail addresses are neither requested nor trusted: the
provider identifies a person by an id of its own, and no account is matched by an address.
"""

import hmac
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import httpx2
from authlib.integrations.httpx_client import OAuth2Client, OAuthError
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from plenipo.engine.sentences import SentenceKind
from plenipo.server import keys
from plenipo.server.errors import CodeRefused, ProviderAway
from plenipo.server.people.accounts import Accounts, SignedIn
from plenipo.server.people.provider_settings import Provider
from plenipo.server.store import Json
from plenipo.server.store.challenges import LASTS, Challenge, Challenges
from plenipo.server.store.persons import SignInMethod, StoredPerson

__all__ = ["PROVIDER", "Providers", "StartedSignIn"]

_PROVIDER_SILENT = SentenceKind(
    "server-provider-silent", "{title} did not confirm who you are; start again, or use another sign-in method."
)
_ACCOUNT_CLOSED_OF_PROVIDER = SentenceKind(
    "server-account-closed-of-provider",
    "The moderators of this server closed the account with this sign-in method.",
)
_PROVIDER_ACCOUNT_TAKEN = SentenceKind(
    "server-provider-account-taken", "Another account here already uses this {title} account."
)
_PROVIDER_UNKNOWN = SentenceKind("server-provider-unknown", "There is no sign-in method '{slug}' here.")
_PROVIDER_MISMATCH = SentenceKind("server-provider-mismatch", "{title} does not match the settings of this server.")
_PROVIDER_UNSIGNED = SentenceKind(
    "server-provider-unsigned", "The answer of {title} is not signed for this server; start again."
)

PROVIDER = "provider"
"""The kind of this sign-in method."""

PATIENCE = 10.0
"""The seconds a provider may take to answer."""

ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"]
"""The accepted signature algorithms."""

LEEWAY = 60
"""The allowed clock difference of a provider, in seconds."""

NOT_BEGUN = SentenceKind(
    "server-provider-not-begun", "This sign-in was started in another browser, or too long ago; start again."
)()


@dataclass(frozen=True)
class StartedSignIn:
    """A sign-in in progress: the address to which the browser goes, and the secret it shows on return."""

    address: str
    shown: str


class Providers:
    """The external accounts with which people of one store sign in; safe to use from several threads."""

    def __init__(self, accounts: Accounts, challenges: Challenges, providers: Sequence[Provider]) -> None:
        self.accounts, self.challenges = accounts, challenges
        self.all = {provider.slug: provider for provider in providers}
        self._places: dict[str, Provider] = {}
        self._keys: dict[str, Json] = {}

    def begin(self, slug: str, person: StoredPerson | None, back: str, *, link: bool = False) -> StartedSignIn:
        """Start a sign-in at a provider, which returns to the address `back`.

        With `link`, the signed-in person adds the account as a sign-in method. Raise `CodeRefused` and `ProviderAway`.
        """
        provider = self._place(self._find_provider(slug))
        state, shown, verifier, nonce = keys.token(), keys.token(), secrets.token_urlsafe(48), keys.token()
        content = {"slug": slug, "shown": keys.digest(shown), "verifier": verifier, "nonce": nonce, "link": link}
        now = self.accounts.clock.now()
        whose = None if person is None else person.id
        self.challenges.ask(Challenge(keys.digest(state), PROVIDER, whose, json.dumps(content), now + LASTS), now)
        more = {"nonce": nonce} if provider.issuer else {}
        with self._client(provider, back) as client:
            address, _ = client.create_authorization_url(provider.authorize, state, code_verifier=verifier, **more)
        return StartedSignIn(str(address), shown)

    def finish(
        self, slug: str, came: Mapping[str, str], shown: str, person: StoredPerson | None, back: str, device: str = ""
    ) -> SignedIn | None:
        """Sign in a person who returns from a provider; return None if the account was only linked.

        `came` are the provider's query parameters, `shown` is the secret the browser was given at the start. Raise
        `CodeRefused` and `ProviderAway`.
        """
        found = self.challenges.take(keys.digest(came.get("state", "")), PROVIDER, self.accounts.clock.now())
        asked = json.loads(found.content) if found else {}
        same = found is not None and found.person == (None if person is None else person.id) and asked["slug"] == slug
        if not same or not hmac.compare_digest(asked["shown"], keys.digest(shown)):
            raise CodeRefused(NOT_BEGUN)
        provider = self._place(self._find_provider(slug))
        if came.get("error") or not came.get("code"):
            raise CodeRefused(_PROVIDER_SILENT(title=provider.title))
        subject, name = self._who(provider, came["code"], back, asked)
        identifier = sha256(f"{provider.issuer or provider.slug}\n{subject}".encode()).hexdigest()
        if self.accounts.closed(keys.digest(identifier)):
            raise CodeRefused(_ACCOUNT_CLOSED_OF_PROVIDER())
        way = self.accounts.persons.way(PROVIDER, identifier)
        if asked["link"]:
            self._link(provider, identifier, way, person)
            return None
        if way is not None:
            self.accounts.persons.use_way(way, way.counter, self.accounts.clock.now())
            return self.accounts.enter(way.person, person, device)
        if person is not None and not self.accounts.persons.is_member(person.id):
            self._add(provider, identifier, person)
            return self.accounts.enter(person.id, None, device)
        made = self.accounts.guest(self.accounts.name_or_somebody(name), device)
        self._add(provider, identifier, made.person)
        return made

    def _link(self, provider: Provider, identifier: str, way: SignInMethod | None, person: StoredPerson | None) -> None:
        if person is None or (way is not None and way.person != person.id):
            raise CodeRefused(_PROVIDER_ACCOUNT_TAKEN(title=provider.title))
        if way is None:
            self._add(provider, identifier, person)

    def _add(self, provider: Provider, identifier: str, person: StoredPerson) -> None:
        now = self.accounts.clock.now()
        self.accounts.add_way(SignInMethod(PROVIDER, identifier, person.id, now, provider.title))

    def _find_provider(self, slug: str) -> Provider:
        provider = self.all.get(slug)
        if provider is None:
            raise CodeRefused(_PROVIDER_UNKNOWN(slug=slug[:30]))
        return provider

    # Requests to a provider

    def _client(self, provider: Provider, back: str) -> Any:
        return OAuth2Client(
            provider.client,
            provider.secret,
            scope=provider.scope,
            redirect_uri=back,
            code_challenge_method="S256",
            timeout=PATIENCE,
        )

    def _place(self, provider: Provider) -> Provider:
        """Return a provider with all its addresses; OpenID discovery is requested once."""
        if not provider.issuer:
            return provider
        if provider.slug not in self._places:
            said = self._request_json(provider, f"{provider.issuer.rstrip('/')}/.well-known/openid-configuration")
            issuer = str(said.get("issuer", ""))
            places = [str(said.get(f"{name}_endpoint", "")) for name in ("authorization", "token")]
            places.append(str(said.get("jwks_uri", "")))
            secure = "https:" if provider.issuer.startswith("https:") else "http"
            if issuer.rstrip("/") != provider.issuer.rstrip("/") or not all(one.startswith(secure) for one in places):
                raise ProviderAway(_PROVIDER_MISMATCH(title=provider.title))
            authorize, token, who = places
            self._places[provider.slug] = replace(provider, issuer=issuer, authorize=authorize, token=token, who=who)
        return self._places[provider.slug]

    def _request_json(self, provider: Provider, address: str, token: str = "") -> Json:
        try:
            with httpx2.Client(timeout=PATIENCE) as client:
                answer = client.get(address, headers={"authorization": f"Bearer {token}"} if token else {})
                answer.raise_for_status()
                said = answer.json()
        except (httpx2.HTTPError, ValueError) as fault:
            raise _away(provider) from fault
        if not isinstance(said, dict):
            raise _away(provider)
        return said

    def _who(self, provider: Provider, code: str, back: str, asked: Json) -> tuple[str, str]:
        """Return the id and the name of a person at a provider."""
        try:
            with self._client(provider, back) as client:
                token = client.fetch_token(provider.token, code=code, code_verifier=asked["verifier"])
        except OAuthError as fault:
            raise CodeRefused(_PROVIDER_SILENT(title=provider.title)) from fault
        except (httpx2.HTTPError, ValueError) as fault:
            raise _away(provider) from fault
        said = self._claims(provider, token, asked["nonce"]) if provider.issuer else self._profile(provider, token)
        subject = str(said.get("sub") or said.get("id") or "")
        if not subject:
            raise _away(provider)
        names = ("global_name", "preferred_username", "username", "name")
        return subject, next((str(said[name]) for name in names if said.get(name)), "")

    def _profile(self, provider: Provider, token: Json) -> Json:
        return self._request_json(provider, provider.who, str(token.get("access_token", "")))

    def _claims(self, provider: Provider, token: Json, nonce: str) -> Json:
        """Return the verified claims of an OpenID provider for this request."""
        options = {
            "iss": {"essential": True, "value": provider.issuer},
            "aud": {"essential": True, "value": provider.client},
        }
        params = {"nonce": nonce, "client_id": provider.client, "access_token": token.get("access_token")}
        try:
            try:
                decoded = self._decode_token(provider, str(token.get("id_token", "")))
            except (JoseError, ValueError):  # its keys may have changed
                self._keys.pop(provider.slug, None)
                decoded = self._decode_token(provider, str(token.get("id_token", "")))
            claims = CodeIDToken(decoded.claims, decoded.header, options, params)
            claims.validate(self.accounts.clock.now().timestamp(), LEEWAY)
        except (JoseError, ValueError) as fault:
            raise CodeRefused(_PROVIDER_UNSIGNED(title=provider.title)) from fault
        return dict(claims)

    def _decode_token(self, provider: Provider, token: str) -> jwt.Token:
        if provider.slug not in self._keys:
            self._keys[provider.slug] = self._request_json(provider, provider.who)
        registry = JWSRegistry(algorithms=ALGORITHMS, strict_check_header=False)
        return jwt.decode(token, KeySet.import_key_set(self._keys[provider.slug]), registry=registry)  # type: ignore[arg-type]


def _away(provider: Provider) -> ProviderAway:
    return ProviderAway(f"{provider.title} cannot be reached now; try again in a moment, or use another way.")
