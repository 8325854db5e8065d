"""The library: finds variant folders, reads them, and makes `Rules` of them.

A variant is a folder of data with a `variant.toml`, either one of the package's own or any other on disk. Reading goes
in steps: the files of the variant and its parents become layers, the layers one checked `Definition`, and `load` adds
the options of a game and the rule modules and makes `Rules`. This is the one place that opens the files of a variant;
it runs no code from them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from plenipo.engine.board import Board, Coast, Code, Location, UnitKind
from plenipo.engine.hooks import RuleModule
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rulebook import POLICIES, Rulebook
from plenipo.engine.rules import Rules
from plenipo.engine.wording import hint
from plenipo.errors import InvalidVariant, PlenipoError, UnknownName
from plenipo.library.definition import FILE, Definition, Layer, define, layers_of, only, refuse
from plenipo.library.mistakes import Mistake
from plenipo.library.tables import VariantTable
from plenipo.maps.cutting.changed import FigureSurveyor
from plenipo.maps.figure.planar import Figure
from plenipo.rulekit import MODULES

__all__ = [
    "VARIANTS",
    "Definition",
    "Mistake",
    "Option",
    "check",
    "folder_of",
    "load",
    "names",
    "options_of",
    "read",
    "schema",
]

VARIANTS = Path(__file__).parents[1] / "variants"
"""The folder of the package's own variants."""

AND = "+"
"""What stands between the names of variants that are played together."""


def names() -> tuple[str, ...]:
    """The names of the package's own variants, alphabetically.

    >>> "standard" in names()
    True
    """
    return tuple(sorted(file.parent.name for file in VARIANTS.glob(f"*/{FILE}")))


def folder_of(name_or_path: str | Path, near: Path | None = None) -> Path:
    """The folder of a variant: one of the package's own by its name, or else a folder on disk.

    A relative path is also looked for beside the folder `near`. Raises `UnknownName` if there is no such variant, and
    lists the nearest names.
    """
    if isinstance(name_or_path, str) and name_or_path in names():
        return VARIANTS / name_or_path
    places = [Path(), near, near.parent] if near else [Path()]
    for path in (place / name_or_path for place in places):
        if (path / FILE).is_file():
            return path.resolve()
    if Path(name_or_path).is_dir():
        raise UnknownName(f"'{name_or_path}' is a folder without a {FILE}, so it is no variant.")
    known = names()
    raise UnknownName(f"'{name_or_path}' is neither a variant nor a folder with one; {hint(str(name_or_path), known)}")


def _folders(name_or_path: str | Path) -> tuple[Path, ...]:
    """The folders of the variants named, one or several with `+` between."""
    if isinstance(name_or_path, Path) or AND not in name_or_path or Path(name_or_path).exists():
        return (folder_of(name_or_path),)
    return tuple(sorted({folder_of(part.strip()) for part in name_or_path.split(AND)}, key=lambda path: path.name))


def _stamps(folders: Iterable[Path]) -> tuple[tuple[str, int], ...]:
    """The times of the files in these folders and those of the package, so that an edited variant is read again."""
    found = {*folders, *(path.parent for path in VARIANTS.glob(f"*/{FILE}"))}
    return tuple(
        (str(file), file.stat().st_mtime_ns)
        for folder in sorted(found)
        for file in sorted(folder.glob("*.*"))
        if file.is_file()
    )


def read(name_or_path: str | Path) -> Definition:
    """The definition of a variant, or of several with `+` between; raises as `load` does."""
    folders = _folders(name_or_path)
    return _read(folders, _stamps(folders))


@lru_cache(maxsize=64)
def _read(folders: tuple[Path, ...], stamps: tuple[tuple[str, int], ...]) -> Definition:  # noqa: ARG001  # a key
    definition, mistakes = _define(folders)
    refuse(mistakes)
    if definition is None:
        raise InvalidVariant(f"'{AND.join(folder.name for folder in folders)}' cannot be read.")
    return definition


