"""Changing the settings of a running game, as changes of the store. Pure."""

from dataclasses import replace
from datetime import datetime

from plenipo.engine.sentences import SentenceKind
from plenipo.server.errors import ChangeRefused, NoDeadline, Over
from plenipo.server.hosted_game import Credentials, HostedGame
from plenipo.server.hosting.changes import Changes, apply_changes, describe_changes, gives_time, why_not_changed
from plenipo.server.permissions import require_begun
from plenipo.server.store import GameChange, StoredEntry

__all__ = ["NeedsVoteError", "by_host", "change_settings"]

_CHANGED = {
    "host": SentenceKind("server-log-settings", "The host changed the settings: {changes}."),
    "game master": SentenceKind("server-log-gm-settings", "The game master changed the settings: {changes}."),
}
_GAME_OVER = SentenceKind("server-game-over", "The game is over.")
_SETTINGS_NONE = SentenceKind("server-settings-none", "This game has no settings that can be changed.")
_SETTINGS_UNCHANGED = SentenceKind("server-settings-unchanged", "These are already the settings of the game.")


class NeedsVoteError(Exception):
    """The change is beyond the host's power: all seats vote on it."""


def change_settings(hosted: HostedGame, changes: Changes, now: datetime) -> tuple[HostedGame, GameChange, HostedGame]:
    """Change settings of a game; raise `NotBegun`, `Over`, `NoDeadline`, `ChangeRefused` and `InvalidSchedule`."""
    require_begun(hosted)
    if hosted.game.over:
        raise Over(_GAME_OVER())
    if hosted.timing is None:
        raise NoDeadline(_SETTINGS_NONE())
    if fault := why_not_changed(hosted.timing, changes, now):
        raise ChangeRefused(fault)
    settings = hosted.settings.model_copy(update=changes.of_settings)
    timing = apply_changes(hosted.timing, changes, now)
    if (settings, timing.schedule, timing.ends) == (hosted.settings, hosted.timing.schedule, hosted.timing.ends):
        raise ChangeRefused(_SETTINGS_UNCHANGED())
    after = replace(hosted, settings=settings).with_timing(timing)
    return after, GameChange(columns={"settings": settings.model_dump()}), after


def by_host(
    hosted: HostedGame, credentials: Credentials, changes: Changes, now: datetime
) -> tuple[HostedGame, GameChange, HostedGame]:
    """Change settings as the host may without a vote; raise `NeedsVoteError` for any other change."""
    after, change, _ = change_settings(hosted, changes, now)
    assert hosted.timing is not None  # noqa: S101  # it was changed
    if not gives_time(hosted.timing, changes, plays=bool(credentials.powers)):
        raise NeedsVoteError
    sentence = _CHANGED[hosted.settings.host](changes=describe_changes(changes, hosted.timing.schedule.zone))
    return after, replace(change, entries=(StoredEntry("settings", sentence),)), after
