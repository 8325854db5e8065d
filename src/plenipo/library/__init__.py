"""The library: finds variants and plug-ins, reads them, and makes `Rules` of them.

A variant is a folder of data with a `variant.toml`: one of the package's own, one of another package, or any other on
disk. Reading goes in steps: the files of the variant and its parents become layers, the layers one checked
`Definition`, and `load` adds the options of a game and the rule modules and makes `Rules`. This is the one place that
opens the files of a variant; it runs no code from them that was not allowed.
"""

import json
import tomllib
from atexit import register
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from errno import EINVAL
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import RLock
from typing import Any, TypeVar

from pydantic import TypeAdapter

from plenipo import extras
from plenipo.engine.board import Board, Code
from plenipo.engine.hooks import RuleModule
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.reading.notation import Notation
from plenipo.engine.reading.positions import BoardReader, PositionFault
from plenipo.engine.rulebook import POLICIES, Rulebook
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say
from plenipo.engine.wording import hint, nearest
from plenipo.errors import InvalidVariant, PlenipoError, UnknownName
from plenipo.library import map_files, plugins
from plenipo.library.boards import BOARDS, keep_boards
from plenipo.library.definition import TABLE, Definition, Find, Layer, define, layers_of, only, refuse
from plenipo.library.mistakes import FaultyFile, Mistake, line_of, line_of_part, line_of_words
from plenipo.library.modules import Modules, Option
from plenipo.library.plugins import CODE, FILE, VARIANTS
from plenipo.library.sections import VariantFile
from plenipo.library.trying import troubles
from plenipo.maps import files
from plenipo.maps.cutting.changed_figures import ChangedFigures
from plenipo.maps.figure.board import SpaceText, board_from
from plenipo.maps.figure.contacts import ContactFault, Contacts, ListedBoards, put_on, table_of
from plenipo.maps.figure.figure_files import read_figure
from plenipo.maps.figure.values import line_of_fault
from plenipo.maps.lettering.placements import Placements
from plenipo.user_files import are_unchanged, read_text, stamp_of

__all__ = [
    "VARIANTS",
    "Definition",
    "Mistake",
    "Option",
    "bank",
    "check",
    "check_installed",
    "folder_of",
    "is_cached",
    "is_shipped",
    "keep_boards",
    "kept_figure",
    "list_files",
    "load",
    "load_files",
    "modules_of",
    "names",
    "options_of",
    "read",
    "read_page",
    "schema",
    "title_of",
]

AND = "+"
"""The separator between the names of variants that are played together."""

MOST_VARIANTS = 128
"""The largest number of variants kept in the cache as they were read; the package has fewer."""

MOST_GAMES = 64
"""The largest number of option choices kept in the cache for each variant."""

PAGE = "README{}.md"
"""The file of a variant's page for players; the part before the ending is empty for English, else such as `.de`."""

LONGEST_NAME = 100
"""The number of characters of an unknown name that an error quotes."""

K = TypeVar("K")
V = TypeVar("V")


def names() -> tuple[str, ...]:
    """Return the names of the package's own variants, alphabetically, and of those that other packages bring.

    >>> "standard" in names()
    True
    """
    return tuple(plugins.variants().plugins)


def bank() -> tuple[str, ...]:
    """Return the names of the variants in the variant library, alphabetically; they are loaded like any others.

    >>> "france-austria" in bank()
    True
    """
    return tuple(plugins.bank())


def is_shipped(name: str) -> bool:
    """Return whether a variant, or all of several with `+` between, came with the program or a package."""
    own = (*plugins.variants().plugins, *plugins.shipped_bank())
    return all(part.strip() in own for part in name.split(AND))


def read_page(name: str, language: str = "") -> str | None:
    """Return the page of a variant for players as Markdown, in English or in a language; None if there is none.

    Raises the errors of `folder_of`.
    """
    file = folder_of(name) / PAGE.format(f".{language}" if language else "")
    return file.read_text(encoding="utf-8") if file.is_file() else None


