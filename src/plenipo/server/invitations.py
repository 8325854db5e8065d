"""Invitations by name: the host of a game that has not begun lets the server notify a person."""

from plenipo.engine.sentences import Quoted, SentenceKind
from plenipo.server import keys
from plenipo.server.errors import SeatRefused
from plenipo.server.games import Games
from plenipo.server.hosted_game import Credentials, HostedGame
from plenipo.server.hosting.joining import join_paragraphs
from plenipo.server.permissions import require_all_seats
from plenipo.server.seats import INVITED, require_forming
from plenipo.server.store import HERE, GameChange, Notification, SeatsChanged, StoredKey
from plenipo.server.store.follows import Follows
from plenipo.server.store.moderation import Moderation
from plenipo.server.store.persons import Persons, StoredPerson

__all__ = ["Invitations"]

_SIGNED_OUT = SentenceKind("server-invite-signed-out", "Sign in to invite players by name, or send them the link.")
_UNKNOWN = SentenceKind(
    "server-invite-unknown", "No player here is called '{name}'; check the spelling, or send the link."
)
_SEVERAL = SentenceKind(
    "server-invite-several",
    "Several players are called '{name}'; follow the one you mean on their profile, or send the link.",
)
_HERE_ALREADY = SentenceKind("server-invite-here-already", "'{name}' is in this game already.")
_SUBJECT = SentenceKind("server-invite-subject", "{game}: an invitation")
_INVITED = SentenceKind("server-invited", "{player} invites you to {game}: {title}. Join here:")


class Invitations:
    """Invitations to the games of one store; safe to use from several threads."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self._persons, self._follows = games.store.of(Persons), games.store.of(Follows)
        self._moderation = games.store.of(Moderation)

    def invite(self, game_id: str, credentials: Credentials, name: str) -> StoredPerson:
        """Invite a person by name as the host of a game, and return the person.

        If several people have the name, it is the one whom the host follows. A person who has blocked the host is not
        notified, and the host does not learn of it. Raise `NotYours`, `Over` and `SeatRefused`.
        """
        require_all_seats(credentials)
        host = None if credentials.person is None else self._persons.find(credentials.person)
        if host is None:
            raise SeatRefused(_SIGNED_OUT())
        person = self._find_invited(host, name.strip())
        blocked = self._moderation.is_blocked(host.id, [person.id])
        token = keys.token()

        def change(hosted: HostedGame) -> tuple[HostedGame, GameChange, None]:
            require_forming(hosted)
            is_here = any(tenure.person == person.id and tenure.until is None for tenure in hosted.tenures)
            if is_here and not hosted.settings.anonymous:
                raise SeatRefused(_HERE_ALREADY(name=person.name))
            if is_here or blocked:  # neither of which the host may learn
                return hosted, GameChange(), None
            game, link = Quoted(hosted.name), f"{HERE}/games/{hosted.id}/sit/{token}"
            words = _INVITED(player=Quoted(host.name), game=game, title=Quoted(hosted.rules.title))
            body = join_paragraphs((words, f"{link}\n"))
            notice = Notification(person.id, f"seat invite {host.id[:8]}", _SUBJECT(game=game), body)
            key = SeatsChanged(add_keys=(StoredKey(keys.digest(token), INVITED),))
            return hosted, GameChange(parts=(key,), notices=(notice,)), None

        self.games.change(game_id, change)
        return person

    def _find_invited(self, host: StoredPerson, name: str) -> StoredPerson:
        """Return the person with a name; raise `SeatRefused` if there is none, or if it is not clear who is meant."""
        followed = [one for one, called in self._follows.list_followed(host.id) if called.casefold() == name.casefold()]
        found = [self._persons.find(one) for one in followed] if len(followed) == 1 else self._persons.list_named(name)
        people = [person for person in found if person is not None and person.id != host.id]
        if not people:
            raise SeatRefused(_UNKNOWN(name=name[:60]))
        if len(people) > 1:
            raise SeatRefused(_SEVERAL(name=name[:60]))
        return people[0]
