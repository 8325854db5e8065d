"""Plug-ins: what installed packages bring, and the code beside a `variant.toml` that a person has allowed.

A package declares entry points in the groups below; each is loaded when its kind is first asked for. What cannot be
used is left out with a sentence that names the package, and nothing else suffers. `docs/plugins.md` shows an example.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from inspect import getdoc
from os import scandir
from pathlib import Path
from traceback import walk_tb
from typing import Generic, TypeVar

from plenipo.boards_in import READERS, BoardFormat
from plenipo.bots import BOTS, Bot
from plenipo.engine.hooks import RuleModule
from plenipo.engine.sentences import Sentence, say
from plenipo.engine.wording import hint, with_article
from plenipo.errors import UnknownName
from plenipo.formats import FORMATS, Format
from plenipo.library.mistakes import FaultyFile, Mistake
from plenipo.rulekit import MODULES
from plenipo.user_files import check as check_file
from plenipo.user_files import stamp_of

__all__ = [
    "BANK",
    "CODE",
    "FILE",
    "VARIANTS",
    "Plugin",
    "PluginRegistry",
    "add_folders",
    "added_folders",
    "bank",
    "blame",
    "board_readers",
    "code_is_trusted",
    "code_of",
    "every_shelf",
    "find_added",
    "formats",
    "mistake_in_code",
    "players",
    "refresh",
    "rule_modules",
    "shipped_bank",
    "stamps_in",
    "trust_code",
    "variants",
    "version_of",
]

FILE = "variant.toml"
"""The file that makes a folder a variant."""

CODE = "rules.py"
"""The file beside a `variant.toml` with rule modules of this variant alone."""

VARIANTS = Path(__file__).parents[1] / "variants"
"""The folder of the package's own variants."""

BANK = VARIANTS / "bank"
"""The folder of the variant library: many more variants, listed separately so that other listings do not wait."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Plugin(Generic[T]):
    """Something that may be named: a rule module, a computer player, a variant or a format.

    `package` is the installed package it comes from with its version, empty for Plenipo's own.
    """

    name: str
    value: T
    package: str = ""
    origin: str = ""
    """The top of the names of the package's Python modules."""

    @property
    def summary(self) -> str:
        """The first line of its docstring, or the title of a format or a reader; empty for a variant."""
        if isinstance(self.value, Path):
            return ""
        if isinstance(self.value, Format | BoardFormat):
            return self.value.title
        return (getdoc(self.value) or "").partition("\n")[0]


@dataclass(frozen=True, slots=True)
class PluginRegistry(Generic[T]):
    """Everything of one kind by name, Plenipo's own first, and a sentence by name for each plugin that failed."""

    noun: str
    plugins: Mapping[str, Plugin[T]]
    faults: Mapping[str, str]

    @property
    def values(self) -> Mapping[str, T]:
        """Each value by its name."""
        return {name: plugin.value for name, plugin in self.plugins.items()}

    @property
    def installed_plugins(self) -> tuple[Plugin[T], ...]:
        """The plugins that come from other packages."""
        return tuple(plugin for plugin in self.plugins.values() if plugin.package)

    def unknown(self, name: str) -> UnknownName:
        """Return the exception for a name that is not on the shelf; it says so if a package should have brought it."""
        what, near = with_article(self.noun), hint(name, self.plugins)
        why = say("'{name}' is not {what}; {hint}", name=name, what=_NOUNS.get(what, what), hint=near)
        return UnknownName(self.faults.get(name) or why)

    def __getitem__(self, name: str) -> T:
        if name not in self.plugins:
            raise self.unknown(name)
        return self.plugins[name].value


@cache
def rule_modules() -> PluginRegistry[type[RuleModule]]:
    """Return the rule modules; packages add them in the group `plenipo.rule_modules`, each a class under its name."""

    def fits(name: str, value: object) -> bool:
        return isinstance(value, type) and issubclass(value, RuleModule) and is_dataclass(value) and value.name == name

    return _shelf("rule module", "plenipo.rule_modules", MODULES, fits, "a rule module with the name '{name}'")


@cache
def players() -> PluginRegistry[Bot]:
    """Return the computer players; packages bring them in the group `plenipo.players`, each a function."""
    return _shelf("computer player", "plenipo.players", BOTS, lambda _, value: callable(value), "a function")


@cache
def variants() -> PluginRegistry[Path]:
    """Return the variants; packages bring them in the group `plenipo.variants`, each the path of its folder."""
    own = {file.parent.name: file.parent for file in sorted(VARIANTS.glob(f"*/{FILE}"))}
    there = f"the path of a folder with a {FILE}"
    return _shelf(
        "variant", "plenipo.variants", own, lambda _, it: isinstance(it, Path) and (it / FILE).is_file(), there
    )


