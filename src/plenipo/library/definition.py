"""Definitions: what the files of a variant, its parents and its companions say together.

A variant that has a parent takes over every key it does not give itself. Variants named together, `1897+corner`, are
put on top of each other; where two of them, neither the parent of the other, give different values to one key, they
cannot be played together.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from plenipo.engine.board import Coast, Code
from plenipo.engine.calendar import Calendar, PhaseKind, Step
from plenipo.engine.position import Power, PowerInfo
from plenipo.engine.rulebook import DEFAULT_EDITION, EDITIONS, Rulebook
from plenipo.engine.sentences import say
from plenipo.errors import UnknownName
from plenipo.library.mistakes import FaultyFile, Mistake, line_of, line_with, mistakes_in
from plenipo.library.plugins import FILE
from plenipo.library.sections import AboutSection, CalendarSection, VariantFile, keys_at
from plenipo.maps.figure.board import SpaceText
from plenipo.user_files import read_text, stamp_of

__all__ = ["Definition", "Layer", "define", "layers_of", "only", "refuse"]

Find = Callable[[str, Path], Path]
"""A function that returns the folder of a parent, given its name and the folder of the variant that names it."""


TABLE = ".toml"
"""The suffix of a file that gives a board by its contacts."""

MORE = "more_contacts"
"""The key of a table that is put on top of the board of a parent."""

_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)")

NOTHING_ABOUT = AboutSection.model_validate({})
"""The `about` section of a variant that has none."""

Keys = tuple[str, ...]
"""The path of a key: `("powers", "France", "units")`."""


@dataclass(frozen=True)
class Layer:
    """The file of one variant, read and checked on its own; `parents` are the folders it builds on, nearest first."""

    folder: Path
    text: str
    content: VariantFile
    parents: tuple[Path, ...] = ()
    stamp: int = 0
    """The time at which the file was last changed, before it was read."""

    @property
    def file(self) -> Path:
        """The file it was read from."""
        return self.folder / FILE

    def mistake(self, path: Sequence[str], sentence: str) -> Mistake:
        """Return a mistake at the key with this path."""
        return Mistake(self.file, line_of(self.text, path), sentence)


@dataclass(frozen=True)
class Definition:
    """A variant as its layers define it together, checked as far as possible without the board.

    `figure` is the file the board comes from: a compiled figure, or a table of contacts if it is a `.toml`.
    `units` and `homes` are as written; `homes` has an entry only for a power whose home centres are not the centres its
    units start on, `owned` for one that does not own its homes at the start, or more than them. `modules` are the
    options of each rule module, `renamed` other names of options. `sources` maps the path of a key to the layer that
    gave its value.
    """

    name: str
    title: str
    figure: Path
    victory: int
    calendar: Calendar
    powers: tuple[PowerInfo, ...]
    units: Mapping[Power, tuple[str, ...]]
    homes: Mapping[Power, tuple[str, ...]]
    owned: Mapping[Power, tuple[str, ...]]
    spaces: Mapping[Code, SpaceText]
    rulebook: str = DEFAULT_EDITION
    policies: Mapping[str, str] = field(default_factory=dict)
    modules: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[Keys, Layer] = field(default_factory=dict)
    about: AboutSection = NOTHING_ABOUT
    below: Path | None = None
    """The file of the board on which `more` was put, where it was."""

    more: tuple[Path, ...] = ()
    """The tables of contacts that were put on top of a parent's board, the nearest last; that is `figure` too."""

    own: Layer | None = None
    """The layer of the variant itself; None where several are played together."""

    @property
    def is_given_by_contacts(self) -> bool:
        """True if the board is given by its contacts alone."""
        return self.figure.suffix == TABLE

    def mistake(self, path: Sequence[str], sentence: str) -> Mistake:
        """Return a mistake at the key with this path, in the variant itself or in the one of several that gave the key.

        A parent is sound alone, so what is wrong with it here the variant made so; where that says nothing of the
        key the mistake stands at its `parent`.
        """
        if self.own is not None:
            mistake = self.own.mistake(path, sentence)
            return mistake if mistake.line else self.own.mistake(("parent",), sentence)
        paths = [key for key in self.sources if key[: len(path)] == tuple(path) or tuple(path)[: len(key)] == key]
        layer = self.sources[max(paths, key=len)] if paths else list(self.sources.values())[-1]
        return layer.mistake(path, sentence)


