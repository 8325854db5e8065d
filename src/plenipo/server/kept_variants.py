"""The files of added variants as games were last played by them, so that no edit of a folder stops a running game.

A folder may be broken, or fit a game no longer, when the server is started again. The files are kept in the store
then, and a game goes on by the newest of them that it fits.
"""

import json
import logging
from collections.abc import Iterator, Mapping
from datetime import date
from hashlib import sha256

from plenipo import library
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError
from plenipo.library import plugins
from plenipo.server.clock import Clock
from plenipo.server.store import Store
from plenipo.server.store.variant_versions import VersionStore

__all__ = ["KeptVariants"]


class KeptVariants:
    """The kept versions of added variants in one store; safe to use from several threads."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._versions, self._clock = store.of(VersionStore), clock
        self._kept: dict[str, tuple[date, tuple[int, ...]]] = {}
        self._played: dict[tuple[str, str], date] = {}

    def keep(self, rules: Rules) -> None:
        """Keep the files of which the rules of a game were made, if they are in an added folder and are still there."""
        version, today = plugins.version_of(rules.variant), self._clock.now().date()
        if not version or self._kept.get(rules.variant) == (today, version):
            return
        try:
            files = library.list_files(rules)
            if files:
                self._kept[rules.variant] = today, version
                text = json.dumps(files, ensure_ascii=False, sort_keys=True)
                digest = sha256(text.encode()).hexdigest()
                self._versions.keep(rules.variant, digest, text, self._clock.now())
        except Exception:  # whatever it was, the game itself goes on
            logging.getLogger(__name__).warning("the files of %s cannot be kept", rules.variant, exc_info=True)

    def find_versions(self, variant: str) -> list[Mapping[str, str]]:
        """Return the kept versions of a variant, the newest first, each as its texts by folder and file."""
        return [json.loads(text) for _, text in self._versions.find(variant)]

    def load_rules(self, variant: str, options: Mapping[str, str]) -> Iterator[Rules]:
        """Yield the rules of the kept versions of a variant, the newest first, without those that fail."""
        for digest, text in self._versions.find(variant):
            try:
                rules = library.load_files(variant, json.loads(text), options)
            except (PlenipoError, OSError, ValueError):
                logging.getLogger(__name__).warning("a kept version of %s cannot be used", variant, exc_info=True)
                continue
            self._note_played(variant, digest)
            yield rules

    def _note_played(self, variant: str, digest: str) -> None:
        """Note, once a day, that a version is played."""
        today = self._clock.now().date()
        if self._played.get((variant, digest)) != today:
            self._played[variant, digest] = today
            self._versions.note_played(variant, digest, self._clock.now())