def folder_of(name_or_path: str | Path, near: Path | None = None) -> Path:
    """Return the folder of a variant: an installed one by its name, or else a folder or a map file on disk.

    A relative path is looked for in the folder `near` and the two around it, then in the working directory, and the
    name of a map file among the maps of the package `diplomacy` as well, if that is installed. Raises
    `UnknownName` if there is no such variant, and lists the nearest names.
    """
    installed = plugins.variants()
    if isinstance(name_or_path, str) and name_or_path in installed.plugins:
        return installed[name_or_path]
    if isinstance(name_or_path, str) and name_or_path in plugins.bank():
        return plugins.bank()[name_or_path]
    for place in (near, *near.resolve().parents[:2], Path()) if near else (Path(),):
        if _is_there(place / name_or_path / FILE):
            return (place / name_or_path).resolve()
    if map_files.is_map_file(name_or_path):
        return map_files.folder_from(name_or_path, near)
    name = str(name_or_path)
    quoted = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
    if _is_there(Path(name_or_path) / "."):
        raise UnknownName(
            say("'{quoted}' is a folder without a {file}, so it is not a variant.", quoted=quoted, file=FILE)
        )
    if name in installed.faults:
        raise installed.unknown(name)
    known = (*installed.plugins, *bank())
    told = hint(name, known if nearest(name, known) else installed.plugins)
    if not nearest(name, known):
        told = say(
            "{hint}, and {number} that 'plenipo variants --bank' lists.",
            hint=say("there are {names}", names=", ".join(installed.plugins)),
            number=len(bank()),
        )
    raise UnknownName(say("'{quoted}' is neither a variant nor a folder with one; {told}", quoted=quoted, told=told))


def _is_there(path: Path) -> bool:
    """Return True if `path`, which may be any text that a person wrote, exists."""
    try:
        path.stat()
    except (OSError, ValueError):  # too long, or with signs that no name has
        return False
    return True


@dataclass(frozen=True, eq=False)
class _Source:
    """A variant, or several together, as their files were when they were read.

    `stamps` are the times of the files before they were read, so that no save is missed.
    """

    definition: Definition
    modules: Modules
    stamps: tuple[tuple[Path, int], ...]
    folders: tuple[Path, ...]

    @property
    def current(self) -> bool:
        """True if no file of the variant has changed since it was read."""
        return are_unchanged(self.stamps)

    @cached_property
    def _contacts(self) -> Contacts:
        """The contacts of the board, with every mistake in them; raises `InvalidVariant` if they cannot be read."""
        definition = self.definition
        if definition.below is None:
            return Contacts(_table_in(definition.figure), definition.spaces, definition.name)
        table = _table_in(definition.below) if definition.below.suffix == TABLE else self._as_table(definition.below)
        faults: list[ContactFault] = []
        for more in definition.more:
            table, wrong = put_on(table, _table_in(more), definition.spaces)
            faults += wrong
        contacts = Contacts(table, definition.spaces, definition.name)
        contacts.faults[:0] = faults
        return contacts

    def _as_table(self, file: Path) -> dict[str, Any]:
        """Return a drawn board as a table of contacts, each space where its unit stands on the map."""
        texts = dict(self.definition.spaces)
        figure = read_figure(file)
        known = {code: texts.get(code, SpaceText(code)) for code in figure.faces if code not in figure.offboard}
        board = board_from(figure, known | {box.code: SpaceText(box.code) for box in figure.boxes}, figure.title)
        beside = files.placements_beside(file)
        units = Placements.from_json(read_text(beside)).units if beside.is_file() else {}
        return table_of(board, {at.space: place for at, place in sorted(units.items(), reverse=True)})

    def mistakes_in_contacts(self) -> list[Mistake]:
        """Every mistake in the contacts of the board; none where there is a figure, or no such file."""
        definition = self.definition
        listed = (*definition.more[::-1], *((definition.below or definition.figure,)))
        tables = [file for file in listed if file.suffix == TABLE]
        if not tables or not all(file.exists() for file in listed):
            return []
        texts = [(file, read_text(file, errors="replace")) for file in tables]
        return [_mistake(texts, fault) for fault in self._contacts.faults]

    @cached_property
    def figures(self) -> ChangedFigures | ListedBoards:
        """The source of boards made from the figure, shared by all options of the variant. Raises `InvalidVariant`."""
        definition = self.definition
        for file in dict.fromkeys((definition.figure, *definition.more)):
            if not file.exists():
                key = (
                    "more_contacts" if definition.more else "contacts" if definition.is_given_by_contacts else "figure"
                )
                refuse([definition.mistake([key], f"'{key}' names {file.name}, which is not there.")])
        if definition.is_given_by_contacts:
            refuse(self.mistakes_in_contacts())
            return ListedBoards(self._contacts.board(), self._contacts.seats)
        try:
            drawn = read_figure(definition.figure)
            figures = ChangedFigures(drawn, definition.spaces, definition.name, BOARDS)
            figures.board(())
        except (PlenipoError, UnicodeDecodeError) as fault:
            text = read_text(definition.figure, errors="replace")
            line = line_of_fault(text, str(fault), json.loads)
            raise FaultyFile(Mistake(definition.figure, line, str(fault))) from fault
        return figures

    @cached_property
    def rules(self) -> OrderedDict[tuple[tuple[str, str], ...], Rules]:
        """The rules that were made of it, by the options set."""
        return OrderedDict()