@cache
def shipped_bank() -> Mapping[str, Path]:
    """Return the folders of the variants in the variant library that come with the program, by name."""
    return {file.parent.name: file.parent for file in sorted(BANK.glob(f"*/{FILE}"))}


def bank() -> Mapping[str, Path]:
    """Return the folders of the variants in the variant library, by name, with those that `add_folders` added."""
    return {**find_added(), **shipped_bank()} if _ADDED else shipped_bank()


_ADDED: list[Path] = []
"""The folders of variants that the person who started this process added."""

_SEEN: dict[tuple[tuple[Path, int], ...], Mapping[str, Path]] = {}
"""The variants in those folders, by the times at which the folders were last changed."""


def add_folders(folders: Iterable[Path]) -> None:
    """Add folders to the variant library: each is a variant, or has variants in it. None of them need exist yet."""
    _ADDED.extend(folder.absolute() for folder in folders if folder.absolute() not in _ADDED)


def added_folders() -> tuple[Path, ...]:
    """Return the folders that `add_folders` added, in order, for another process with the same library."""
    return tuple(_ADDED)


def find_added() -> Mapping[str, Path]:
    """Return the variants in the added folders by name, as they are now; the first of several with one name counts.

    A name of a variant that came with the program keeps its meaning.
    """
    stamps = tuple((folder, stamp_of(folder)) for top in _ADDED for folder in (top, *_find_unfinished(top)))
    if stamps not in _SEEN:
        _SEEN.clear()
        own, found = {*variants().plugins, *shipped_bank()}, dict[str, Path]()
        for top in _ADDED:
            folders = [top] if (top / FILE).is_file() else [file.parent for file in sorted(top.glob(f"*/{FILE}"))]
            for folder in folders:
                if not (folder.name in own or "+" in folder.name or folder.name.startswith(".")):
                    found.setdefault(folder.name, folder)
        _SEEN[stamps] = found
    return _SEEN[stamps]


def version_of(name: str) -> tuple[int, ...]:
    """Return the times at which the files of an added variant, or of those joined with `+`, were last changed.

    Empty for variants that come with the program or with a package, which stay as they are while it runs.
    """
    folders = [folder for part in name.split("+") if (folder := _ADDED and find_added().get(part.strip()))]
    return tuple(sorted(stamp_of(file) for folder in folders for file in _files_in(folder)))


def stamps_in(folder: Path) -> tuple[tuple[str, int], ...]:
    """Return the files in a folder, by their names, with the times at which they were last changed."""
    return tuple(sorted((file.name, stamp_of(file)) for file in _files_in(folder)))


def _files_in(folder: Path) -> list[Path]:
    try:
        with scandir(folder) as entries:
            return [Path(entry) for entry in entries]
    except OSError:
        return []


def _find_unfinished(top: Path) -> Iterator[Path]:
    """Yield the folders in `top` that are no variants yet, whose next change may make them one."""
    try:
        with scandir(top) as entries:
            yield from (Path(entry) for entry in entries if entry.is_dir() and not (Path(entry) / FILE).is_file())
    except OSError:
        return


@cache
def formats() -> PluginRegistry[Format]:
    """Return the file formats; packages add them in the group `plenipo.formats`, each a `Format` under its own name."""

    def fits(name: str, value: object) -> bool:
        return isinstance(value, Format) and value.name == name

    return _shelf("format", "plenipo.formats", FORMATS, fits, "a format with the name '{name}'")


@cache
def board_readers() -> PluginRegistry[BoardFormat]:
    """Return the readers of boards; packages add them in the group `plenipo.board_readers`, each under its own name."""

    def fits(name: str, value: object) -> bool:
        return isinstance(value, BoardFormat) and value.name == name

    return _shelf("board reader", "plenipo.board_readers", READERS, fits, "a board reader with the name '{name}'")


def every_shelf() -> tuple[
    PluginRegistry[type[RuleModule]],
    PluginRegistry[Bot],
    PluginRegistry[Path],
    PluginRegistry[Format],
    PluginRegistry[BoardFormat],
]:
    """All that can be plugged in."""
    return rule_modules(), players(), variants(), formats(), board_readers()


def refresh() -> None:
    """Search again for installed plugins."""
    for shelf in (rule_modules, players, variants, formats, board_readers):
        shelf.cache_clear()


