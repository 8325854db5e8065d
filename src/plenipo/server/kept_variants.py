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
from plenipo.server.store.boards import BoardStore

__all__ = ["VERSIONS_KEPT", "KeptVariants"]

VERSIONS_KEPT = 8
"""The most versions of one variant that are kept; the one played longest ago is dropped."""


class KeptVariants:
    """The kept versions of added variants in one store; safe to use from several threads."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.store, self.clock = store, clock
        self._kept: dict[str, tuple[date, tuple[int, ...]]] = {}

    def keep(self, rules: Rules) -> None:
        """Keep the files of which the rules of a game were made, if they are in an added folder and are still there."""
        version, today = plugins.version_of(rules.variant), self.clock.now().date()
        if not version or self._kept.get(rules.variant) == (today, version):  # what is old is deleted some day
            return
        try:
            files = library.list_files(rules)
            if files:
                self._kept[rules.variant] = today, version
                versions = [files, *(one for one in self.find_versions(rules.variant) if one != files)]
                text = json.dumps(versions[:VERSIONS_KEPT], ensure_ascii=False)
                self.store.of(BoardStore).keep(_name(rules.variant), text, self.clock.now())
        except Exception:  # whatever it was, the game itself goes on
            logging.getLogger(__name__).warning("the files of %s cannot be kept", rules.variant, exc_info=True)

    def find_versions(self, variant: str) -> list[Mapping[str, str]]:
        """Return the kept versions of a variant, the one played last first, each as its texts by folder and file."""
        text = self.store.of(BoardStore).find(_name(variant))
        return [] if text is None else json.loads(text)

    def load_rules(self, variant: str, options: Mapping[str, str]) -> Iterator[Rules]:
        """Yield the rules of the kept versions of a variant, the one played last first, without those that fail."""
        for files in self.find_versions(variant):
            try:
                yield library.load_files(variant, files, options)
            except (PlenipoError, OSError):
                logging.getLogger(__name__).warning("a kept version of %s cannot be used", variant, exc_info=True)


def _name(variant: str) -> str:
    return sha256(f"the files of {variant}".encode()).hexdigest()