def _table_in(file: Path) -> dict[str, Any]:
    """Return the table in a file; raise `InvalidVariant` if it is not TOML."""
    try:
        return tomllib.loads(read_text(file))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise FaultyFile(Mistake(file, 0, say("this is not TOML: {fault}.", fault=fault))) from fault


def _mistake(texts: Sequence[tuple[Path, str]], fault: ContactFault) -> Mistake:
    """Return a fault as a mistake, in the nearest of the tables that contain its subject."""
    found = ((file, line_of(text, fault.place)) for file, text in texts)
    file, line = next(((file, line) for file, line in found if line), (texts[0][0], 0))
    return Mistake(file, line, fault.sentence)


_SOURCES: OrderedDict[tuple[Path, ...], _Source] = OrderedDict()
_PLAYABLE: OrderedDict[str, _Source] = OrderedDict()
"""The variants in added folders, by their names, as they were when they could last be played."""

_MAKING = RLock()
"""The lock held while a cached value is made, so that it is made only once."""


def _get_or_make(memory: OrderedDict[K, V], key: K, make: Callable[[], V], most: int) -> V:
    """Return the value of `key`, computed if it is not cached; the least recently used are dropped."""
    with _MAKING:
        if key not in memory:
            memory[key] = make()
        memory.move_to_end(key)
        while len(memory) > most:
            memory.popitem(last=False)
        return memory[key]


def _source(name_or_path: str | Path, near: Path | None = None) -> _Source:
    """Return the source of the named variant, read again if one of its files was edited. Raises as `load` does."""
    folders = _folders_of(name_or_path, near)
    known = _SOURCES.get(folders)
    if known is not None and not known.current:
        _SOURCES.pop(folders, None)
    return _get_or_make(_SOURCES, folders, lambda: _sound(folders), MOST_VARIANTS)


def _folders_of(name_or_path: str | Path, near: Path | None = None) -> tuple[Path, ...]:
    """Return the folder of a variant, or those of several with `+` between in the order of their names."""
    if isinstance(name_or_path, Path) or AND not in name_or_path or _is_there((near or Path()) / name_or_path):
        return (folder_of(name_or_path, near),)
    parts = {folder_of(part.strip(), near) for part in name_or_path.split(AND)}
    return tuple(sorted(parts, key=lambda path: path.name))


def is_cached(name: str) -> bool:
    """Return whether a variant, or several with `+` between, is in the cache; else `load` takes its time.

    Raises `UnknownName`.
    """
    return _folders_of(name) in _SOURCES