def layers_of(folder: Path, find: Find, below: tuple[Path, ...] = ()) -> Iterator[Layer | Mistake]:
    """Yield the layers of one variant, its farthest parent first; a mistake in place of an unusable layer."""
    file = folder / FILE
    stamp = stamp_of(file)
    try:
        text = read_text(file)
        content = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        said = str(fault)
        where = _AT_LINE.search(said)
        yield Mistake(
            file, int(where[1]) if where else 0, say("this is not TOML: {fault}.", fault=_AT_LINE.sub("", said))
        )
        return
    except RecursionError:
        yield Mistake(file, 0, say("this TOML is nested too deeply; a variant needs four levels."))
        return
    try:
        parsed = VariantFile.model_validate(content)
    except ValidationError as fault:
        yield from mistakes_in(fault, file, text, keys_at)
        return
    parents: tuple[Path, ...] = ()
    if parsed.parent is not None:
        line = line_of(text, ["parent"])
        try:
            parent = find(parsed.parent, folder)
        except UnknownName as fault:
            yield Mistake(file, line, say("'parent': {fault}", fault=fault))
            return
        if parent in (folder, *below):
            way = " - ".join(part.name for part in (*reversed(below), folder, parent))
            yield Mistake(file, line, f"'parent' goes in a circle: {way}.")
            return
        for layer in layers_of(parent, find, (folder, *below)):
            if isinstance(layer, Layer):
                parents = (layer.folder, *layer.parents)
            yield layer
    if parsed.figure is not None and parsed.contacts is not None:
        why = "'contacts' stands beside 'figure'; a board comes from the one or the other."
        yield Mistake(file, line_of(text, ["contacts"]), why)
    if parsed.more_contacts is not None and (parsed.parent is None or parsed.figure or parsed.contacts):
        why = "'more_contacts' is put on top of a parent's board; name a 'parent', and give no board of its own."
        yield Mistake(file, line_of(text, ["more_contacts"]), why)
    tables = (("contacts", parsed.contacts, True), ("more_contacts", parsed.more_contacts, True))
    for key, name, listed in (("figure", parsed.figure, False), *tables):
        if name is not None and (Path(name).suffix == TABLE) != listed:
            what = f"a table of contacts is a {TABLE} file, a compiled figure is not"
            yield Mistake(file, line_of(text, [key]), f"'{key}' is '{name}'; {what}.")
    yield Layer(folder, text, parsed, parents, stamp)


def _entries(layer: Layer) -> Iterator[tuple[Keys, object]]:
    """Every value a layer gives, by the path of its key; the section of a module, power or space as an empty table."""
    content = layer.content
    for name in (content.figure, content.contacts):
        if name is not None:
            yield ("figure",), str(layer.folder / name)
    if content.more_contacts is not None:
        yield (MORE, str(layer.folder)), str(layer.folder / content.more_contacts)
    for key in ("victory", "rulebook", "calendar"):
        value = getattr(content, key)
        if value is not None:
            yield (key,), value
    for key in ("policies", "options"):
        for name, value in getattr(content, key).items():
            yield (key, name), value
    for module, options in content.modules.items():
        yield ("modules", module), {}
        for name, value in options.items():
            yield ("modules", module, name), value
    for key in ("powers", "spaces"):
        for name, part in getattr(content, key).items():
            yield (key, name), {}
            for attribute in type(part).model_fields:
                value = getattr(part, attribute)
                if value is not None:
                    yield (key, name, attribute), value


def _list_removed(layer: Layer) -> Iterator[tuple[str, str]]:
    """Yield the paths of the sections a layer leaves out."""
    if layer.content.remove is not None:
        for key in ("powers", "spaces"):
            yield from ((key, name) for name in getattr(layer.content.remove, key))


def define(name: str, layers: Sequence[Layer]) -> tuple[Definition | None, list[Mistake]]:
    """Return the definition that `layers` give together, parents before children, and every mistake in it."""
    values, sources, mistakes = _together(layers)
    more = tuple(Path(str(values.pop(key))) for key in list(values) if key[0] == MORE)
    whole = VariantFile.model_validate({"title": _title(layers), **_nest_tables(values)})
    mistakes += _missing(whole, sources, layers[-1])
    edition = whole.rulebook or DEFAULT_EDITION
    try:
        Rulebook.edition(edition, whole.policies)
    except UnknownName as fault:
        path = ("policies",) if edition in EDITIONS else ("rulebook",)
        mistakes.append(next((sources[p] for p in values if p[0] == path[0]), layers[-1]).mistake(path, fault.sentence))
    if mistakes or whole.figure is None or whole.victory is None or whole.calendar is None:
        return None, mistakes
    powers = {Power(power): part for power, part in whole.powers.items()}
    return Definition(
        name=name,
        title=whole.title,
        figure=more[-1] if more else Path(whole.figure),
        below=Path(whole.figure) if more else None,
        more=more,
        victory=whole.victory,
        calendar=_calendar(whole.calendar),
        powers=tuple(
            PowerInfo(
                power, part.adjective or power, tuple(part.aliases or ()), part.played is not False, part.like or ""
            )
            for power, part in powers.items()
        ),
        units={power: tuple(part.units or ()) for power, part in powers.items()},
        homes={power: tuple(part.homes) for power, part in powers.items() if part.homes is not None},
        owned={power: tuple(part.owned) for power, part in powers.items() if part.owned is not None},
        spaces={
            Code(code): SpaceText(
                str(part.name),
                bool(part.centre),
                tuple(part.aliases or ()),
                tuple((Coast(other), Coast(coast)) for other, coast in (part.coasts or {}).items()),
            )
            for code, part in whole.spaces.items()
        },
        rulebook=edition,
        policies=whole.policies,
        modules=whole.modules,
        renamed=whole.options,
        sources=sources,
        about=layers[-1].content.about or NOTHING_ABOUT,
        own=layers[-1] if all(layer.folder in layers[-1].parents for layer in layers[:-1]) else None,
    ), []


