"""Odd files for the commands: records, cases, variants and lines in which something was changed, left out or put in."""

import json
import shutil
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from typer.testing import CliRunner

from formats.backstabbr_pages import pages
from formats.sample_games import play
from formats.test_judge import report
from mutations import changed, good_lines, mutated
from plenipo import library
from plenipo.cli import app
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import encode_game
from plenipo.engine.phases.legality import Legality
from plenipo.errors import PlenipoError
from plenipo.formats import FORMATS
from plenipo.server.opened_files import read_file
from plenipo.server.uploads import check_record

__all__ = ["COMMANDS", "VARIANTS", "Files"]

COMMANDS = ("adjudicate", "board", "cases", "check", "convert", "open", "play", "show", "verify")
"""The commands that read files, and `open`: a file that is uploaded to a server."""

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

    @cached_property
    def games(self) -> dict[str, list[str]]:
        """Files with games in each format, also in those that are only read."""
        played = [play(seed, turns=5) for seed in (1, 2)]
        found = {name: [form.write(game) for game in played] for name, form in FORMATS.items() if form.writes}
        return {
            **found,
            "judge": [report(game) for game in played],
            "backstabbr": ["\n".join(pages(game)) for game in played],
        }

    def called(self, command: str) -> str:
        """Return the fault in a command's reaction to an odd file; empty if there is none."""
        if command == "open":
            return self._open()
        arguments = {
            "adjudicate": self._line,
            "cases": self._case,
            "convert": self._game_file,
            "play": self._record,
            "verify": self._record,
        }.get(command, self._variant)()
        extra = {
            "convert": [arguments, str(self.folder / "converted.json")],
            "play": ["--load", arguments, "--orders", "-"],
            "show": [arguments, "--out", str(self.folder / "picture.svg")],
        }
        told = self.run.invoke(app, [command, *extra.get(command, [arguments])], input="")
        if told.exception is not None and not isinstance(told.exception, SystemExit):
            return _describe(told.exception)
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

    def _game_file(self) -> str:
        """A file with a game in one of the formats."""
        file = self.folder / "other.txt"
        file.write_text(self._odd_game())
        return str(file)

    def _odd_game(self) -> str:
        text = self.chance.choice(self.games[self.chance.choice(sorted(self.games))])
        try:
            value = json.loads(text)
        except ValueError:
            return self._damaged(text)
        return self._odd_json(value)

    def _open(self) -> str:
        """Open an odd file as a server does, as a file of a person and as a record."""
        text = self._odd_game()
        (self.folder / "other.txt").write_text(text)
        try:
            with suppress(PlenipoError):
                read_file(text)
            with suppress(PlenipoError, ValueError):
                check_record(json.loads(text))
        except Exception as fault:  # noqa: BLE001  # the fault is what is looked for
            return _describe(fault)
        return ""

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


def _describe(fault: BaseException) -> str:
    """Return an exception with the place where it was raised."""
    where = traceback.extract_tb(fault.__traceback__)[-1]
    return f"{type(fault).__name__}: {fault} ({where.name}, line {where.lineno})"[:300]