def _sound(folders: tuple[Path, ...], find: Find = folder_of) -> _Source:
    read = _read(folders, find)
    if isinstance(read, _Source):
        return read
    refuse(read)
    raise InvalidVariant(say("'{folders}' cannot be read.", folders=AND.join(folder.name for folder in folders)))


def _read(folders: tuple[Path, ...], find: Find = folder_of) -> _Source | list[Mistake]:
    """Return the variants in these folders together, or all their mistakes; raise `InvalidVariant` for faulty code."""
    layers: list[Layer] = []
    mistakes: list[Mistake] = []
    for folder in folders:
        good, bad = only(list(layers_of(folder, find)))
        layers += [layer for layer in good if layer.folder not in {other.folder for other in layers}]
        mistakes += bad
    # a folder beside which code appears is read again, and so is one whose figure changes
    code = [layer.folder / CODE for layer in layers]
    stamps = [*((layer.file, layer.stamp) for layer in layers), *((file, stamp_of(file)) for file in code)]
    own = plugins.code_of(file for file in code if file.exists())
    definition: Definition | None = None
    if not mistakes:
        definition, mistakes = define(AND.join(folder.name for folder in folders), layers)
    if definition is None:
        return mistakes
    boards = (*definition.more, definition.below or definition.figure)
    stamps += ((file, stamp_of(file)) for file in boards)
    shelf = plugins.rule_modules()
    modules = Modules(definition, {**shelf.values, **own}, shelf.faults)
    return _Source(definition, modules, tuple(stamps), folders)


def read(name_or_path: str | Path, *, as_saved: bool = False) -> Definition:
    """Return the definition of a variant, or of several with `+` between; raise the errors of `load`."""
    try:
        return _source(name_or_path).definition
    except (PlenipoError, OSError):
        if as_saved or name_or_path not in _PLAYABLE:
            raise
        return _PLAYABLE[str(name_or_path)].definition


def title_of(name: str) -> str:
    """Return the title of a variant, or its name where its folder is gone or cannot be played now."""
    try:
        return load(name).title
    except (PlenipoError, OSError):
        return name


def modules_of(name_or_path: str | Path) -> tuple[RuleModule, ...]:
    """Return the rule modules of a variant with its own options, without its board; raise the errors of `load`."""
    return _source(name_or_path).modules.make({})


def load(
    name_or_path: str | Path,
    options: Mapping[str, str] | None = None,
    *,
    near: Path | None = None,
    as_saved: bool = False,
) -> Rules:
    """Return the rules of a variant, or of several with `+` between, ready to play; the same value for the same call.

    Options are `rulebook` (an edition), the key of any policy such as `4.A.2`, `victory` (centres that win), and those
    in the rule modules in play. A folder is also looked for in the folder `near` and around it. Raises `UnknownName`
    for a variant, option or choice there is none of, `InvalidVariant` for a faulty folder and for variants that cannot
    be played together. A variant in an added folder that cannot be played now is as it was when it last could, in this
    process, unless it is wanted `as_saved`.

    >>> rules = load("standard", {"rulebook": "1971"})
    >>> rules.rulebook["4.A.1"], rules.to_win
    ('any', 18)
    """
    return _load(name_or_path, options or {}, near, as_saved=as_saved)[1]


def _load(
    name_or_path: str | Path, options: Mapping[str, str], near: Path | None = None, *, as_saved: bool = False
) -> tuple[_Source, Rules]:
    chosen = tuple((str(key), str(value)) for key, value in options.items())

    def rules_by(source: _Source) -> Rules:
        return _get_or_make(source.rules, chosen, lambda: _make_reloadable(source, chosen), MOST_GAMES)

    try:
        source = _source(name_or_path, near)
        rules = rules_by(source)
    except (PlenipoError, OSError):
        if as_saved or name_or_path not in _PLAYABLE:
            raise
        source = _PLAYABLE[str(name_or_path)]
        return source, rules_by(source)
    if isinstance(name_or_path, str) and plugins.version_of(name_or_path):
        _keep_playable(name_or_path, source)
    return source, rules


