"""The settings of a hosted game besides its variant and its schedule."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from plenipo.engine.sentences import SentenceKind
from plenipo.languages import mark
from plenipo.server.errors import SeatRefused
from plenipo.server.hosting.absences import MOST
from plenipo.server.hosting.motions import Votes
from plenipo.server.hosting.press import Letters, Policy
from plenipo.server.hosting.scoring import Scoring
from plenipo.server.hosting.spectators import Delay, Spectators
from plenipo.validation import clause, without_alternatives

__all__ = [
    "DEALS",
    "LANGUAGES",
    "LISTED",
    "USUAL",
    "Deal",
    "Language",
    "Listed",
    "Settings",
    "asked_in_words",
    "own_time_in_words",
    "settings_of",
]

_GAME_SETTING_INVALID = SentenceKind("server-game-setting-invalid", "'{value}' is not a value of '{name}': {fault}.")
_ANONYMOUS_OPEN_POWERS = SentenceKind(
    "server-anonymous-open-powers",
    "In an anonymous game nobody takes a power openly: choose 'Wishes' or 'Drawn' for the powers.",
)

Deal = Literal["taken", "wishes", "drawn", "keeper"]
"""The assignment of powers to players."""

DEALS: dict[Deal, str] = {
    "taken": mark("Pick a power when you join, or get a random one."),
    "wishes": mark("Each player lists preferred powers; the game's dice break ties."),
    "drawn": mark("The game's dice assign all powers."),
    "keeper": mark("The host assigns powers; the game's dice assign the rest."),
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

Language = Literal[
    "", "English", "Deutsch", "Español", "Français", "Italiano", "Nederlands", "Polski", "Português", "Svenska",
    "Türkçe", "Русский", "中文", "日本語",
]  # fmt: skip
"""The language of the players, by its own name; empty if unspecified."""

LANGUAGES: tuple[Language, ...] = get_args(Language)[1:]
"""The languages to choose from."""


class Settings(BaseModel):
    """The settings of a hosted game.

    `computer` is the computer player that takes the seats left open when the game begins. `keeper` is the role of the
    host, who may play or is a game master and does not. `absence` is the number of days of leave a year on which
    nothing is due. `letters` are the press rules, `votes` the voting rules, and `scoring` the scoring system. `listed`
    is the visibility, `language` the language of the players. `muster` asks for a ready check before the start; left
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
    keeper: Literal["keeper", "game master"] = "keeper"
    absence: Annotated[int, Field(ge=0, le=MOST)] = 0
    letters: Letters = Policy()
    votes: Votes = Votes()
    scoring: Scoring = "Draw size"
    listed: Listed = "link"
    language: Language = ""
    muster: bool | None = None
    approval: bool = False
    reliable: Annotated[int, Field(ge=0, le=10)] = 0
    newcomers: bool = True
    claimed: bool = False
    anonymous: bool = False
    own_time_shown: Annotated[
        Literal["running", "settled"] | None, Field(validation_alias=AliasChoices("own_time_shown", "banks"))
    ] = None
    spectators: Spectators = "link"
    delay: Delay = ""

    @property
    def own_time_runs(self) -> bool:
        """True if all players see the time bank of each seat run, which shows who is not ready."""
        return not self.anonymous and self.own_time_shown != "settled"

    @property
    def musters(self) -> bool:
        """True if the game has a ready check before it begins."""
        return self.listed != "link" if self.muster is None else self.muster


def asked_in_words(settings: Settings) -> str:
    """Return the requirements for new players as sentences; empty if there are none."""
    asked = []
    if settings.reliable:
        asked.append(f"have met at least {settings.reliable} in 10 deadlines")
    if not settings.newcomers:
        asked.append("have had ten deadlines here")
    if settings.claimed:
        asked.append("can sign in again")
    gate = f"For people who {' and '.join(asked)}." if asked else ""
    approval = "Whoever keeps it says who sits down." if settings.approval else ""
    return " ".join(filter(None, (approval, gate)))


def own_time_in_words(settings: Settings) -> str:
    """Return who sees the time banks of others, as a sentence."""
    if settings.own_time_runs:
        return "All players see the remaining time banks, and so which powers are not ready."
    return (
        "The time banks of other players are shown as they were when the phase began, "
        "so that they do not reveal which powers are ready."
    )


def settings_of(values: Mapping[str, Any]) -> Settings:
    """Parse settings from a form or a program; raise `SeatRefused` for an unknown value."""
    try:
        settings = Settings.model_validate(dict(values))
    except ValidationError as fault:
        place, errors = without_alternatives(fault.errors())
        name, value = ".".join(map(str, place)), str(errors[0]["input"])[:60]
        raise SeatRefused(_GAME_SETTING_INVALID(value=value, name=name, fault=clause(errors))) from fault
    if settings.anonymous and settings.deal not in ("wishes", "drawn"):
        raise SeatRefused(_ANONYMOUS_OPEN_POWERS())
    return settings


USUAL = Settings()
"""The default settings."""
