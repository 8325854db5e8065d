"""`plenipo warm` and `plenipo selfplay`: compile the kernel, and let it play games against itself."""

from pathlib import Path
from typing import Annotated

import typer

from plenipo.cli.options import (
    GamesOption,
    Ray,
    SettingsOption,
    Trust,
    VariantArgument,
    Workers,
    options_from,
    print_whole,
    report_faults,
)
from plenipo.engine.sentences import say
from plenipo.languages.current import _

__all__ = ["selfplay", "warm"]


def warm() -> None:
    """Compile the code of the computer players, once after installing or updating; needs plenipo[fast]."""
    with report_faults("fast"):
        from plenipo import bots, extras, warm  # noqa: PLC0415  # a command imports what it needs

        extras.check("fast", "numba", what=say("A computer player that thinks ahead"))
        if not bots.is_compiled():
            typer.echo(_("Compiling the computer players: most of a minute of processor time, once."), err=True)
            with warm.alone():
                if not bots.is_compiled():
                    warm.warm(lambda level: typer.echo(_("Ready: {level}.", level=level), err=True))
        typer.echo(_("The computer players are ready."))


def selfplay(
    variant: VariantArgument,
    games: GamesOption = 1000,
    movements: Annotated[
        int, typer.Option(help="The number of movements after which an undecided game ends.", min=1)
    ] = 100,
    workers: Workers = 1,
    policy: Annotated[
        list[str] | None, typer.Option(metavar="POWER=NAME", help="Play a power by random, hold or attack.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write a row for each game to this file, ending in .parquet or .jsonl.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(help="32 bytes in hex that decide all chance.", show_default="drawn")
    ] = None,
    settings: SettingsOption = None,
    *,
    ray: Ray = False,
    trust: Trust = False,
) -> None:
    """Let the kernel play many games against itself and summarise them; needs plenipo[fast]."""
    with report_faults("fast"):
        from plenipo import extras  # noqa: PLC0415

        if ray:
            extras.check("ray", what="--ray")
        if out is not None and out.suffix != ".jsonl":
            extras.check("selfplay", "pyarrow", what="Parquet")
        from plenipo.cli import selfplay as play  # noqa: PLC0415

        powers, chance = play.policies(policy or ()), play.seed(seed)
        plan = play.SelfPlayPlan(variant, options_from(settings), games, movements, powers, chance, trust=trust)
        print_whole(play.run(plan, workers=workers, ray=ray, out=out))