def _keep_playable(name: str, source: _Source) -> None:
    with _MAKING:
        _PLAYABLE[name] = source
        _PLAYABLE.move_to_end(name)
        while len(_PLAYABLE) > MOST_VARIANTS:
            _PLAYABLE.popitem(last=False)


def list_files(rules: Rules) -> Mapping[str, str]:
    """Return the texts, by folder and name of the file, of which the rules of an added variant were made.

    Shipped files are left out. Empty where a file has changed since, or where the variant brings code, which runs from
    its own place alone.
    """
    source = _PLAYABLE.get(rules.variant)
    if source is None or not source.current or all(made is not rules for made in list(source.rules.values())):
        return {}
    shipped = {*plugins.variants().values.values(), *plugins.shipped_bank().values()}
    figure = source.definition.figure
    beside = (files.placements_beside(figure), figure.with_name(files.LOOK), figure.with_name("figure.json"))
    read_files = dict.fromkeys((*(file for file, stamp in source.stamps if stamp), *beside))
    used = [file for file in read_files if file.parent not in shipped and file.is_file()]
    if any(file.name == CODE for file in used):
        return {}
    texts = {f"{file.parent.name}/{file.name}": read_text(file) for file in used}
    return texts if source.current and len(texts) == len(used) else {}


def load_files(name: str, texts: Mapping[str, str], options: Mapping[str, str]) -> Rules:
    """Return the rules of a variant as its files were when `list_files` listed them; raise the errors of `load`."""
    find = _finder_in(texts)
    parts = {find(part.strip(), Path()) for part in name.split(AND)}
    folders = tuple(sorted(parts, key=lambda path: path.name))
    source = _get_or_make(_KEPT, folders, lambda: _sound(folders, find), MOST_VARIANTS)
    chosen = tuple((str(key), str(value)) for key, value in options.items())
    return _get_or_make(source.rules, chosen, lambda: _make_reloadable(source, chosen), MOST_GAMES)


_KEPT: OrderedDict[tuple[Path, ...], _Source] = OrderedDict()
"""The variants that were read from files elsewhere than in their folders."""


def kept_figure(rules: Rules) -> Path | None:
    """Return the file of the figure, or of the contacts, of rules that `load_files` returned; None for others."""
    for source in list(_KEPT.values()):  # other threads may add to it meanwhile
        if any(made is rules for made in list(source.rules.values())):
            return source.definition.figure
    return None


@cache
def _make_top() -> Path:
    """Make the folder of this process for files that come from elsewhere; it goes with the process."""
    top = Path(mkdtemp(prefix="plenipo-kept-"))
    register(rmtree, top, ignore_errors=True)
    return top


def _finder_in(texts: Mapping[str, str]) -> Find:
    """Return a `folder_of` that looks among files from elsewhere first; they are written to a folder of their own."""
    with _MAKING:
        top = _make_top() / sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()[:32]
        for place, text in texts.items():
            folder, _, file = place.partition("/")
            if {folder, file} & {"", ".", ".."} or "/" in file or "\\" in place:
                raise OSError(EINVAL, "it is not a folder and a file", place)
            if not (top / folder / file).exists():
                (top / folder).mkdir(parents=True, exist_ok=True)
                (top / folder / file).write_text(text, encoding="utf-8", newline="\n")

    def find(name_or_path: str, near: Path) -> Path:
        inside = top / Path(name_or_path).name
        return inside if _is_there(inside / FILE) else folder_of(name_or_path, near)

    return find


def _make_reloadable(source: _Source, options: tuple[tuple[str, str], ...]) -> Rules:
    """Make rules that another process loads again when they are sent to it."""
    return _rules(source, dict(options)).made_by(_load_again, source.folders, options)


