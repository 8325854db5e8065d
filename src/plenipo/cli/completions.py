"""`plenipo completions`: the script that lets a shell complete commands, options and the names of variants."""

import os
from enum import StrEnum
from typing import Annotated

import typer

__all__ = ["VARIABLE", "Shell", "complete_variant", "completions", "prepare_completions"]

VARIABLE = "_PLENIPO_COMPLETE"
"""The variable of the environment in which a shell asks for completions."""


class Shell(StrEnum):
    """A shell with completions."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def completions(shell: Annotated[Shell, typer.Argument(help="The shell.")]) -> None:
    """Print the script of completions for a shell.

    For bash: eval "$(plenipo completions bash)". Zsh reads it from a file `_plenipo` on its `fpath`, and fish from
    `~/.config/fish/completions/plenipo.fish`.
    """
    from typer._completion_shared import get_completion_script  # noqa: PLC0415  # as its own option does

    typer.echo(get_completion_script(prog_name="plenipo", complete_var=VARIABLE, shell=shell.value))


def prepare_completions() -> None:
    """Let Typer answer a shell that asks for completions; without it the program has no option of its own for them."""
    if VARIABLE in os.environ:
        from typer._completion_classes import completion_init  # noqa: PLC0415  # few calls need it

        completion_init()


def complete_variant(incomplete: str) -> list[str]:
    """Return the names of variants that begin with a text; of several with `+` between, the last one is completed."""
    from plenipo import library  # noqa: PLC0415  # a command imports what it needs

    before, plus, last = incomplete.rpartition("+")
    return [f"{before}{plus}{name}" for name in (*library.names(), *library.bank()) if name.startswith(last)]
