"""Odd files for the commands: records, cases, variants and lines in which something was changed, left out or put in."""

import json
import shutil
import traceback
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from typer.testing import CliRunner

from mutations import changed, good_lines, mutated
from plenipo import library
from plenipo.cli import app
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import encode_game
from plenipo.engine.phases.legality import Legality

__all__ = ["COMMANDS", "VARIANTS", "Files"]

COMMANDS = ("adjudicate", "board", "cases", "check", "play", "show", "verify")
"""The commands that read files."""

VARIANTS = Path(library.__file__).parents[1] / "variants"

DAMAGE = (
    *("", "\0", "[", "]]]", "{", "- ", ": ", "\n", '"', "'", "&a ", "*a", "!!python/object:x ", "9" * 30, "1e999"),
    *("null", "true", "[" * 600, "= ", "#", "\t", "é", "-1", "\u202e"),
)
"""Damage to insert at an unexpected place of a text."""


@dataclass
class Files:
    """Writes odd files into `folder`, and calls commands with them."""

    folder: Path
    chance: Random
    run: CliRunner = field(default_factory=CliRunner)

    @cached_property
    def records(self) -> list[dict[str, Any]]:
        """Records of games of all variants."""
        found = []
        for name in library.names():
            game = Game.new(library.load(name), Dice.from_hex("5a" * 32))
            for _ in range(3):
                legality = Legality(game.rules, game.position)
                listed = {power: [str(order) for order in legality.orders_of(power)] for power in game.rules.names}
                game = game.process(
                    {power: self.chance.sample(texts, min(3, len(texts))) for power, texts in listed.items()}
                )
            found.append(encode_game(game))
        return found

    @cached_property
    def lines(self) -> list[dict[str, Any]]:
        """Lines of all variants."""
        return [line for name in library.names() for line in good_lines(name, self.chance, 3)]

    @cached_property
    def cases(self) -> list[str]:
        """Worked cases, a text each."""
        files = sorted(VARIANTS.glob("*/cases/*.yaml"))
        return [f"- {part.removeprefix('- ')}" for file in files for part in file.read_text().split("\n- ")]

    def called(self, command: str) -> str:
        """Return the fault in a command's reaction to an odd file; empty if there is none."""
        arguments = {
            "adjudicate": self._line,
            "cases": self._case,
            "play": self._record,
            "verify": self._record,
        }.get(command, self._variant)()
        extra = {
            "play": ["--load", arguments, "--orders", "-"],
            "show": [arguments, "--out", str(self.folder / "picture.svg")],
        }
        told = self.run.invoke(app, [command, *extra.get(command, [arguments])], input="")
        if told.exception is not None and not isinstance(told.exception, SystemExit):
            where = traceback.extract_tb(told.exception.__traceback__)[-1]
            return f"{type(told.exception).__name__}: {told.exception} ({where.name}, line {where.lineno})"[:300]
        if "Traceback" in told.output:
            return "a traceback in the output"
        if told.exit_code not in {0, 1, 2}:
            return f"the exit status {told.exit_code}"
        return "" if told.exit_code != 2 or told.output.strip() else "nothing is said"

    def _line(self) -> str:
        file = self.folder / "lines.jsonl"
        file.write_bytes(mutated(self.chance.choice(self.lines), self.chance))
        return str(file)

    def _case(self) -> str:
        file = self.folder / "cases.yaml"
        file.write_text(self._damaged(self.chance.choice(self.cases)))
        return str(file)

    def _record(self) -> str:
        file = self.folder / "game.json"
        file.write_text(self._odd_json(self.chance.choice(self.records)))
        return str(file)

    def _variant(self) -> str:
        folder = self.folder / "variant"
        shutil.rmtree(folder, ignore_errors=True)
        name = self.chance.choice(library.names())
        shutil.copytree(VARIANTS / name, folder, ignore=shutil.ignore_patterns("games", "cases", "*.md"))
        file = self.chance.choice(sorted(folder.iterdir()))
        text = file.read_text()
        if file.suffix == ".json" and self.chance.random() < 0.7:
            file.write_text(self._odd_json(json.loads(text)))
        else:
            file.write_text(self._damaged(text))
        return str(folder)

    def _odd_json(self, value: Any) -> str:
        """A value as JSON with one to three things wrong in it; now and then the text is damaged as well."""
        odd = json.loads(json.dumps(value))
        for _ in range(self.chance.randint(1, 3)):
            changed(odd, self.chance)
        text = json.dumps(odd)
        return self._damaged(text) if self.chance.random() < 0.3 else text

    def _damaged(self, text: str) -> str:
        for _ in range(self.chance.randint(1, 4)):
            at = self.chance.randrange(len(text) + 1)
            text = (
                text[:at] + self.chance.choice((*DAMAGE, text[at : at + 60])) + text[at + self.chance.randint(0, 6) :]
            )
        return text
