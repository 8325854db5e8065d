"""Write the man pages of `plenipo` and of each of its commands, from the help of the program itself.

click-man, of the dependency group `publish`, lays them out.

    python scripts/man_pages.py FOLDER
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import cleandoc
from pathlib import Path
from typing import Any

import typer

from plenipo import __version__
from plenipo.cli import app

__all__ = ["Manual", "list_manuals", "write_manuals"]


@dataclass(frozen=True)
class Manual:
    """The content of a command's man page; `path` is `plenipo` or, for instance, `plenipo map check`."""

    path: str
    summary: str
    synopsis: str
    description: str
    options: tuple[tuple[str, str], ...]
    commands: tuple[tuple[str, str], ...]

    @property
    def file(self) -> str:
        """The name of the file."""
        return f"{self.path.replace(' ', '-')}.1"


def list_manuals(command: Any = None, parent: Any = None, name: str = "plenipo") -> Iterator[Manual]:
    """Yield the manual of a command, by default of the program, and those of the commands in it."""
    command = typer.main.get_command(app) if command is None else command
    context = typer.Context(command, info_name=name, parent=parent)
    inner = {key: one for key, one in getattr(command, "commands", {}).items() if not one.hidden}
    records = [
        one.get_help_record(context)
        for kind in ("argument", "option")
        for one in command.params
        if one.param_type_name == kind and not getattr(one, "hidden", False)
    ]
    text = _plain(cleandoc(command.help or ""))
    yield Manual(
        context.command_path,
        _first_sentence(command),
        " ".join(command.collect_usage_pieces(context)),
        text,
        tuple((_plain(record[0]), _plain(record[1])) for record in records if record),
        tuple((key, _first_sentence(one)) for key, one in inner.items()),
    )
    for key, one in inner.items():
        yield from list_manuals(one, context, key)


def _first_sentence(command: Any) -> str:
    """Return the first line of the help of a command, which is a sentence."""
    return _plain(cleandoc(command.help or "").partition("\n")[0]).rstrip(".")


def _plain(text: str) -> str:
    r"""Return a text as troff shows it: no line begins with a request, and a backslash is one."""
    lines = text.replace("\\", "\\e").splitlines()
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in lines)


def write_manuals(folder: Path) -> list[Path]:
    """Write every man page into a folder; return the files."""
    from click_man.man import ManPage  # noqa: PLC0415  # of the group `publish`

    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for manual in list_manuals():
        page = ManPage(manual.path)
        page.version = __version__
        page.short_help = manual.summary
        page.synopsis = manual.synopsis
        page.description = manual.description
        page.options = manual.options
        page.commands = manual.commands
        files.append(folder / manual.file)
        files[-1].write_text(str(page), encoding="utf-8")
    return files


def main() -> None:
    """Write the man pages into the folder that is named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=Path, help="where they are written")
    try:
        print(f"{len(write_manuals(parser.parse_args().folder))} man pages.")
    except ModuleNotFoundError as fault:
        sys.exit(f"The man pages need the package '{fault.name}' of the group 'publish'; use: make manuals.")


if __name__ == "__main__":
    main()