def _load_again(folders: tuple[Path, ...], options: tuple[tuple[str, str], ...]) -> Rules:
    """Return the rules of the variants in `folders`; raise as `load` does."""
    source = _get_or_make(_SOURCES, folders, lambda: _sound(folders), MOST_VARIANTS)
    return _get_or_make(source.rules, options, lambda: _make_reloadable(source, options), MOST_GAMES)


def check_installed(rules: Rules) -> None:
    """Raise `MissingExtra` if something is not installed that a game of `rules` may come to need.

    >>> check_installed(load("standard"))
    """
    if any(module.cuts for module in rules.modules):
        extras.check("maps", what=f"{rules.title}, whose board is split in play,")


def _rules(source: _Source, options: Mapping[str, str]) -> Rules:
    try:
        return _make_rules(source, options)
    except PlenipoError:
        raise
    except Exception as fault:
        mistake = plugins.mistake_in_code(fault)
        if mistake is not None:
            raise FaultyFile(mistake) from fault
        blamed = plugins.blame(fault)
        if not blamed:
            raise
        raise InvalidVariant(blamed) from fault


def _make_rules(source: _Source, options: Mapping[str, str]) -> Rules:
    definition, figures = source.definition, source.figures
    modules = source.modules.make(options)
    refuse(_without_figure(definition, modules))
    board = figures.board(())
    for module in modules:
        board = module.board(board)
    rulebook, to_win = _choose(source, board, options)
    calendar = definition.calendar
    for module in modules:
        calendar = module.calendar(calendar)
    powers = definition.powers
    for module in modules:
        powers = module.game_powers(powers)
    opening, mistakes = _opening(definition, board, {info.name for info in powers})
    refuse(mistakes)
    rules = Rules(
        definition.name,
        definition.title,
        board,
        powers,
        calendar,
        rulebook,
        to_win,
        replace(opening, phase=calendar.first),
        options,
        modules,
        figures,
    )
    position = rules.opening
    for module in modules:
        position = module.opening(rules, position)
    rules = replace(rules, opening=position)
    _ = rules.facts  # those of two modules that contradict each other are refused now, not in the middle of a game
    return rules


def _without_figure(definition: Definition, modules: Iterable[RuleModule]) -> list[Mistake]:
    """Return a mistake for each rule module that needs a figure, where there is none."""
    return [
        definition.mistake(
            ["modules", module.name],
            f"'{module.name}' needs a figure, and the board is given by the contacts of {definition.figure.name}.",
        )
        for module in modules
        if module.needs_figure and definition.is_given_by_contacts
    ]


def options_of(name_or_path: str | Path) -> tuple[Option, ...]:
    """Return the options of the rule modules of a variant; `rulebook`, `victory` and the policies can be set too."""
    source, rules = _load(name_or_path, {})
    return source.modules.options(rules.modules)


def _choose(source: _Source, board: Board, options: Mapping[str, str]) -> tuple[Rulebook, int]:
    """Return the rulebook and the number of centres that wins, with `options` in place of the variant's own."""
    definition, known = source.definition, source.modules.option_names
    for key in options:
        if key not in known and key not in source.modules.settable:
            raise UnknownName(
                say(
                    "'{key}' is not an option of {title}; {hint}",
                    key=key,
                    title=definition.title,
                    hint=hint(key, known),
                )
            )
    if "rulebook" in options:
        # another edition replaces the variant's single choices too: they deviate from the edition it names
        edition, policies = options["rulebook"], {}
    else:
        edition, policies = definition.rulebook, dict(definition.policies)
    policies |= {key: value for key, value in options.items() if key in POLICIES}
    to_win = definition.victory
    if "victory" in options:
        text = options["victory"]
        most = len(board.centres)
        if not text.isdecimal() or not 1 <= int(text) <= most:
            raise UnknownName(
                say(
                    "'{text}' is not a number of centres to win with; write one from 1 to {most}.", text=text, most=most
                )
            )
        to_win = int(text)
    return Rulebook.edition(edition, policies), to_win


