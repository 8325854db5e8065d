"""Self-play: many games by the kernel, shared among processes or on Ray, and summarised.

Games are divided into shares of `SHARE`; every share has a seed of its own, made from the seed of the run and its
number, so the same seed gives the same games however they are distributed.
"""

import hmac
import json
import secrets
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from plenipo import extras, library
from plenipo.batch import POLICIES, Arena
from plenipo.batch.tables import NOBODY
from plenipo.cli.options import pairs
from plenipo.cli.terminal import progress
from plenipo.engine.dice import SEED_BYTES, Dice
from plenipo.engine.position import Power
from plenipo.errors import UnknownName
from plenipo.languages.current import _, mark, plural
from plenipo.spread import spread

__all__ = ["SHARE", "SelfPlayPlan", "policies", "run", "seed", "share", "shares", "summary"]

SHARE = 500
"""Number of games in a share, except the last one."""

FinishedGameRow = dict[str, Any]
"""A finished game: its number, its winner or None, the number of movements, the phase it ended in, and the final
`centres` and `units` by power."""


@dataclass(frozen=True)
class SelfPlayPlan:
    """The plan of a run: a variant with its options, the number of games, their length, policies and seed."""

    variant: str
    options: Mapping[str, str]
    games: int
    movements: int
    policies: Mapping[Power, str]
    seed: bytes
    trust: bool = False
    """Permission for the variant to bring code, to be passed to other processes."""


def policies(texts: Iterable[str]) -> dict[Power, str]:
    """Return `England=attack` texts as a mapping; raise `UnknownName` for an unknown policy."""
    named = pairs(texts, _("POWER=NAME, with one of {policies}", policies=", ".join(POLICIES)))
    for name in named.values():
        if name not in POLICIES:
            known = ", ".join(POLICIES)
            raise UnknownName(_("'{name}' is not a policy; there are {policies}.", name=name, policies=known))
    return {Power(power): name for power, name in named.items()}


def seed(text: str | None) -> bytes:
    """Return the seed written in hexadecimal, or a new one; raise `InvalidRecord` if it is not 32 bytes."""
    return secrets.token_bytes(SEED_BYTES) if text is None else Dice.from_hex(text).seed


def shares(games: int) -> list[tuple[int, int]]:
    """Return the first game and the number of games of each share."""
    return [(first, min(SHARE, games - first)) for first in range(0, games, SHARE)]


def share(plan: SelfPlayPlan, first: int, count: int) -> list[FinishedGameRow]:
    """Play one share; a plain function of its arguments, so that any process can call it."""
    if plan.trust:
        library.plugins.trust_code()
    rules = library.load(plan.variant, plan.options)
    chosen = {rules.power(power): name for power, name in plan.policies.items()}
    arena = Arena(rules, count, seed=hmac.digest(plan.seed, f"share {first}".encode(), "sha256"))
    arena.play(plan.movements, chosen)
    state, tables = arena.state, arena.tables
    rows: list[FinishedGameRow] = []
    for game in range(count):
        owners = Counter(state.owner[game].tolist())
        units = Counter((state.kinds[game, : int(state.units[game])] >> 1).tolist())
        winner = int(state.winner[game])
        rows.append(
            {
                "game": first + game,
                "winner": None if winner == NOBODY else str(tables.powers[winner]),
                "movements": int(state.played[game]),
                "phase": str(tables.phase(int(state.step[game]), int(state.year[game]))),
                "centres": {str(power): owners[i] for i, power in enumerate(rules.names)},
                "units": {str(power): units[i] for i, power in enumerate(rules.names)},
            }
        )
    return rows


def run(plan: SelfPlayPlan, *, workers: int = 1, ray: bool = False, out: Path | None = None) -> RenderableType:
    """Play all games, write them to `out` if given, and return the summary.

    Raise `UnsupportedRules` for a variant the kernel does not support, `UnknownName` for another file extension.
    """
    if out is not None and out.suffix not in (".parquet", ".jsonl"):
        raise UnknownName(_("'{file}' must end in {one} or {other}.", file=out, one=".parquet", other=".jsonl"))
    # report mistakes before the games start
    share(plan, 0, 1)
    every = shares(plan.games)
    rows: list[FinishedGameRow] = []
    with progress(_("Playing")) as told:
        for part in spread(share, [(plan, first, count) for first, count in every], workers=workers, ray=ray):
            rows.extend(part)
            told(len(rows), plan.games)
    if out is not None:
        write(rows, out)
    return summary(plan, rows)


def write(rows: Sequence[FinishedGameRow], out: Path) -> None:
    """Write a row per game, as JSON lines or as Parquet by the file extension."""
    if out.suffix == ".jsonl":
        out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return
    with extras.require("selfplay", "Parquet"):
        import pyarrow as pa  # noqa: PLC0415  # only needed for Parquet
        from pyarrow import parquet  # noqa: PLC0415
    parquet.write_table(pa.Table.from_pylist(list(rows)), out)


def summary(plan: SelfPlayPlan, rows: Sequence[FinishedGameRow]) -> RenderableType:
    """Summarise the wins, the lengths of the games, and the final possessions of each power."""
    lengths = sorted(int(row["movements"]) for row in rows)
    won = Counter(row["winner"] for row in rows)
    table = Table(*map(_, (mark("power"), mark("won"), mark("centres"), mark("units"))))
    for column in table.columns[1:]:
        column.justify = "right"
    for power in rows[0]["centres"]:
        means = [statistics.mean(row[what][power] for row in rows) for what in ("centres", "units")]
        table.add_row(power, str(won[power]), *(f"{mean:.1f}" for mean in means))
    head = plural(
        "{number} game of {title}, {movements} movements: {shortest} to {longest} a game, {median} in the middle. "
        "{undecided} ended without a winner.",
        "{number} games of {title}, {movements} movements: {shortest} to {longest} a game, {median} in the middle. "
        "{undecided} ended without a winner.",
        len(rows),
        title=library.load(plan.variant, plan.options).title,
        movements=sum(lengths),
        shortest=lengths[0],
        longest=lengths[-1],
        median=f"{statistics.median(lengths):g}",
        undecided=won[None],
    )
    seeded = _(
        "Seed {seed}, committed to as {commitment}.", seed=plan.seed.hex(), commitment=Dice(plan.seed).commitment
    )
    return Group(Text(head), table, Text(_("Centres and units are means at the end.")), Text(seeded))