def _define(folders: tuple[Path, ...]) -> tuple[Definition | None, list[Mistake]]:
    layers: list[Layer] = []
    mistakes: list[Mistake] = []
    for folder in folders:
        good, bad = only(list(layers_of(folder, folder_of)))
        layers += [layer for layer in good if layer.folder not in {other.folder for other in layers}]
        mistakes += bad
    if mistakes or not layers:
        return None, mistakes
    return define(AND.join(folder.name for folder in folders), layers)


def load(name_or_path: str | Path, options: Mapping[str, str] | None = None) -> Rules:
    """The rules of a variant, or of several with `+` between, ready to play; the same value for the same call.

    Options are `rulebook` (an edition), the key of any policy such as `4.A.2`, `victory` (centres that win), and those
    of the rule modules in play. Raises `UnknownName` for a variant, option or choice there is none of,
    `InvalidVariant` for a faulty folder and for variants that cannot be played together.

    >>> rules = load("standard", {"rulebook": "1971"})
    >>> rules.rulebook["4.A.1"], rules.to_win
    ('any', 18)
    """
    folders = _folders(name_or_path)
    stamps = _stamps(folders)
    chosen = tuple((str(key), str(value)) for key, value in (options or {}).items())
    # asked for even where the rules are remembered, so that all rules of a variant share one board
    return _load(folders, stamps, chosen, _surveyor(folders, stamps))


@lru_cache(maxsize=256)
def _load(
    folders: tuple[Path, ...],
    stamps: tuple[tuple[str, int], ...],
    chosen: tuple[tuple[str, str], ...],
    surveyor: FigureSurveyor,
) -> Rules:
    definition = _read(folders, stamps)
    options = dict(chosen)
    modules = _modules(definition, options)
    board = surveyor.board(())
    for module in modules:
        board = module.board(board)
    rulebook, to_win = _choose(definition, board, options)
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
        surveyor,
    )
    position = rules.opening
    for module in modules:
        position = module.opening(rules, position)
    rules = replace(rules, opening=position)
    _ = rules.facts  # those of two modules that contradict each other are refused now, not in the middle of a game
    return rules


@lru_cache(maxsize=64)
def _surveyor(folders: tuple[Path, ...], stamps: tuple[tuple[str, int], ...]) -> FigureSurveyor:
    """Who works out the boards of the figure; all rulebooks share it."""
    definition = _read(folders, stamps)
    if not definition.figure.is_file():
        refuse([definition.mistake(["figure"], f"'figure' names {definition.figure.name}, which is not there.")])
    try:
        drawn = Figure.from_json(definition.figure.read_text(encoding="utf-8"))
        surveyor = FigureSurveyor(drawn, definition.spaces, definition.name)
        surveyor.board(())
    except (PlenipoError, UnicodeDecodeError) as fault:
        raise InvalidVariant(f"{definition.figure}: {fault}") from fault
    return surveyor


def _fields(kind: type[RuleModule]) -> tuple[str, ...]:
    """The names of the options of a rule module."""
    return tuple(field.name for field in fields(kind))


def _settable(kind: type[RuleModule]) -> tuple[str, ...]:
    """The options a game may set, which leaves out what only a variant can say."""
    return tuple(name for name in _fields(kind) if name not in kind.fixed)


def _module_options(definition: Definition) -> dict[str, tuple[str, str]]:
    """Every name of an option of a rule module in play -> the module and its field."""
    found: dict[str, tuple[str, str]] = {}
    shared: set[str] = set()
    for name in definition.modules:
        for key in _settable(MODULES[name]) if name in MODULES else ():
            found[f"{name}.{key}"] = (name, key)
            shared |= {key} & found.keys()
            found[key] = (name, key)
    for key in shared:
        del found[key]
    for other, full in definition.renamed.items():
        if full in found:
            found[other] = found[full]
    return found


class Option(NamedTuple):
    """An option of a game: its name, what it is if nothing is said, and what it may be, for people to read."""

    name: str
    default: str
    choices: str


def options_of(name_or_path: str | Path) -> tuple[Option, ...]:
    """The options of the rule modules of a variant; `rulebook`, `victory` and the policies can be set besides."""
    definition = read(name_or_path)
    rules = load(name_or_path)
    known = _module_options(definition)
    made = {module.name: module for module in rules.modules}
    return tuple(
        Option(
            name, _told(getattr(made[known[name][0]], known[name][1])), _choices(made[known[name][0]], known[name][1])
        )
        for name in _option_names(definition)
        if name in known
    )