def _together(layers: Sequence[Layer]) -> tuple[dict[Keys, object], dict[Keys, Layer], list[Mistake]]:
    """Every value by the path of its key, the layer that gave it, and what layers contradict each other in."""
    values: dict[Keys, object] = {}
    sources: dict[Keys, Layer] = {}
    mistakes: list[Mistake] = []
    for layer in layers:
        for gone in _list_removed(layer):
            key, left_out = gone
            if gone not in values:
                mistakes.append(layer.mistake(("remove", key), f"'remove.{key}' has {left_out!r}, which is not there."))
            for path in [path for path in values if path[:2] == gone]:
                del values[path], sources[path]
        if layer.content.figure is not None or layer.content.contacts is not None:
            for path in [path for path in values if path[0] == MORE]:  # put on a board that counts no more
                del values[path], sources[path]
        for path, value in _entries(layer):
            before = sources.get(path)
            if before is not None and before.folder not in layer.parents and values[path] != value:
                key = ".".join(path)
                both = f"'{key}' is given differently by {before.content.title} and {layer.content.title}"
                mistakes.append(layer.mistake(path, f"{both}: they cannot be played together."))
                continue
            values[path], sources[path] = value, layer
    return values, sources, mistakes


_NEEDED = {
    "figure": "the name of a compiled figure, or 'contacts' that of a table of contacts",
    "victory": "a whole number above 0",
    "calendar": "a table",
    "powers": "a table with an entry for each",
    "spaces": "a table with an entry for each",
}
"""The keys that every variant needs, each with a description of its value."""


def _missing(whole: VariantFile, sources: Mapping[Keys, Layer], last: Layer) -> Iterator[Mistake]:
    """Yield a mistake for everything that is missing."""
    for key, what in _NEEDED.items():
        if not getattr(whole, key):
            yield last.mistake((key,), f"'{key}' is missing; it must be {what}.")
    for code, space in whole.spaces.items():
        if space.name is None:
            why = f"'spaces.{code}.name' is missing; it must be a text."
            yield sources["spaces", code].mistake(("spaces", code), why)
    yield from _find_repeated_steps(whole, sources)
    if whole.calendar and not any(kind == "movement" for _, kind in whole.calendar.cycle):
        why = "'calendar.cycle' must have at least one movement."
        yield sources["calendar",].mistake(("calendar", "cycle"), why)


def _find_repeated_steps(whole: VariantFile, sources: Mapping[Keys, Layer]) -> Iterator[Mistake]:
    """Yield a mistake for every step that has the same name as another one of the same year."""
    calendar = whole.calendar
    if calendar is None:
        return
    for part in ("opening", "cycle"):
        steps = getattr(calendar, part)
        for season, kind in dict.fromkeys(step for step in steps if steps.count(step) > 1):
            why = f"'calendar.{part}' has '{season} {kind}' twice; give one of them another season."
            mistake = sources["calendar",].mistake(("calendar", part), why)
            text = sources["calendar",].text
            first = line_with(text, mistake.line, season, kind)
            again = line_with(text, first + 1, season, kind) if text.splitlines()[first - 1].count(kind) == 1 else first
            yield replace(mistake, line=again)
    if calendar.first_year in (None, calendar.start):
        for season, kind in (step for step in calendar.opening if step in calendar.cycle):
            why = f"'calendar.opening' has '{season} {kind}', and so has the first cycle; write a later 'first_year'."
            yield sources["calendar",].mistake(("calendar", "opening"), why)


def _nest_tables(values: Mapping[Keys, object]) -> dict[str, Any]:
    """Values by the paths of their keys as tables in tables."""
    tables: dict[str, Any] = {}
    for (*way, last), value in values.items():
        table = tables
        for key in way:
            table = table.setdefault(key, {})
        table[last] = {} if value == {} else value
    return tables


def _title(layers: Sequence[Layer]) -> str:
    """Return the titles of the layers nothing else builds on."""
    built_on = {parent for layer in layers for parent in layer.parents}
    return " and ".join(layer.content.title for layer in layers if layer.folder not in built_on)


def _calendar(section: CalendarSection) -> Calendar:
    cycle, opening = (
        tuple(Step(season, PhaseKind(kind)) for season, kind in steps) for steps in (section.cycle, section.opening)
    )
    return Calendar(cycle, section.start, opening, section.first_year)


def only(parts: Sequence[Layer | Mistake]) -> tuple[list[Layer], list[Mistake]]:
    """Layers and mistakes apart."""
    return [part for part in parts if isinstance(part, Layer)], [part for part in parts if isinstance(part, Mistake)]


def refuse(mistakes: Sequence[Mistake]) -> None:
    """Raise `FaultyFile` with the first of the mistakes, if there are any."""
    if mistakes:
        raise FaultyFile(mistakes[0])
