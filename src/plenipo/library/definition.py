"""Definitions: what the files of a variant, its parents and its companions say together.

A variant that has a parent takes over every key it does not give itself. Variants named together, `1897+corner`, are
put on top of each other; where two of them, neither the parent of the other, give different values to one key, they
cannot be played together.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from plenipo.engine.board import Coast, Code
from plenipo.engine.calendar import Calendar, PhaseKind, Step
from plenipo.engine.position import Power, PowerInfo
from plenipo.engine.rulebook import DEFAULT_EDITION, Rulebook
from plenipo.errors import UnknownName
from plenipo.library.mistakes import FaultyFile, Mistake, line_of, mistakes_in
from plenipo.library.plugins import FILE
from plenipo.library.sections import VariantFile, keys_at
from plenipo.maps.figure.board import SpaceText

__all__ = ["Definition", "Layer", "define", "layers_of", "only", "refuse"]

Find = Callable[[str, Path], Path]
"""How the folder of a parent is found: by its name, and the folder that names it."""


@dataclass(frozen=True)
class Layer:
    """The file of one variant, read and checked by itself; `parents` are the folders it builds on, nearest first."""

    folder: Path
    text: str
    content: VariantFile
    parents: tuple[Path, ...] = ()

    @property
    def file(self) -> Path:
        """The file it was read from."""
        return self.folder / FILE

    def mistake(self, path: Sequence[str], sentence: str) -> Mistake:
        """A mistake at the key with this path."""
        return Mistake(self.file, line_of(self.text, path), sentence)


@dataclass(frozen=True)
class Definition:
    """What the layers say together, checked as far as it can be without the board.

    `units` and `homes` are as written; `homes` has an entry only for a power whose home centres are not the centres its
    units start on. `modules` are the options of each rule module, `renamed` other names of options. `sources` maps
    the path of a key to the layer that gave its value.
    """

    name: str
    title: str
    figure: Path
    victory: int
    calendar: Calendar
    powers: tuple[PowerInfo, ...]
    units: Mapping[Power, tuple[str, ...]]
    homes: Mapping[Power, tuple[str, ...]]
    spaces: Mapping[Code, SpaceText]
    rulebook: str = DEFAULT_EDITION
    policies: Mapping[str, str] = field(default_factory=dict)
    modules: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[tuple[str, ...], Layer] = field(default_factory=dict)

    def mistake(self, path: Sequence[str], sentence: str) -> Mistake:
        """A mistake at the key with this path, in whichever file gave it."""
        paths = [key for key in self.sources if key[: len(path)] == tuple(path) or tuple(path)[: len(key)] == key]
        layer = self.sources[max(paths, key=len)] if paths else list(self.sources.values())[-1]
        return layer.mistake(path, sentence)


def layers_of(folder: Path, find: Find, below: tuple[Path, ...] = ()) -> Iterator[Layer | Mistake]:
    """The layers of one variant, its farthest parent first; a mistake in place of what cannot be used."""
    file = folder / FILE
    try:
        text = file.read_text(encoding="utf-8")
        content = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        yield Mistake(file, 0, f"this is not TOML: {fault}.")
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
            yield Mistake(file, line, f"'parent': {fault}")
            return
        if parent in (folder, *below):
            way = " - ".join(part.name for part in (*reversed(below), folder, parent))
            yield Mistake(file, line, f"'parent' goes in a circle: {way}.")
            return
        for layer in layers_of(parent, find, (folder, *below)):
            if isinstance(layer, Layer):
                parents = (layer.folder, *layer.parents)
            yield layer
    yield Layer(folder, text, parsed, parents)


def _entries(layer: Layer) -> Iterator[tuple[tuple[str, ...], object]]:
    """Every value a layer gives, by the path of its key; the section of a power or space by its presence too."""
    content = layer.content
    if content.figure is not None:
        yield ("figure",), str(layer.folder / content.figure)
    for key in ("victory", "rulebook", "calendar"):
        value = getattr(content, key)
        if value is not None:
            yield (key,), value
    for key in ("policies", "options"):
        for name, value in getattr(content, key).items():
            yield (key, name), value
    for module, options in content.modules.items():
        yield ("modules", module), True
        for name, value in options.items():
            yield ("modules", module, name), value
    for key in ("powers", "spaces"):
        for name, part in getattr(content, key).items():
            yield (key, name), True
            for attribute in type(part).model_fields:
                value = getattr(part, attribute)
                if value is not None:
                    yield (key, name, attribute), value


def _removed(layer: Layer) -> Iterator[tuple[str, str]]:
    """The paths of the sections a layer leaves out."""
    if layer.content.remove is not None:
        for key in ("powers", "spaces"):
            yield from ((key, name) for name in getattr(layer.content.remove, key))


def define(name: str, layers: Sequence[Layer]) -> tuple[Definition | None, list[Mistake]]:
    """The definition that `layers` give together, parents before children, and every mistake in it."""
    values: dict[tuple[str, ...], object] = {}
    sources: dict[tuple[str, ...], Layer] = {}
    mistakes: list[Mistake] = []
    for layer in layers:
        for gone in _removed(layer):
            key, left_out = gone
            if gone not in values:
                mistakes.append(layer.mistake(("remove", key), f"'remove.{key}' has {left_out!r}, which is not there."))
            for path in [path for path in values if path[:2] == gone]:
                del values[path], sources[path]
        for path, value in _entries(layer):
            before = sources.get(path)
            if before is not None and before.folder not in layer.parents and values[path] != value:
                key = ".".join(path)
                both = f"'{key}' is given differently by {before.content.title} and {layer.content.title}"
                mistakes.append(layer.mistake(path, f"{both}: they cannot be played together."))
                continue
            values[path], sources[path] = value, layer
    last = layers[-1]
    for path, what in (
        (("figure",), "the name of a compiled figure"),
        (("victory",), "a whole number above 0"),
        (("calendar",), "a table"),
    ):
        if path not in values:
            mistakes.append(last.mistake(path, f"'{path[0]}' is missing; it must be {what}."))
    powers = [path[1] for path in values if len(path) == 2 and path[0] == "powers"]
    spaces = [path[1] for path in values if len(path) == 2 and path[0] == "spaces"]
    for key, names in (("powers", powers), ("spaces", spaces)):
        if not names:
            mistakes.append(last.mistake((key,), f"'{key}' is missing; it must be a table with an entry for each."))
    mistakes += [
        sources["spaces", code].mistake(("spaces", code), f"'spaces.{code}.name' is missing; it must be a text.")
        for code in spaces
        if ("spaces", code, "name") not in values
    ]
    calendar = _calendar(values.get(("calendar",)))
    if calendar and not any(step.kind is PhaseKind.MOVEMENT for step in calendar.cycle):
        why = "'calendar.cycle' must have at least one movement."
        mistakes.append(sources["calendar",].mistake(("calendar", "cycle"), why))
    policies = {path[1]: str(value) for path, value in values.items() if path[0] == "policies"}
    edition = str(values.get(("rulebook",), DEFAULT_EDITION))
    try:
        Rulebook.edition(edition, policies)
    except UnknownName as fault:
        path = ("policies",) if policies else ("rulebook",)
        mistakes.append(next((sources[p] for p in values if p[0] == path[0]), last).mistake(path, str(fault)))
    if mistakes or calendar is None:
        return None, mistakes

    def texts(*path: str) -> tuple[str, ...]:
        items = values.get(path, ())
        return tuple(str(item) for item in items) if isinstance(items, list) else ()

    def coasts(*path: str) -> tuple[tuple[Coast, Coast], ...]:
        pairs = values.get(path, {})
        return tuple((Coast(str(a)), Coast(str(b))) for a, b in pairs.items()) if isinstance(pairs, dict) else ()

    victory = values["victory",]
    return Definition(
        name=name,
        title=_title(layers),
        figure=Path(str(values["figure",])),
        victory=victory if isinstance(victory, int) else 0,
        calendar=calendar,
        powers=tuple(
            PowerInfo(
                Power(power), str(values.get(("powers", power, "adjective"), power)), texts("powers", power, "aliases")
            )
            for power in powers
        ),
        units={Power(power): texts("powers", power, "units") for power in powers},
        homes={
            Power(power): texts("powers", power, "homes") for power in powers if ("powers", power, "homes") in values
        },
        spaces={
            Code(code): SpaceText(
                str(values["spaces", code, "name"]),
                values.get(("spaces", code, "centre"), False) is True,
                texts("spaces", code, "aliases"),
                coasts("spaces", code, "coasts"),
            )
            for code in spaces
        },
        rulebook=edition,
        policies=policies,
        modules=_modules(values),
        renamed={path[1]: str(value) for path, value in values.items() if path[0] == "options"},
        sources=sources,
    ), []


def _title(layers: Sequence[Layer]) -> str:
    """The titles of the layers nothing else builds on."""
    built_on = {parent for layer in layers for parent in layer.parents}
    return " and ".join(layer.content.title for layer in layers if layer.folder not in built_on)


def _calendar(table: Any) -> Calendar | None:
    if table is None:
        return None

    def steps(rows: Sequence[tuple[str, str]]) -> tuple[Step, ...]:
        return tuple(Step(season, PhaseKind(kind)) for season, kind in rows)

    return Calendar(steps(table.cycle), table.start, steps(table.opening), table.first_year)


def _modules(values: Mapping[tuple[str, ...], object]) -> dict[str, dict[str, Any]]:
    modules: dict[str, dict[str, Any]] = {}
    for path, value in values.items():
        if path[0] == "modules":
            options = modules.setdefault(path[1], {})
            if len(path) == 3:
                options[path[2]] = value
    return modules


def only(parts: Sequence[Layer | Mistake]) -> tuple[list[Layer], list[Mistake]]:
    """Layers and mistakes apart."""
    return [part for part in parts if isinstance(part, Layer)], [part for part in parts if isinstance(part, Mistake)]


def refuse(mistakes: Sequence[Mistake]) -> None:
    """Raise `FaultyFile` with the first of the mistakes, if there are any."""
    if mistakes:
        raise FaultyFile(mistakes[0])
