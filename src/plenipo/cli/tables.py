"""Tables and lines of text for the terminal: positions, orders and results.

Nothing here makes decisions; every fact comes from the engine. Colour only repeats the words.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from plenipo.engine.board import Terrain
from plenipo.engine.orders import Convoy, Order, Support
from plenipo.engine.outcome import Outcome, Resolution, Result
from plenipo.engine.phases import retreats, victory
from plenipo.engine.position import Position
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rulebook import EDITIONS, POLICIES
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind
from plenipo.languages.current import _, in_words, mark, name_of
from plenipo.library import Definition, Option
from plenipo.library.plugins import PluginRegistry

__all__ = [
    "board_of",
    "options",
    "order_list",
    "plugged_in",
    "position_of",
    "report",
    "rulebooks",
    "score",
    "standing",
    "variants",
]

_RESULTS = {result: SentenceKind(f"result-{result.name.lower().replace('_', '-')}", str(result)) for result in Result}
_NONE_SCORED = SentenceKind("none-scored", "nobody has a {noun}")
_WITH_SCORE = SentenceKind("with-score", "with {score}")
_AND_NONE_SCORED = SentenceKind("and-none-scored", "and nobody has a {noun}")
_MEASURES = ("centre", "point", "unit", "piece")
_SCORES = {noun: SentenceKind(f"scores-{noun}", f"{noun.capitalize()}s") for noun in _MEASURES}
_TERRAINS = {terrain: SentenceKind(f"terrain-{terrain}", str(terrain)) for terrain in Terrain}
_IMPASSABLE = SentenceKind("terrain-impassable", "impassable")
_NOUNS = {noun: SentenceKind(f"noun-{noun}", noun) for noun in _MEASURES}


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def position_of(rules: Rules, position: Position) -> RenderableType:
    """Return the powers with their centres and units, any other score, and the tasks of this phase."""
    asks = [OrderEntry(rules, position, power).task for power in rules.names]
    counts, noun, _most = victory.score(rules, position)
    other = [] if noun == victory.CENTRE else [_score_heading(noun)]
    table = _table(_("Power"), *other, _("Centres"), _("Units"), *([_("To do")] if any(asks) else []))
    for power, ask in zip(rules.names, asks, strict=True):
        units = ", ".join(map(str, position.units_of(power))) or _("none")
        row = [str(counts.get(power, 0))] * len(other) + [str(len(position.centres_of(power))), units]
        asked = [Text(in_words(ask))] if any(asks) else []
        table.add_row(Text(name_of(power), "bold"), *map(Text, row), *asked)
    parts: list[RenderableType] = [table]
    free = sorted(rules.board_at(position).centres - position.owners.keys())
    if free:
        parts.append(Text(_("Neutral centres: {centres}.", centres=", ".join(free)), "dim"))
    for gone in position.dislodged:
        places = retreats.options(rules, position, gone)
        said = {"unit": gone.unit, "power": name_of(gone.unit.power), "places": ", ".join(map(str, places))}
        if gone.by:
            said |= {"other": gone.by, "rival": name_of(gone.by.power)}
        parts.append(Text(_(_GONE[bool(gone.by), bool(places)], **said)))
    return Group(*parts)


_GONE = {
    (True, True): mark("{unit} of {power} was dislodged by {other} of {rival} and may retreat to {places}."),
    (True, False): mark("{unit} of {power} was dislodged by {other} of {rival} and has nowhere to go."),
    (False, True): mark("{unit} of {power} was dislodged and may retreat to {places}."),
    (False, False): mark("{unit} of {power} was dislodged and has nowhere to go."),
}
"""The sentences about a dislodged unit: with or without the unit that dislodged it, with or without a retreat."""


def score(rules: Rules, position: Position) -> str:
    """Return `France 5, Austria 4`: the powers with a score, highest first."""
    counts, noun, _most = victory.score(rules, position)
    best = sorted((-counts.get(power, 0), power) for power in rules.names)
    scored = ", ".join(f"{name_of(power)} {-number}" for number, power in best if number)
    return scored or in_words(_NONE_SCORED(noun=_noun(noun)))


def standing(rules: Rules, position: Position) -> str:
    """Return the score as a part of a sentence: `with France 5, Austria 4`."""
    counts, noun, _most = victory.score(rules, position)
    if any(counts.values()):
        return in_words(_WITH_SCORE(score=score(rules, position)))
    return in_words(_AND_NONE_SCORED(noun=_noun(noun)))


def _noun(noun: str) -> str:
    return _NOUNS[noun]() if noun in _NOUNS else noun


def _score_heading(noun: str) -> str:
    """Return the heading of the score: `Centres`."""
    return in_words(_SCORES[noun]()) if noun in _SCORES else f"{noun.capitalize()}s"


def report(rules: Rules, resolution: Resolution) -> RenderableType:
    """Return all results of a phase: a line for each order, power by power, then the consequences."""
    parts: list[RenderableType] = []
    powers = {outcome.power for outcome in resolution.outcomes}
    for power in (*filter(powers.__contains__, rules.names), *sorted(powers.difference(rules.names))):
        parts.append(Text(name_of(power), "bold"))
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for outcome in resolution.outcomes:
            if outcome.power == power:
                table.add_row(*_row(outcome))
        parts.append(Padding(table, (0, 0, 0, 2)))
    for heading, sentences in ((_("Did not count"), resolution.errors), (_("What followed"), resolution.notes)):
        if sentences:
            parts.append(Text(heading, "bold"))
            parts += [Padding(Text(in_words(sentence)), (0, 0, 0, 2)) for sentence in sentences]
    counted = _score_heading(victory.score(rules, resolution.after).noun)
    parts.append(Text(f"{counted}: {score(rules, resolution.after)}.", "dim"))
    return Group(*parts)


def _row(outcome: Outcome) -> tuple[Text, Text, Text]:
    written = outcome.order if outcome.order is not None else outcome.unit or ""
    word = in_words(_RESULTS[outcome.result]())
    word = _("{result}, dislodged", result=word) if outcome.dislodged_by is not None else word
    style = "red" if not outcome.succeeded else "" if outcome.result is Result.HOLDS else "green"
    return Text(str(written)), Text(word, style), Text(in_words(outcome.why))


def order_list(orders: Sequence[Order]) -> RenderableType:
    """Return orders in columns: first the unit's own moves, then the supports, then the convoys."""
    plain = [order for order in orders if not isinstance(order, Support | Convoy)]
    groups: tuple[Sequence[Order], ...] = (
        plain,
        *([order for order in orders if isinstance(order, kind)] for kind in (Support, Convoy)),
    )
    return Group(
        *(Padding(Columns([Text(str(o)) for o in group], padding=(0, 3)), (0, 0, 0, 2)) for group in groups if group)
    )