def _shelf(
    noun: str, group: str, own: Mapping[str, T], fits: Callable[[str, object], bool], wanted: str
) -> PluginRegistry[T]:
    """Plenipo's `own` and what packages bring, so far as it `fits`; `wanted` says what each must be."""
    plugins: dict[str, Plugin[T]] = {name: Plugin(name, value) for name, value in own.items()}
    faults: dict[str, str] = {}
    for point in sorted(entry_points(group=group), key=lambda point: (_package(point), point.name)):
        if point.name in plugins:
            other = plugins[point.name].package or "Plenipo"
            why: Sentence = say("{other} has one of that name.", other=other)
            faults.setdefault(f"{point.name} of {_package(point)}", _unusable(noun, point, why))
            continue
        try:
            value = point.load()
        except (Exception, SystemExit) as fault:  # noqa: BLE001  # whatever a package does must not break the rest
            why = say("loading it raised {type}: {fault}.", type=type(fault).__name__, fault=fault)
            faults[point.name] = _unusable(noun, point, why)
            continue
        if not fits(point.name, value):
            why = say("{value} is not {wanted}.", value=point.value, wanted=wanted.format(name=point.name))
            faults[point.name] = _unusable(noun, point, why)
        else:
            plugins[point.name] = Plugin(point.name, value, _package(point), point.module.partition(".")[0])
    return PluginRegistry(noun, plugins, faults)


_NOUNS: Mapping[str, Sentence] = {
    "a variant": say("a variant"),
    "a rule module": say("a rule module"),
    "a computer player": say("a computer player"),
    "a format": say("a format"),
    "a board reader": say("a board reader"),
}
"""The things that packages bring, as sentences name them."""


def _unusable(noun: str, point: EntryPoint, why: str) -> str:
    parts = {"noun": noun, "name": point.name, "package": _package(point), "why": why}
    return say("The {noun} '{name}' of {package} cannot be used: {why}", **parts)


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else "an unknown package"


def _raisers(fault: BaseException) -> list[str]:
    """Return the names of the modules through which a fault came, the innermost first."""
    return [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(fault.__traceback__)][::-1]


def mistake_in_code(fault: BaseException) -> Mistake | None:
    """Return the mistake in the code beside a variant that raised `fault`; None if no such code did."""
    file = next((_FILES[raiser] for raiser in _raisers(fault) if raiser in _FILES), None)
    return (
        None
        if file is None
        else Mistake(file, 0, say("this code raised {type}: {fault}.", type=type(fault).__name__, fault=fault))
    )


def blame(fault: BaseException) -> str:
    """Which plug-in raised `fault`, a sentence; empty if the fault is Plenipo's own."""
    mistake = mistake_in_code(fault)
    if mistake is not None:
        return mistake.as_sentence()
    for raiser in _raisers(fault):
        for shelf in every_shelf():
            for plugin in shelf.installed_plugins:
                if raiser.partition(".")[0] == plugin.origin:
                    return say(
                        "The {noun} '{name}' of {package} raised {type}: {fault}.",
                        noun=shelf.noun,
                        name=plugin.name,
                        package=plugin.package,
                        type=type(fault).__name__,
                        fault=fault,
                    )
    return ""


# Code beside a variant


_FILES: dict[str, Path] = {}
"""The files that were run, by the names of their Python modules."""


_TRUSTED = {"code": False}
"""The permissions that the person who started this process gave; the command line sets them once."""


def trust_code(*, allowed: bool = True) -> None:
    """Allow variants to bring code of their own, or forbid it again. It runs with all rights of this process."""
    _TRUSTED["code"] = allowed


def code_is_trusted() -> bool:
    """Return whether variants may bring code of their own."""
    return _TRUSTED["code"]


def code_of(files: Iterable[Path]) -> Mapping[str, type[RuleModule]]:
    """Return the rule modules that files beside variants define, by name.

    Raises `OSError` for a file that is not regular, and `FaultyFile` if code is not allowed, if a file raises, or if a
    name in it is taken.
    """
    modules: dict[str, type[RuleModule]] = {}
    for file in files:
        check_file(file)
        if not _TRUSTED["code"]:
            why = "this variant brings code, which would run with all your rights; read it, and allow it with --trust."
            raise FaultyFile(Mistake(file, 0, why))
        name = f"plenipo_code_{sha256(str(file).encode()).hexdigest()[:16]}"
        spec = spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            raise FaultyFile(Mistake(file, 0, "this cannot be read as Python."))
        code = sys.modules[name] = module_from_spec(spec)
        _FILES[name] = file
        try:
            spec.loader.exec_module(code)
        except (Exception, SystemExit) as fault:
            raise FaultyFile(
                Mistake(file, 0, say("running it raised {type}: {fault}.", type=type(fault).__name__, fault=fault))
            ) from fault
        for value in vars(code).values():
            if isinstance(value, type) and issubclass(value, RuleModule) and value.__module__ == name:
                if value.name in rule_modules().plugins or value.name in modules or not is_dataclass(value):
                    raise FaultyFile(
                        Mistake(file, 0, say("'{name}' is not a free name of a rule module.", name=value.name))
                    )
                modules[value.name] = value
    return modules
