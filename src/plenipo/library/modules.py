"""The rule modules of a variant: made with the options that the variant and a game give them."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from plenipo.engine.hooks import RuleModule
from plenipo.engine.position import Power
from plenipo.engine.rulebook import POLICIES
from plenipo.engine.wording import count, hint, in_quotes
from plenipo.errors import UnknownName
from plenipo.library.definition import Definition, refuse
from plenipo.library.mistakes import FaultyFile, Mistake
from plenipo.rulekit.treasury import Treasury
from plenipo.validation import NO_SUCH_KEY, NOT_THERE, clause, without_alternatives

__all__ = ["Modules", "Option"]

ModuleClass = type[RuleModule]


class Option(NamedTuple):
    """An option of a game: its name, what it is if nothing is said, and what it may be, for people to read."""

    name: str
    default: str
    choices: str


def _fields(kind: ModuleClass) -> tuple[str, ...]:
    """Return the names of the options of a rule module."""
    return tuple(field.name for field in fields(kind))


@dataclass(frozen=True)
class Modules:
    """The rule modules of a variant and their options, as its definition gives them; `kinds` are those it may name.

    `faults` has a sentence for each that is installed but cannot be used.
    """

    definition: Definition
    kinds: Mapping[str, ModuleClass]
    faults: Mapping[str, str]

    @property
    def settable(self) -> dict[str, tuple[str, str]]:
        """Every name of an option that a game may set -> the module and its field."""
        names: dict[str, tuple[str, str]] = {}
        shared: set[str] = set()
        for module in self.definition.modules:
            kind = self.kinds.get(module, RuleModule)
            for key in _fields(kind):
                # fixed options are set only by a variant
                if key not in kind.fixed and self._matters(module, kind, key):
                    names[f"{module}.{key}"] = (module, key)
                    shared |= {key} & names.keys()
                    names[key] = (module, key)
        for key in shared:
            del names[key]
        for other, full in self.definition.renamed.items():
            if full in names:
                names[other] = names[full]
        return names

    def _matters(self, module: str, kind: ModuleClass, key: str) -> bool:
        """Return whether an option matters to the variant: one that belongs to others needs one of them there."""
        beside = next((field.metadata.get("beside", ()) for field in fields(kind) if field.name == key), ())
        return not beside or any(other in self.definition.modules[module] for other in beside)

    @property
    def option_names(self) -> tuple[str, ...]:
        """The shortest name of every option of the game, or the one the variant gives it."""
        shortest: dict[tuple[str, str], str] = {}
        renamed = self.definition.renamed
        for name, field in self.settable.items():
            known = shortest.get(field)
            if known is None or name in renamed or (known not in renamed and len(name) < len(known)):
                shortest[field] = name
        return ("rulebook", "victory", *sorted(shortest.values()), *POLICIES)

    def options(self, modules: Iterable[RuleModule]) -> tuple[Option, ...]:
        """Return the options of `modules`, which were made without any set, for people."""
        known, made = self.settable, {module.name: module for module in modules}
        return tuple(
            Option(name, _format_value(getattr(made[module], field)), _choices(made[module], field))
            for name in self.option_names
            if name in known
            for module, field in (known[name],)
        )

    def make(self, options: Mapping[str, str]) -> tuple[RuleModule, ...]:
        """Return the modules with their options; raise errors for unknown ones and two with the same claim or word."""
        known = self.settable
        values: dict[str, dict[str, Any]] = {name: dict(options) for name, options in self.definition.modules.items()}
        for key, text in options.items():
            if key in known:
                module, field = known[key]
                values[module][field] = self._parse_option(module, field, text)
        made = tuple(self._module(name, own, options) for name, own in values.items())
        claimed: dict[str, str] = {}
        for one in made:
            for claim in sorted(one.claims | {f"what '{word}' means" for word in one.words}):
                if claim in claimed:
                    both = f"'{claimed[claim]}' and '{one.name}' both decide {claim}: they cannot be played together."
                    refuse([self.definition.mistake(["modules", one.name], both)])
                claimed[claim] = one.name
        return _balances_first(made)

    def _parse_option(self, module: str, field: str, text: str) -> object:
        """Return the value of an option as a game gives it, which is always a text: `STP, MOS` for a list."""
        kind = get_origin(get_type_hints(self.kinds[module])[field]) if module in self.kinds else None
        return [part.strip() for part in text.split(",") if part.strip()] if kind is tuple else text

    def _module(self, name: str, values: Mapping[str, Any], options: Mapping[str, str]) -> RuleModule:
        definition = self.definition
        if name not in self.kinds:
            why = self.faults.get(name) or f"'{name}' is not a rule module; {hint(name, sorted(self.kinds))}"
            refuse([definition.mistake(["modules", name], why)])
        kind = self.kinds[name]
        for key in values:
            if key not in _fields(kind):
                why = f"'{key}' is not an option of '{name}'; {hint(key, _fields(kind))}"
                refuse([definition.mistake(["modules", name, key], why)])
            if values[key] == [] and _lists_tables(kind, key):
                why = f"'{name}.{key}' is empty; it must list one or more."
                refuse([definition.mistake(["modules", name, key], why)])
        typed = {field: key for key in options if (at := self.settable.get(key)) and at[0] == name for field in at[1:]}
        adapter: TypeAdapter[RuleModule] = TypeAdapter(kind)
        try:
            # a file says numbers as numbers; what a game gives for an option is always a text
            written = {key: value for key, value in values.items() if key not in typed}
            adapter.validate_json(json.dumps(written, default=str), strict=True)
            made = adapter.validate_python(dict(values))
        except ValidationError as fault:
            raise self._unread(kind, fault, typed) from fault
        known = [info.name for info in definition.powers]
        for field, power in _powers_named(made):
            if power not in known:
                why = f"{in_quotes(power)} is not a power of this variant; {hint(power, known)}"
                raise self._refusal(name, field, why, typed, (power,))
        return made

    def _unread(self, kind: ModuleClass, fault: ValidationError, typed: Mapping[str, str]) -> UnknownName | FaultyFile:
        """Return the exception for a value that is not what an option may be."""
        error = fault.errors()[0]
        where, errors = without_alternatives(fault.errors())
        field = str(where[0]) if where else kind.name
        inner = next((str(part) for part in reversed(where) if isinstance(part, str)), field)
        name = typed.get(field, field) if inner == field else f"{field}.{inner}"
        table = isinstance(error["input"], dict)
        why = f"{'a table' if table else in_quotes(str(error['input']))} is not a choice of {name}; {clause(errors)}."
        if error["type"] in NO_SUCH_KEY:
            why = f"'{inner}' is not a key of '{kind.name}.{field}'; {hint(inner, _keys_of(kind, field))}"
        elif error["type"] in NOT_THERE and isinstance(where[-1], int):
            why = f"'{name}' has {count(where[-1], 'value')}, which is too few."
        elif error["type"] in NOT_THERE:
            why = f"'{kind.name}.{field}' has an entry without '{inner}', which it needs."
        elif error["loc"][-1:] == ("[key]",):
            keys = ".".join(str(part) for part in where[:-1])
            why = f"'{inner}' is not a key of '{kind.name}.{keys}'; {clause(errors)}."
        elif table and where == (field,) and error["type"] in ("tuple_type", "list_type"):
            header = f"[[modules.{kind.name}.{field}]]"
            why = f"'{kind.name}.{field}' is one table; it must be a list of tables, so write {header}."
        return self._refusal(kind.name, field, why, typed, where[1:])

    def _refusal(
        self, module: str, field: str, why: str, typed: Mapping[str, str], inside: Sequence[str | int] = ()
    ) -> UnknownName | FaultyFile:
        """Return the exception for a wrong value: a fault of the game if the game gave it, or else of the variant."""
        if field in typed:
            return UnknownName(why)
        path = ["modules", module, field, *map(str, inside)]
        return FaultyFile(self.definition.mistake(path, why))

    def mistakes(self) -> list[Mistake]:
        """Every mistake in what the variant says of its modules and their options, as far as one hides no other."""
        mistakes: list[Mistake] = []
        for name, values in self.definition.modules.items():
            try:
                self._module(name, values, {})
            except FaultyFile as fault:
                mistakes.append(fault.mistake)
        known = self.settable
        for name, full in self.definition.renamed.items() if not mistakes else ():
            if full not in known:
                why = (
                    f"'options.{name}' is {full!r}, which is not an option of the modules in play; {hint(full, known)}"
                )
                mistakes.append(self.definition.mistake(["options", name], why))
        return mistakes


def _lists_tables(kind: ModuleClass, field: str) -> bool:
    """Return whether an option is a list of tables, so that an empty one says nothing."""
    return any(is_dataclass(part) for part in get_args(get_type_hints(kind)[field]))


def _keys_of(kind: ModuleClass, field: str) -> tuple[str, ...]:
    """Return the keys of an entry of an option that is a list or a table of values of a class."""
    for part in get_args(get_type_hints(kind)[field]):
        if is_dataclass(part):
            return tuple(one.name for one in fields(part))
    return ()


def _format_value(value: object) -> str:
    """Return a value as it is written on the command line."""
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _choices(module: RuleModule, field: str) -> str:
    """Describe the values that an option accepts.

    The `metadata` of the field may name another field, which lists its `choices` in the data of a variant.
    """
    choices = next(other.metadata.get("choices") for other in fields(module) if other.name == field)
    if choices:
        return " | ".join(getattr(module, choices))
    kind = get_type_hints(type(module))[field]
    if get_origin(kind) is Literal:
        return " | ".join(map(str, get_args(kind)))
    return {bool: "true | false", int: "a whole number", str: "a text"}.get(kind, "a list")


def _powers_named(module: RuleModule) -> Iterator[tuple[str, Power]]:
    """Yield the powers that a rule module names, each with the field that does."""
    for field, kind in get_type_hints(type(module)).items():
        if field in _fields(type(module)) and Power in (kind, *get_args(kind)):
            value = getattr(module, field)  # one power, a list of them, or a mapping with an entry for each
            powers: Iterable[Power] = (Power(value),) if isinstance(value, str) else value or ()
            yield from ((field, power) for power in powers)


def _balances_first(made: tuple[RuleModule, ...]) -> tuple[RuleModule, ...]:
    """Return the modules in order, those that spend after the one with the balances: orders are paid first."""
    place = next((place for place, one in enumerate(made) if isinstance(one, Treasury)), 0)
    before, rest = made[:place], made[place + 1 :]
    keeper = made[place : place + 1]
    return (*(one for one in before if not one.spends), *keeper, *(one for one in before if one.spends), *rest)
