"""Themes: every colour of a picture by the name of its meaning, read from `themes/*.toml`, and the stylesheet.

A theme has tokens (`sea-0`, `coast`, `bad` …), which become custom properties of the picture, so that a page can
restyle it by setting them anew. A power has two colours, `land` for its centres and `ink` for its units and orders,
and, where the theme is patterned, a pattern, so that colour is never the only sign.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import chain, count
from typing import Any

from plenipo.engine.position import Power
from plenipo.engine.wording import hint
from plenipo.errors import InvalidVariant, UnknownName
from plenipo.maps.draw import law
from plenipo.maps.draw.colours import halfway
from plenipo.maps.draw.stylesheet import RULED, RULES, TOKENS, WITHOUT_COLOURS
from plenipo.maps.draw.symbols import MOTIFS

__all__ = ["CROWD", "Colours", "Theme", "slug", "tags", "theme_file"]

_NAME = re.compile(r"[a-z][a-z0-9-]*")
_SAFE_VALUE = re.compile(r"[#.%\w -]+")
_KEYS = {"title", "patterned", "tagged", "ruled", "tokens", "powers", "spare", "like"}

CROWD = 9
"""Among more powers than this colours alone are too many to remember, so units bear letters in every theme."""


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a power: `land` fills its land, `ink` draws its units and orders; a motif of `MOTIFS`."""

    land: str
    ink: str
    pattern: str


@dataclass(frozen=True)
class Theme:
    """A set of colours for a whole picture; immutable.

    `tokens` are the colours that belong to no power. `powers` are the colours chosen for powers by name, and `spare`
    those for all others; `like` names powers that wear the colours of another one, if that one is not in the picture.
    `patterned` fills land with patterns, `tagged` writes a power's letter beside its units,
    `ruled` fills water with small waves instead of a colour.
    """

    name: str
    title: str
    tokens: Mapping[str, str]
    powers: Mapping[str, Colours]
    spare: tuple[Colours, ...]
    like: Mapping[str, str] = field(default_factory=dict)
    patterned: bool = False
    tagged: bool = False
    ruled: bool = False

    def __hash__(self) -> int:
        return hash((self.name, self.title))

    @staticmethod
    def names() -> tuple[str, ...]:
        """Return the names of the themes that come with the package.

        >>> "dark" in Theme.names()
        True
        """
        themes = (files("plenipo.maps.draw") / "themes").iterdir()
        return tuple(sorted(file.name.removesuffix(".toml") for file in themes if file.name.endswith(".toml")))

    @classmethod
    def from_name(cls, name: str) -> "Theme":
        """Return the theme of that name; raise `UnknownName` if there is none.

        >>> Theme.from_name("print").patterned
        True
        """
        if name not in cls.names():
            raise UnknownName(f"'{name}' is not a theme; {hint(name, cls.names())}")
        return _load_theme(name)

    @property
    def kind(self) -> str:
        """The kind of theme by which `draw.law` checks it: `colour`, `safe` or, without any, `plain`."""
        return "plain" if self.ruled else "safe" if self.patterned else "colour"

    def faults(self) -> Iterator[str]:
        """List its violations of the colour requirements, a sentence each."""
        return law.faults(self.kind, self.tokens, self.powers, self.spare)

    @classmethod
    def from_toml(cls, text: str, name: str, *, lawful: bool = True) -> "Theme":
        """Read a theme; raise `InvalidVariant` with the invalid key, or with the violation of the law of colours.

        The law is checked only if `lawful`.
        """
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as fault:
            raise InvalidVariant(f"theme {name}: this is not TOML: {fault}.") from fault
        except RecursionError as fault:
            raise InvalidVariant(f"theme {name}: this TOML is nested too deeply.") from fault
        for key in data:
            if key not in _KEYS:
                raise InvalidVariant(f"theme {name}: '{key}' is not a key of a theme; there are {', '.join(_KEYS)}.")
        tokens = {str(key): str(value) for key, value in data.get("tokens", {}).items()}
        for token in (*TOKENS, *tokens):
            value = tokens.get(token, "")
            if token not in TOKENS or not _SAFE_VALUE.fullmatch(value):
                raise InvalidVariant(f"theme {name}: token '{token}' is {value!r}; a theme sets {', '.join(TOKENS)}.")
        if not _NAME.fullmatch(name):
            raise InvalidVariant(f"'{name}' is not a name of a theme; use small letters, digits and hyphens.")
        theme = cls(
            name,
            str(data.get("title", name)),
            tokens,
            {str(power): _colours(name, f"powers.{power}", value) for power, value in data.get("powers", {}).items()},
            tuple(_colours(name, "spare", value) for value in data.get("spare", [])),
            _like(name, data.get("like", {}), data.get("powers", {})),
            *(bool(data.get(key, False)) for key in ("patterned", "tagged", "ruled")),
        )
        if lawful:
            for sentence in theme.faults():
                raise InvalidVariant(f"theme {name}: {sentence}.")
        return theme

    def colours(self, powers: Iterable[Power], like: Mapping[Power, str] | None = None) -> Mapping[Power, Colours]:
        """Return the colours of each of `powers`: of the power it is to look `like`, or chosen for its name, or spare.

        No two powers look the same as long as the theme has colours enough; among more, colours between two of its own
        are worn too, and letters tell powers apart.
        """
        wanted = sorted(set(powers))
        chosen = {power: other for power, other in (like or {}).items() if other in self.powers and power in wanted}
        named: dict[Power, Colours] = {}
        for power, other in chosen.items():
            if self.powers[other] not in named.values():
                named[power] = self.powers[other]
        for power in wanted:
            if power not in named and power in self.powers and self.powers[power] not in named.values():
                named[power] = self.powers[power]
        for power in wanted:
            other = self.like.get(power, power)
            if power not in named and other != power and self.powers[other] not in named.values():
                named[power] = self.powers[other]
        # the colours chosen for powers are farther apart than the spare ones, and few powers need no others
        few = len(wanted) <= len(self.powers)
        order = (*self.powers.values(), *self.spare) if few else (*self.spare, *self.powers.values())
        free = [colours for colours in order if colours not in named.values()]
        strangers = [power for power in wanted if power not in named]
        return named | dict(zip(strangers, (*free, *self._between(len(strangers) - len(free))), strict=False))

    def _between(self, number: int) -> Iterator[Colours]:
        """So many colours more, each halfway between two of the theme, with the pattern of a third."""
        own = (*self.spare, *self.powers.values())
        for i in range(number):
            step, first = 1 + i // len(own), own[i % len(own)]
            second, third = own[(i + step) % len(own)], own[(i + 2 * step + 1) % len(own)]
            yield Colours(halfway(first.land, second.land), halfway(first.ink, second.ink), third.pattern)

    def sheet(self, powers: Iterable[Power], prefix: str = "", like: Mapping[Power, str] | None = None) -> str:
        """Return the stylesheet of a picture with these powers, as CSS text for its `<style>` or for a page.

        Custom properties stand on `.board`, `--land-austria` and `--ink-austria` among them; `prefix` is that of the
        picture's ids.
        """
        of_power = self.colours(powers, like)
        values = dict(self.tokens)
        tagged = self.tagged or len(of_power) > CROWD
        # on the small tokens of a narrow picture the letters take the place of the cannon and of the lines of the ship
        values |= {"tagged": "inline" if tagged else "none", "device": "none" if tagged else "inline"}
        for power, colours in of_power.items():
            values |= {f"land-{slug(power)}": colours.land, f"ink-{slug(power)}": colours.ink}
        lines = RULES.replace(WITHOUT_COLOURS, f"{RULED}\n" if self.ruled else "")
        rules = [".board{" + ";".join(f"--{key}:{value}" for key, value in values.items()) + "}", lines]
        for power in of_power:
            name = slug(power)
            fill = f"url(#{prefix}pattern-{name})" if self.patterned else f"var(--land-{name})"
            rules.append(f".p-{name}{{color:var(--ink-{name})}}.land.p-{name}{{fill:{fill}}}")
            rules.append(f".ground.p-{name}{{fill:var(--land-{name})}}")
        return "\n".join(rules)


