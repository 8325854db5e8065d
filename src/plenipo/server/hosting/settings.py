"""The settings of a hosted game, apart from its variant and schedule."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from plenipo.engine.sentences import SentenceKind
from plenipo.languages import mark
from plenipo.server.errors import SeatRefused
from plenipo.server.hosting.absences import MOST
from plenipo.server.hosting.joining import join_sentences
from plenipo.server.hosting.motions import VotingRules
from plenipo.server.hosting.press import PressPolicy, PressSetting
from plenipo.server.hosting.scoring import Scoring
from plenipo.server.hosting.spectators import Delay, Spectators
from plenipo.validation import clause, without_alternatives

__all__ = [
    "DEALS",
    "LANGUAGES",
    "LISTED",
    "USUAL",
    "Deal",
    "Listed",
    "PlayersLanguage",
    "Settings",
    "asked_in_words",
    "settings_of",
    "time_bank_in_words",
]

_GAME_SETTING_INVALID = SentenceKind("server-game-setting-invalid", "'{value}' is not a value of '{name}': {fault}.")
_ANONYMOUS_OPEN_POWERS = SentenceKind(
    "server-anonymous-open-powers",
    "In an anonymous game players cannot choose their powers openly: choose 'Preferences' or 'Drawn' for the powers.",
)

Deal = Literal["taken", "preferences", "drawn", "host"]
"""The assignment of powers to players."""

DEALS: dict[Deal, str] = {
    "taken": mark("Pick a power when you join, or get a random one."),
    "preferences": mark("Each player lists preferred powers; the game's dice break ties."),
    "drawn": mark("The game's dice assign all powers."),
    "host": mark("The host assigns powers; the game's dice assign the rest."),
}
"""The ways of assigning powers, each as a sentence."""


Listed = Literal["link", "listed", "members"]
"""The visibility of a game."""

LISTED: dict[Listed, str] = {
    "link": mark("Only players with the link can join."),
    "listed": mark("The game appears under Find a game."),
    "members": mark("Only signed-in players see it under Find a game."),
}
"""The kinds of visibility, each as a sentence."""

PlayersLanguage = Literal[
    "", "English", "Deutsch", "Español", "Français", "Italiano", "Nederlands", "Polski", "Português", "Svenska",
    "Türkçe", "Русский", "中文", "日本語",
]  # fmt: skip
"""The language of the players, by its own name; empty if unspecified."""

LANGUAGES: tuple[PlayersLanguage, ...] = get_args(PlayersLanguage)[1:]
"""The languages to choose from."""


class Settings(BaseModel):
    """The settings of a hosted game.

    `computer` is the computer player that takes the seats left open when the game begins. `host` is the role of the
    host, who may play or is a game master and does not. `absence` is the number of days of leave a year on which
    nothing is due. `press` are the press rules, `votes` the voting rules, and `scoring` the scoring system. `listed`
    is the visibility, `language` the language of the players. `ready_check` asks for a ready check before the start;
    left
    out, a listed game has one. With `approval` the host accepts players.

    New players need to have met at least `reliable` of ten deadlines, may be new here (`newcomers`), and must be able
    to sign in again if `claimed` is set. In an `anonymous` game only a game master learns before the end which player
    has which power, and which seats are ready or have saved orders before the phase ends. The time banks of others are
    shown running or settled, as they were when the phase was opened; in an anonymous game always settled. `spectators`
    is the rule for spectators, and `delay` their delay: a number of phases, or a length of time.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    deal: Deal = "taken"
    computer: Annotated[str, Field(max_length=200)] = ""
    host: Literal["host", "game master"] = "host"
    absence: Annotated[int, Field(ge=0, le=MOST)] = 0
    press: PressSetting = PressPolicy()
    votes: VotingRules = VotingRules()
    scoring: Scoring = "Draw size"
    listed: Listed = "link"
    language: PlayersLanguage = ""
    ready_check: bool | None = None
    approval: bool = False
    reliable: Annotated[int, Field(ge=0, le=10)] = 0
    newcomers: bool = True
    claimed: bool = False
    anonymous: bool = False
    time_bank_shown: Literal["running", "settled"] | None = None
    spectators: Spectators = "link"
    delay: Delay = ""

    @property
    def time_bank_runs(self) -> bool:
        """True if all players see the time bank of each seat run, which shows who is not ready."""
        return not self.anonymous and self.time_bank_shown != "settled"

    @property
    def has_ready_check(self) -> bool:
        """True if the game has a ready check before it begins."""
        return self.listed != "link" if self.ready_check is None else self.ready_check


_APPROVAL = SentenceKind("server-asked-approval", "The host decides who joins.")
_ASKED = SentenceKind("server-asked", "For players who {conditions}.")
_RELIABLE = SentenceKind(
    "server-asked-reliable",
    "have met at least {number} in 10 deadlines",
    note="A condition of 'For players who …', as are the next two.",
)
_EXPERIENCED = SentenceKind("server-asked-experienced", "have had ten deadlines here")
_CLAIMED = SentenceKind("server-asked-claimed", "can sign in again")


def asked_in_words(settings: Settings) -> str:
    """Return the requirements for new players as sentences; empty if there are none."""
    asked: list[str] = []
    if settings.reliable:
        asked.append(_RELIABLE(number=settings.reliable))
    if not settings.newcomers:
        asked.append(_EXPERIENCED())
    if settings.claimed:
        asked.append(_CLAIMED())
    return join_sentences((_APPROVAL() if settings.approval else "", _ASKED(conditions=tuple(asked)) if asked else ""))


_TIME_BANKS_RUN = SentenceKind(
    "server-time-banks-run", "All players see the remaining time banks, and so which powers are not ready."
)
_TIME_BANKS_SETTLED = SentenceKind(
    "server-time-banks-settled",
    "The time banks of other players are shown as they were when the phase began, "
    "so that they do not reveal which powers are ready.",
)


def time_bank_in_words(settings: Settings) -> str:
    """Return who sees the time banks of others, as a sentence."""
    return _TIME_BANKS_RUN() if settings.time_bank_runs else _TIME_BANKS_SETTLED()


def settings_of(values: Mapping[str, Any]) -> Settings:
    """Parse settings from a form or a program; raise `SeatRefused` for an unknown value."""
    try:
        settings = Settings.model_validate(dict(values))
    except ValidationError as fault:
        place, errors = without_alternatives(fault.errors())
        name, value = ".".join(map(str, place)), str(errors[0]["input"])[:60]
        raise SeatRefused(_GAME_SETTING_INVALID(value=value, name=name, fault=clause(errors))) from fault
    if settings.anonymous and settings.deal not in ("preferences", "drawn"):
        raise SeatRefused(_ANONYMOUS_OPEN_POWERS())
    return settings


USUAL = Settings()
"""The default settings."""
