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

from plenipo.engine.orders import Convoy, Order, Support
from plenipo.engine.outcome import Outcome, Resolution, Result
from plenipo.engine.phases import retreats, victory
from plenipo.engine.position import Position
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rulebook import EDITIONS, POLICIES
from plenipo.engine.rules import Rules
from plenipo.library import Definition, Option
from plenipo.library.plugins import Shelf

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

NOBODY = "nobody has a {}"
"""The score when there is none."""


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def position_of(rules: Rules, position: Position) -> RenderableType:
    """Return the powers with their centres and units, any other score, and the tasks of this phase."""
    asks = [OrderEntry(rules, position, power).task for power in rules.names]
    counts, noun, _ = victory.score(rules, position)
    other = [] if noun == victory.CENTRE else [_counted(noun)]
    table = _table("Power", *other, "Centres", "Units", *(["To do"] if any(asks) else []))
    for power, ask in zip(rules.names, asks, strict=True):
        units = ", ".join(map(str, position.units_of(power))) or "none"
        row = [str(counts.get(power, 0)) for _ in other] + [str(len(position.centres_of(power))), units]
        table.add_row(Text(power, "bold"), *map(Text, row), *([Text(ask)] if any(asks) else []))
    parts: list[RenderableType] = [table]
    free = sorted(rules.board_at(position).centres - position.owners.keys())
    if free:
        parts.append(Text(f"Centres nobody owns: {', '.join(free)}.", "dim"))
    for gone in position.dislodged:
        places = retreats.options(rules, position, gone)
        ways = f"may retreat to {', '.join(map(str, places))}" if places else "has nowhere to go"
        by = f" by {gone.by} of {gone.by.power}" if gone.by else ""
        parts.append(Text(f"{gone.unit} of {gone.unit.power} was dislodged{by} and {ways}."))
    return Group(*parts)


def score(rules: Rules, position: Position) -> str:
    """Return `France 5, Austria 4`: the powers with a score, highest first."""
    counts, noun, _ = victory.score(rules, position)
    best = sorted((-counts.get(power, 0), power) for power in rules.names)
    return ", ".join(f"{power} {-number}" for number, power in best if number) or NOBODY.format(noun)


def standing(rules: Rules, position: Position) -> str:
    """Return the score as a part of a sentence: `with France 5, Austria 4`."""
    counts, noun, _ = victory.score(rules, position)
    return f"with {score(rules, position)}" if any(counts.values()) else f"and {NOBODY.format(noun)}"


def _counted(noun: str) -> str:
    """Return the heading of the score: `Centres`."""
    return f"{noun.capitalize()}s"


def report(rules: Rules, resolution: Resolution) -> RenderableType:
    """Return all results of a phase: a line for each order, power by power, then the consequences."""
    parts: list[RenderableType] = []
    powers = {outcome.power for outcome in resolution.outcomes}
    for power in (*filter(powers.__contains__, rules.names), *sorted(powers.difference(rules.names))):
        parts.append(Text(power, "bold"))
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for outcome in resolution.outcomes:
            if outcome.power == power:
                table.add_row(*_row(outcome))
        parts.append(Padding(table, (0, 0, 0, 2)))
    for heading, sentences in (("Did not count", resolution.errors), ("What followed", resolution.notes)):
        if sentences:
            parts.append(Text(heading, "bold"))
            parts += [Padding(Text(sentence), (0, 0, 0, 2)) for sentence in sentences]
    counted = _counted(victory.score(rules, resolution.after).noun)
    parts.append(Text(f"{counted}: {score(rules, resolution.after)}.", "dim"))
    return Group(*parts)


def _row(outcome: Outcome) -> tuple[Text, Text, Text]:
    written = outcome.order if outcome.order is not None else outcome.unit or ""
    word = f"{outcome.result}, dislodged" if outcome.dislodged_by is not None else str(outcome.result)
    style = "red" if not outcome.succeeded else "" if outcome.result is Result.HOLDS else "green"
    return Text(str(written)), Text(word, style), Text(outcome.why)


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
    table = _table("Name", "Title", "Powers", "Centres", "To win", *(["From"] if others else []))
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row[: len(table.columns)]))
    return table


def bank(definitions: Iterable[Definition]) -> RenderableType:
    """Return the variant library: name, title, players, length, and remarks."""
    table = _table("Name", "Title", "Players", "Length", "What is special")
    for each in definitions:
        about, special = each.about, ", ".join(each.about.special)
        players = str(about.players or len(each.powers))
        table.add_row(*map(Text, (each.name, each.title, players, about.length or "", special)))
    return table


def plugged_in(shelves: Iterable[Shelf[Any]]) -> RenderableType:
    """Describe the plug-ins of other packages beside variants; empty if there are none."""
    table = _table("Kind", "Name", "What it is", "From")
    for shelf in shelves:
        for plugin in shelf.installed if shelf.noun != "variant" else ():
            table.add_row(*map(Text, (shelf.noun, plugin.name, plugin.summary, plugin.package)))
    return Padding(table, (1, 0, 0, 0)) if table.row_count else Group()


def options(title: str, choices: Iterable[Option]) -> RenderableType:
    """Return the options of a variant, with their defaults and possible values."""
    table = _table("Option", "Unless set", "May be")
    for option in choices:
        table.add_row(*map(Text, option))
    if not table.row_count:
        table.add_row("(none of its own)")
    return Group(
        Text(f"{title}; `rulebook`, `victory` and every policy of `plenipo rulebooks` can be set as well:"), table
    )


def board_of(rules: Rules) -> RenderableType:
    """Return the spaces of a board with the spaces an army and a fleet may reach from each."""
    table = _table("Space", "Name", "Terrain", "Army", "Fleet")
    board = rules.board
    homes = {code: power for power, codes in rules.opening.homes.items() for code in codes}
    for code, space in sorted(board.spaces.items()):
        terrain = "impassable" if space.impassable else str(space.terrain)
        if space.centre:
            terrain += f", centre of {homes[code]}" if code in homes else ", centre"
        armies = ", ".join(sorted(board.armies.get(code, ())))
        fleets = "; ".join(
            (f"{location.coast}: " if location.coast else "") + ", ".join(map(str, sorted(board.fleets[location])))
            for location in space.locations
            if location in board.fleets
        )
        table.add_row(*map(Text, (code, space.name, terrain, armies, fleets)))
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
    return "all editions" if len(who) == len(EDITIONS) else ", ".join(who)
