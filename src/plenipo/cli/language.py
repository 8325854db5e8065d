"""The language of the command line: `--language`, before or after the command, or PLENIPO_LANGUAGE."""

import os
from collections.abc import Sequence
from inspect import cleandoc
from typing import Any

import typer
from typer.core import TyperGroup

from plenipo.languages import ENGLISH, CatalogueError
from plenipo.languages.current import _, set_language

__all__ = ["OPTION", "VARIABLE", "LanguageGroup", "TranslatedGroup", "help_texts", "use_language"]

OPTION = "--language"
VARIABLE = "PLENIPO_LANGUAGE"

_UNUSABLE = 2


class TranslatedGroup(TyperGroup):
    """A group of commands that shows its help in the language in use."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command with its help in the language in use."""
        command = super().get_command(ctx, cmd_name)
        return None if command is None else translate_help(command)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help in the language in use."""
        translate_help(self)
        super().format_help(ctx, formatter)


class LanguageGroup(TranslatedGroup):
    """A group of commands that finds the language first."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the language out of the arguments, wherever it stands before a `--`."""
        language, rest = find_language(args)
        use_language((os.environ.get(VARIABLE) or ENGLISH) if language is None else language)
        return super().parse_args(ctx, rest)


def find_language(args: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the last language among arguments, None if there is none, and the other arguments."""
    language: str | None = None
    rest: list[str] = []
    words = iter(args)
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word == OPTION:
            language = next(words, "")
        elif word.startswith(f"{OPTION}="):
            language = word.removeprefix(f"{OPTION}=")
        else:
            rest.append(word)
    return language, rest


def use_language(language: str) -> None:
    """Use a language; end the program with one sentence if there is none of this name."""
    try:
        set_language(language)
    except CatalogueError as fault:
        typer.echo(str(fault), err=True)
        raise typer.Exit(_UNUSABLE) from None


def translate_help(command: Any) -> Any:
    """Put the help of a command and of its parameters into the language in use; each keeps its English help as well."""
    for thing in (command, *command.params):
        if text := _read_english_help(thing):
            thing.help = _(text)
    return command


def help_texts(command: Any) -> list[str]:
    """Return the English help of a command, of its parameters and of its own commands."""
    texts = [text for thing in (command, *command.params) if (text := _read_english_help(thing))]
    for one in getattr(command, "commands", {}).values():
        texts += help_texts(one)
    return texts


def _read_english_help(thing: Any) -> str:
    """Return the help of a command or parameter as the code has it, whatever language it was shown in since."""
    return str(vars(thing).setdefault("english_help", cleandoc(getattr(thing, "help", None) or "")))
