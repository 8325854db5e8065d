"""`plenipo play`: a game in the terminal."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from plenipo.cli.completions import complete_variant
from plenipo.cli.options import (
    VARIANT,
    SettingsOption,
    Trust,
    load_rules,
    pairs,
    refuse,
    report_faults,
)
from plenipo.languages.current import _

__all__ = ["play"]


def play(
    variant: Annotated[
        str | None, typer.Argument(help=VARIANT, show_default="standard", autocompletion=complete_variant)
    ] = None,
    settings: SettingsOption = None,
    orders: Annotated[Path | None, typer.Option(help="Play this script of orders instead of asking.")] = None,
    save: Annotated[Path | None, typer.Option(help="Save the game to this file after every phase.")] = None,
    load: Annotated[Path | None, typer.Option(help="Continue the game saved in this file.")] = None,
    computer: Annotated[
        list[str] | None,
        typer.Option(metavar="POWER=NAME", help="Let a computer player play this power. May be repeated."),
    ] = None,
    *,
    open_orders: Annotated[
        bool, typer.Option("--open", help="Do not hide the orders of one player from the next.")
    ] = False,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Play a game in the terminal, with all players at one keyboard.

    Type orders in the usual notation, `?` for help, `quit` to leave.
    """
    from plenipo import library  # noqa: PLC0415
    from plenipo.cli import saved  # noqa: PLC0415
    from plenipo.cli.follow import Follower  # noqa: PLC0415
    from plenipo.cli.hotseat import Hotseat  # noqa: PLC0415
    from plenipo.cli.script import blocks_of, dice_of, settings_of  # noqa: PLC0415
    from plenipo.cli.terminal import Terminal  # noqa: PLC0415
    from plenipo.engine.dice import SEED_BYTES, Dice  # noqa: PLC0415
    from plenipo.engine.history.game import Game  # noqa: PLC0415
    from plenipo.library import plugins  # noqa: PLC0415
    from plenipo.user_files import read_text  # noqa: PLC0415

    with report_faults():
        text = read_text(orders) if orders is not None else None
        dice, settings = dice_of(text or ""), [*settings_of(text or ""), *(settings or ())]
        if load is not None:
            if settings:
                refuse(_("A saved game keeps its options; leave out --set and '# Set: …', or leave out --load."))
            game = saved.load(load, variant)
            if dice is not None and dice != game.dice:
                refuse(_("A saved game keeps its dice, and the script has the seed of others; leave out '# Seed: …'."))
        else:
            game = Game.new(load_rules(variant or "standard", settings), dice or Dice(secrets.token_bytes(SEED_BYTES)))
        library.check_installed(game.rules)
        chosen = pairs(computer or (), _("--computer POWER=NAME, for instance --computer France=sensible"))
        computers = {game.rules.power(power): plugins.players()[name] for power, name in chosen.items()}
        if save is not None:
            saved.save(game, save)  # report a file that cannot be written before the games start
        at = (game, Terminal(secret=not open_orders), saved.saver(save), computers)
        if text is not None:
            Follower(*at).follow(blocks_of(text, game.rules.calendar), str(orders))
        else:
            Hotseat(*at).play()
        if save is not None:
            typer.echo(_("Saved; go on with: {command}", command=f"plenipo play --load {save}"), err=True)