@cache
def _load_theme(name: str) -> Theme:
    # the tests hold our own themes to the law
    return Theme.from_toml(theme_file(name).read_text(encoding="utf-8"), name, lawful=False)


def theme_file(name: str) -> Traversable:
    """Return the file of one of our own themes."""
    return files("plenipo.maps.draw") / "themes" / f"{name}.toml"


def _colours(theme: str, key: str, value: Any) -> Colours:
    match value:
        case [str(land), str(ink), str(pattern)] if pattern in MOTIFS:
            if _SAFE_VALUE.fullmatch(land) and _SAFE_VALUE.fullmatch(ink):
                return Colours(land, ink, pattern)
    raise InvalidVariant(
        f"theme {theme}: '{key}' has {value!r}; write a land colour, an ink colour and one of {', '.join(MOTIFS)}."
    )


def _like(theme: str, table: Mapping[str, Any], powers: Mapping[str, Any]) -> dict[str, str]:
    for power, other in table.items():
        if other not in powers or power in powers:
            raise InvalidVariant(
                f"theme {theme}: 'like.{power}' is {other!r}; write another power that has colours here."
            )
    return {str(power): str(other) for power, other in table.items()}


@lru_cache(maxsize=1024)
def slug(name: str) -> str:
    """Return a name as part of a class or an id: small letters and digits, everything else a hyphen or its number.

    >>> slug("Papal States"), slug("Österreich")
    ('papal-states', 'xd6sterreich')
    """
    text = "".join(c if c.isascii() and c.isalnum() else "-" if c in " -_" else f"x{ord(c):x}" for c in name)
    return text.lower()


def tags(powers: Sequence[Power]) -> Mapping[Power, str]:
    """One or two letters for each power that tell them apart: the beginning of its name, where that is enough.

    Otherwise it is the first letter and a later one.

    >>> tags([Power("Austria"), Power("Papacy"), Power("Persia"), Power("Sweden"), Power("Switzerland")])
    {'Austria': 'A', 'Papacy': 'Pa', 'Persia': 'Pe', 'Sweden': 'Sw', 'Switzerland': 'Si'}
    """
    tag_of: dict[Power, str] = {}
    for power in powers:
        others = [other for other in powers if other != power]
        for length in (1, 2):
            if not any(other.startswith(power[:length]) for other in others):
                tag_of[power] = power[:length]
                break
    for power in sorted(powers, key=len):
        if power not in tag_of:
            letters = chain(filter(str.isalnum, power[1:]), map(str, count(1)))
            tag_of[power] = next(pair for letter in letters if (pair := power[0] + letter) not in tag_of.values())
    return {power: tag_of[power] for power in powers}