def variants(rows: Sequence[tuple[str, str, int, int, str, str]]) -> RenderableType:
    """Return variants as name, title, number of powers, of centres, victory condition, and any other package."""
    others = any(row[-1] for row in rows)
    table = _table(_("Name"), _("Title"), _("Powers"), _("Centres"), _("To win"), *([_("From")] if others else []))
    for row in rows:
        table.add_row(*(Text(in_words(cell)) for cell in row[: len(table.columns)]))
    return table


def bank(definitions: Iterable[Definition]) -> RenderableType:
    """Return the variant library: name, title, players, length, and remarks."""
    table = _table(_("Name"), _("Title"), _("Players"), _("Length"), _("What is special"))
    for each in definitions:
        about, special = each.about, ", ".join(each.about.special)
        players = str(about.players or len(each.powers))
        table.add_row(*map(Text, (each.name, each.title, players, about.length or "", special)))
    return table


def plugged_in(shelves: Iterable[PluginRegistry[Any]]) -> RenderableType:
    """Describe the plug-ins of other packages beside variants; empty if there are none."""
    table = _table(_("Kind"), _("Name"), _("What it is"), _("From"))
    for shelf in shelves:
        for plugin in shelf.installed_plugins if shelf.noun != "variant" else ():
            table.add_row(*map(Text, (shelf.noun, plugin.name, plugin.summary, plugin.package)))
    return Padding(table, (1, 0, 0, 0)) if table.row_count else Group()


def options(title: str, choices: Iterable[Option]) -> RenderableType:
    """Return the options of a variant, with their defaults and possible values."""
    table = _table(_("Option"), _("Unless set"), _("May be"))
    for option in choices:
        table.add_row(*map(Text, option))
    if not table.row_count:
        table.add_row(_("(none of its own)"))
    return Group(
        Text(
            _("{title}; `rulebook`, `victory` and every policy of `plenipo rulebooks` can be set as well:", title=title)
        ),
        table,
    )


def board_of(rules: Rules) -> RenderableType:
    """Return the spaces of a board with the spaces an army and a fleet may reach from each."""
    table = _table(_("Space"), _("Name"), _("Terrain"), _("Army"), _("Fleet"))
    board = rules.board
    homes = {code: power for power, codes in rules.opening.homes.items() for code in codes}
    for code, space in sorted(board.spaces.items()):
        terrain = in_words(_IMPASSABLE() if space.impassable else _TERRAINS[space.terrain]())
        if space.centre and code in homes:
            terrain = _("{terrain}, centre of {power}", terrain=terrain, power=name_of(homes[code]))
        elif space.centre:
            terrain = _("{terrain}, centre", terrain=terrain)
        armies = ", ".join(sorted(board.armies.get(code, ())))
        fleets = "; ".join(
            (f"{location.coast}: " if location.coast else "") + ", ".join(map(str, sorted(board.fleets[location])))
            for location in space.locations
            if location in board.fleets
        )
        table.add_row(*map(Text, (code, name_of(space.name), terrain, armies, fleets)))
    return table


def rulebooks(keys: Iterable[str] = ()) -> RenderableType:
    """Return the policies (all, or those named), the meaning of each choice, and the editions that make it."""
    parts: list[RenderableType] = []
    for key in keys or POLICIES:
        policy = POLICIES[key]
        parts.append(Text.assemble((key, "bold"), f"  {policy.title}"))
        for choice, meaning in policy.choices.items():
            who = editions_choosing(policy.editions, choice)
            parts.append(
                Padding(Text.assemble((choice, "green"), f": {meaning}{f' ({who})' if who else ''}"), (0, 0, 0, 4))
            )
    return Group(*parts)


def editions_choosing(editions: Sequence[str], choice: str) -> str:
    """Return the editions that make a choice, or `all`."""
    who = [name for name, chosen in zip(EDITIONS, editions, strict=True) if chosen == choice]
    return _("all editions") if len(who) == len(EDITIONS) else ", ".join(who)