def _told(value: object) -> str:
    """A value as one writes it on the command line."""
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _choices(module: RuleModule, field: str) -> str:
    """What an option may be; its `metadata` may name the field that lists its `choices` in the data of a variant."""
    listed = next(other.metadata.get("choices") for other in fields(module) if other.name == field)
    if listed:
        return " | ".join(getattr(module, listed))
    kind = get_type_hints(type(module))[field]
    if get_origin(kind) is Literal:
        return " | ".join(map(str, get_args(kind)))
    return {bool: "true | false", int: "a whole number", str: "a text"}.get(kind, "a list")


def _option_names(definition: Definition) -> tuple[str, ...]:
    shortest: dict[tuple[str, str], str] = {}
    for name, field in _module_options(definition).items():
        known = shortest.get(field)
        if known is None or name in definition.renamed or (known not in definition.renamed and len(name) < len(known)):
            shortest[field] = name
    return ("rulebook", "victory", *sorted(shortest.values()), *POLICIES)


def _modules(definition: Definition, options: Mapping[str, str]) -> tuple[RuleModule, ...]:
    """The rule modules with their options; raises for unknown ones and for two that claim the same."""
    known = _module_options(definition)
    chosen: dict[str, dict[str, Any]] = {name: dict(values) for name, values in definition.modules.items()}
    for key, value in options.items():
        if key in known:
            module, field = known[key]
            chosen[module][field] = _given(module, field, value)
    modules: list[RuleModule] = []
    claimed: dict[str, str] = {}
    for name, values in chosen.items():
        if name not in MODULES:
            told = f"'{name}' is not a rule module; {hint(name, sorted(MODULES))}"
            refuse([definition.mistake(["modules", name], told)])
        made = _module(definition, name, values, options)
        for claim in sorted(made.claims):
            if claim in claimed:
                told = f"'{claimed[claim]}' and '{name}' both decide {claim}: they cannot be played together."
                refuse([definition.mistake(["modules", name], told)])
            claimed[claim] = name
        modules.append(made)
    return tuple(modules)


def _given(module: str, field: str, text: str) -> object:
    """The value of an option as a game gives it, which is always a text: `STP, MOS` for a list."""
    kind = get_origin(get_type_hints(MODULES[module])[field]) if module in MODULES else None
    return [part.strip() for part in text.split(",") if part.strip()] if kind is tuple else text


def _module(definition: Definition, name: str, values: Mapping[str, Any], options: Mapping[str, str]) -> RuleModule:
    kind = MODULES[name]
    for key in values:
        if key not in _fields(kind):
            told = f"'{key}' is not an option of '{name}'; {hint(key, _fields(kind))}"
            refuse([definition.mistake(["modules", name, key], told)])
    try:
        made: RuleModule = TypeAdapter(kind).validate_python(dict(values))
    except ValidationError as fault:
        error = fault.errors()[0]
        field = str(error["loc"][0]) if error["loc"] else name
        typed = next((key for key in options if _module_options(definition).get(key) == (name, field)), None)
        told = f"'{error['input']}' is not a choice of {typed or field}; {error['msg'].lower()}."
        if typed is not None:
            raise UnknownName(told) from fault
        raise InvalidVariant(str(definition.mistake(["modules", name, field], told))) from fault
    known = [info.name for info in definition.powers]
    for field, power in _powers_named(made):
        if power not in known:
            told = f"'{power}' is not a power of this variant; {hint(power, known)}"
            if any(_module_options(definition).get(key) == (name, field) for key in options):
                raise UnknownName(told)
            raise InvalidVariant(str(definition.mistake(["modules", name, field], told)))
    return made


def _powers_named(module: RuleModule) -> Iterator[tuple[str, Power]]:
    """The powers that a rule module names, each with the field that does."""
    for field, kind in get_type_hints(type(module)).items():
        if field in _fields(type(module)) and Power in (kind, *get_args(kind)):
            value = getattr(module, field)  # one power, a list of them, or a table with an entry for each
            named: Iterable[Power] = (Power(value),) if isinstance(value, str) else value or ()
            yield from ((field, power) for power in named)


