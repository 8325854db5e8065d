"""Games as a data set: Parquet with a row for each power and phase, and a card that describes it.

Every row is complete: the position as `plenipo adjudicate` takes it, the orders of the power, and the final
result of its game. `pip install 'plenipo[selfplay]'` brings PyArrow.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from plenipo import extras, jsonlines
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say
from plenipo.errors import InvalidRecord
from plenipo.matches.lineup import Match
from plenipo.matches.referee import Played
from plenipo.matches.run import game_of
from plenipo.matches.standings import Standing

__all__ = ["COLUMNS", "DatasetRow", "Writer", "card", "read"]

GROUP = 16
"""Number of games written together."""

COLUMNS = {
    "game": ("int32", "the number of the game, from 0"),
    "turn": ("int16", "the number of the phase in the game, from 0"),
    "phase": ("string", "the phase, such as `Spring 1901 movement`"),
    "power": ("string", "the power that orders"),
    "player": ("string", "who played it"),
    "position": ("string", "the position before the orders, as a line of `plenipo adjudicate` without its orders"),
    "orders": ("list<string>", "what the power ordered; empty if it let the phase pass"),
    "score": ("int16", "its final number of centres, or of the unit that the variant counts for victory"),
    "share": ("float", "its part of the squares of those scores, 1 for a game won alone"),
    "won": ("bool", "whether it won, alone or with others"),
}
"""The columns of the file: type and meaning."""


class DatasetRow(NamedTuple):
    """A power in a phase; see `COLUMNS`."""

    game: int
    turn: int
    phase: str
    power: str
    player: str
    position: str
    orders: tuple[str, ...]
    score: int
    share: float
    won: bool


def rows_of(rules: Rules, played: Played) -> Iterator[DatasetRow]:
    """Yield the rows of a game, which is replayed from its orders; powers that were not asked have none."""
    game = game_of(rules, played)
    for number, turn in enumerate(played.turns):
        position = json.dumps(jsonlines.encode_position(rules, game.turns[number].resolution.before))
        for power, orders in turn.orders.items():
            yield DatasetRow(
                played.game,
                number,
                turn.phase,
                power,
                played.seats[power],
                position,
                orders,
                played.scores.get(power, 0),
                played.shares[power],
                power in played.winners,
            )


def _arrow() -> tuple[Any, Any]:
    with extras.require("selfplay", "Parquet"):
        import pyarrow as pa  # noqa: PLC0415  # only for Parquet
        from pyarrow import parquet  # noqa: PLC0415
    return pa, parquet


class Writer:
    """A writer of games to a Parquet file, as a context; raises `MissingExtra` without PyArrow, and `OSError`."""

    def __init__(self, path: Path, rules: Rules) -> None:
        self._pa, parquet = _arrow()
        types = {"list<string>": self._pa.list_(self._pa.string())}
        self._schema = self._pa.schema(
            [(name, types.get(kind) or self._pa.type_for_alias(kind)) for name, (kind, _) in COLUMNS.items()]
        )
        self._rules = rules
        self._waiting: list[Played] = []
        self._file = parquet.ParquetWriter(path, self._schema, compression="zstd")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._flush()
        self._file.close()

    def write(self, played: Played) -> None:
        """Write a game."""
        self._waiting.append(played)
        if len(self._waiting) >= GROUP:
            self._flush()

    def _flush(self) -> None:
        rows = [row._asdict() for played in self._waiting for row in rows_of(self._rules, played)]
        self._waiting.clear()
        if rows:
            self._file.write_table(self._pa.Table.from_pylist(rows, schema=self._schema))


def read(path: Path) -> Iterator[DatasetRow]:
    """Yield the rows of a file that `Writer` wrote, in their order, without holding all of them.

    `plenipo.jsonlines.read(row.position, plenipo.library.load)` makes a position of one. Raise `OSError`,
    `MissingExtra` without PyArrow, and `InvalidRecord` for a file of another format.
    """
    pa, parquet = _arrow()
    try:
        file = parquet.ParquetFile(path)
    except pa.ArrowInvalid as fault:
        raise InvalidRecord(say("'{path}' is not a Parquet file: {fault}.", path=path, fault=fault)) from fault
    with file:
        missing = [name for name in COLUMNS if name not in file.schema_arrow.names]
        if missing:
            raise InvalidRecord(
                say(
                    "'{path}' has no column '{missing}', so it is not a data set of games.",
                    path=path,
                    missing=missing[0],
                )
            )
        for batch in file.iter_batches(columns=list(COLUMNS)):
            for row in batch.to_pylist():
                yield DatasetRow(**{**row, "orders": tuple(row["orders"])})


def card(match: Match, title: str, standings: Sequence[Standing], games: Sequence[Played]) -> str:
    """Return the data card, in Markdown: the source of the games, the meaning of a row, and statistics of the games."""
    options = ", ".join(f"{key}={value}" for key, value in match.options) or "none"
    alone = sum(len(game.winners) == 1 for game in games)
    faults = sum(len(game.faults) for game in games)
    players = ", ".join(f"{match.players.count(name)} {name}" for name in match.names)
    lines = [
        f"# {len(games)} games of {title}",
        "",
        "Played by computers alone; no data of persons is in it.",
        "",
        f"- Variant: `{match.variant}`, options: {options}.",
        f"- Players, in all seats in turn: {players}.",
        f"- Seed of all chance: `{match.seed.hex()}`; the same players and seed give the same games.",
        f"- Played for {match.years} years at most; {alone} games were won alone.",
        f"- Orders of players from outside that could not be used, and were replaced: {faults}.",
        *(f"- {one.why_unscored}" for one in standings if one.why_unscored),
        "",
        "A row stands for a power in a phase.",
        "",
        "| column | type | meaning |",
        "|---|---|---|",
        *(f"| `{name}` | {kind} | {meaning} |" for name, (kind, meaning) in COLUMNS.items()),
        "",
        "| player | share by power |",
        "|---|---|",
        *(
            f"| {one.player} | {', '.join(f'{power} {share.mean:.3f}' for power, share in one.by_power.items())} |"
            for one in standings
            if not one.why_unscored
        ),
        "",
        "Uses: learning a policy or an evaluation, statistics of openings and lengths.",
        "Limits: the play is that of these programs, without press; what it says of people is little.",
    ]
    return "\n".join(lines) + "\n"