def _opening(definition: Definition, board: Board, playing: Collection[Power]) -> tuple[Position, list[Mistake]]:
    """Return the opening of the playing powers, with units as written and home centres owned, and its mistakes."""
    reader = BoardReader(board, Power, lambda: Notation(board, definition.powers))
    units: list[Unit] = []
    homes: dict[Power, frozenset[Code]] = {}
    owners: dict[Code, Power] = {}
    for power, texts in definition.units.items():
        if power not in playing:
            continue
        path = ("powers", power, "units")
        own = tuple(reader.units_of(path, power, texts))
        units += own
        homes[power] = frozenset(unit.space for unit in own) & board.centres
        if power in definition.homes:
            path = ("powers", power, "homes")
            homes[power] = frozenset(reader.each(path, definition.homes[power], reader.centre))
        of_whom = "a home centre of"
        first = homes[power]
        if power in definition.owned:
            path, of_whom = ("powers", power, "owned"), "owned by"
            first = frozenset(reader.each(path, definition.owned[power], reader.centre))
        for code in sorted(first):
            if code in owners:
                reader.faults.append(PositionFault(path, f"{code} is {of_whom} {owners[code]}."))
            owners[code] = power
    mistakes = [definition.mistake(fault.place, str(fault)) for fault in reader.faults]
    opening = Position(definition.calendar.first, tuple(units), owners=owners, homes=homes)
    for why in opening.faults(board):
        whose = next((unit.power for unit in reversed(units) if f"'{unit}'" in why), "")
        mistakes.append(definition.mistake(("powers", whose, "units"), f"in the opening {why}"))
    return opening, mistakes


def check(name_or_path: str | Path, *, plays: Callable[[], bool] = lambda: True) -> list[Mistake]:
    """Every mistake in a variant, as far as one hides no other, and those of its first years, while it `plays` them.

    Raises `UnknownName` for a text that names no variant.
    """
    folder = folder_of(name_or_path) if isinstance(name_or_path, str) else name_or_path
    try:
        source = _read((folder,))
        if not isinstance(source, _Source):
            return source
        if mistakes := source.mistakes_in_contacts():
            return mistakes
        board = source.figures.board(())
        of_modules = source.modules.mistakes()
        modules = () if of_modules else source.modules.make({})
        for module in modules:
            board = module.board(board)
        mistakes = of_modules + _without_figure(source.definition, modules)
        if not source.definition.is_given_by_contacts:
            figure, taken_over = source.definition.figure, source.definition.figure.parent != folder
            faults = files.faults(figure, source.figures.board(()), inherited=taken_over)
            mistakes += [Mistake(*fault) for fault in faults]
        mistakes += _opening(source.definition, board, source.definition.units)[1]
        rules = None if mistakes else _rules(source, {})
        if rules is not None and plays():
            mistakes += [source.definition.mistake(path or ("title",), why) for path, why in troubles(rules, plays)]
    except FaultyFile as fault:
        return [fault.mistake]
    except PlenipoError as fault:
        text = read_text(folder / FILE, errors="replace")
        path = getattr(fault, "path", ())
        line = line_of_part(text, path) or line_of_words(text, str(fault))
        return [Mistake(folder / FILE, line, fault.sentence)]
    return sorted(mistakes, key=lambda mistake: (mistake.file, mistake.line))


def schema() -> dict[str, Any]:
    """Return the JSON schema of a `variant.toml`, with the options of every rule module, for editors."""
    whole = VariantFile.model_json_schema()
    modules = plugins.rule_modules().plugins
    options = {name: TypeAdapter(plugin.value).json_schema() for name, plugin in sorted(modules.items())}
    for name, part in options.items():
        part["additionalProperties"] = False
        if modules[name].package:
            part["$comment"] = f"of {modules[name].package}"
        whole["$defs"] |= part.pop("$defs", {})
    whole["properties"]["modules"] = {
        "type": "object",
        "description": VariantFile.model_fields["modules"].description,
        "properties": options,
        "additionalProperties": False,
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole}