def _choose(definition: Definition, board: Board, options: Mapping[str, str]) -> tuple[Rulebook, int]:
    """The rulebook and the number of centres that wins, with `options` in place of the variant's own."""
    known = _option_names(definition)
    for key in options:
        if key not in known and key not in _module_options(definition):
            raise UnknownName(f"'{key}' is not an option of {definition.title}; {hint(key, known)}")
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
            raise UnknownName(f"'{text}' is not a number of centres to win with; write one from 1 to {most}.")
        to_win = int(text)
    return Rulebook.edition(edition, policies), to_win


def _opening(definition: Definition, board: Board, playing: Collection[Power]) -> tuple[Position, list[Mistake]]:
    """The first position of the powers that play, units as written and home centres owned, and every mistake in it."""
    mistakes: list[Mistake] = []
    units: list[Unit] = []
    homes: dict[Power, frozenset[Code]] = {}
    owners: dict[Code, Power] = {}
    for power, texts in definition.units.items():
        if power not in playing:
            continue
        path = ("powers", power, "units")
        own: list[Unit] = []
        for text in texts:
            unit = _unit(board, power, text)
            if isinstance(unit, str):
                mistakes.append(definition.mistake(path, f"'{'.'.join(path)}' has {unit}"))
            else:
                own.append(unit)
        units += own
        found = frozenset(unit.space for unit in own) & board.centres
        if power in definition.homes:
            path = ("powers", power, "homes")
            told = [_code(board.centres, text) for text in definition.homes[power]]
            mistakes += [
                definition.mistake(path, f"'{'.'.join(path)}' has {wrong}") for code, wrong in told if code is None
            ]
            found = frozenset(code for code, _ in told if code is not None)
        homes[power] = found
        for code in sorted(found):
            if code in owners:
                taken = f"'{'.'.join(path)}' has {code}, which is a home centre of {owners[code]}."
                mistakes.append(definition.mistake(path, taken))
            owners[code] = power
    opening = Position(definition.calendar.first, tuple(units), owners=owners, homes=homes)
    mistakes += [definition.mistake(("powers",), f"in the opening {fault}") for fault in opening.faults(board)]
    return opening, mistakes


def _unit(board: Board, power: Power, text: str) -> Unit | str:
    """The unit written, or what is wrong with it."""
    letter, _, place = text.strip().partition(" ")
    space, _, coast = place.strip().partition("/")
    if letter not in [kind.value for kind in UnitKind] or not space:
        return f"'{text}'; write a unit like 'A PAR' or 'F STP/SC'."
    code, wrong = _code(board.spaces, space)
    return wrong if code is None else Unit(power, UnitKind(letter), Location(code, Coast(coast)))


def _code(known: Iterable[Code], text: str) -> tuple[Code | None, str]:
    """The code, or what is wrong with it."""
    codes = tuple(known)
    if text in codes:
        return Code(text), ""
    return None, f"'{text}', which is not such a place of the board; {hint(text, codes)}"


def check(folder: Path) -> list[Mistake]:
    """Every mistake in the definition of the variant in `folder`, as far as one does not hide another."""
    definition, mistakes = _define((folder,))
    if definition is None:
        return mistakes
    try:
        board = _surveyor((folder,), _stamps([folder])).board(())
        for module in _modules(definition, {}):
            board = module.board(board)
    except PlenipoError as fault:
        file, _, sentence = str(fault).partition(": ")
        where, _, line = file.partition(", line ")
        return [Mistake(Path(where), int(line or 0), sentence)]
    return _opening(definition, board, definition.units)[1]


def schema() -> dict[str, Any]:
    """The JSON schema of a `variant.toml`, with the options of every rule module, for editors."""
    whole = VariantTable.model_json_schema()
    options = {name: TypeAdapter(module).json_schema() for name, module in sorted(MODULES.items())}
    for part in options.values():
        part["additionalProperties"] = False
        whole["$defs"] |= part.pop("$defs", {})
    whole["properties"]["modules"] = {
        "type": "object",
        "description": VariantTable.model_fields["modules"].description,
        "properties": options,
        "additionalProperties": False,
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole}
