"""Pictures of positions: finding the moment that a file describes, and drawing it on a chart."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from plenipo import charts, jsonlines, library
from plenipo.cli import saved
from plenipo.engine.history import record
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.step import process
from plenipo.engine.position import Position
from plenipo.engine.rules import Rules
from plenipo.errors import UnknownName, UnreadablePosition
from plenipo.formats.parsing import json_object
from plenipo.languages.current import _, current_language, in_list
from plenipo.languages.names import language_in
from plenipo.maps.draw import Theme

__all__ = ["PictureMoment", "drawing", "moment", "poster"]


@dataclass(frozen=True, slots=True)
class PictureMoment:
    """The moment to draw: a position, with orders as given, or with a resolution that has their results."""

    rules: Rules
    position: Position
    orders: tuple[Order, ...] = ()
    resolution: Resolution | None = None


def moment(
    text: str | None,
    variant: str | None,
    options: Mapping[str, str],
    *,
    results: bool = False,
    number: int | None = None,
) -> PictureMoment:
    """Read the moment to draw: a saved game, a position, or a line of JSON as `plenipo adjudicate` takes it.

    Without a text it is the opening. `variant` takes precedence over a variant that the text names; without either it
    is the standard one. `number` selects one of the games of a match. `results` shows the last phase of a game, or the
    orders of a line, with their results. Raise `PlenipoError` for invalid input.
    """
    if text is None:
        rules = library.load(variant or "standard", options)
        return PictureMoment(rules, rules.opening)
    value = json_object(text)
    of_match = saved.is_match(text)
    if value is None and not of_match:
        raise UnreadablePosition(_("The file holds no position: it must be one JSON object."))
    if value is None or of_match or "format" in value or "phases" in value:
        game = saved.read(text, variant, number)
        if not results or not game.turns:
            return PictureMoment(game.rules, game.position)
        resolution = game.turns[-1].resolution
        return PictureMoment(game.rules, resolution.before, (), resolution)
    if isinstance(value.get("dislodged"), list):
        rules = library.load(variant or "standard", options)
        return PictureMoment(rules, record.decode_position(value, rules))
    line = jsonlines.read(text, lambda name, chosen: library.load(variant or name, {**chosen, **options}))
    for sentence in (*line.errors, *map(str, line.refusals)):
        raise UnreadablePosition(sentence)
    if results:
        resolution = process(line.rules, line.position, line.orders)
        return PictureMoment(line.rules, line.position, (), resolution)
    return PictureMoment(
        line.rules, line.position, tuple(order for order_set in line.orders.values() for order in order_set)
    )


def drawing(moment: PictureMoment, variant: str | None, theme: str, **look: Any) -> str:
    """Return the picture as SVG text in the language in use, with the `look` that `Chart.scene` takes.

    Raise `UnknownName` for others.
    """
    name = variant or moment.rules.variant
    chart = charts.chart(name, moment.rules.options)
    language = language_in(current_language(), name)
    scene = chart.scene(moment.position, moment.resolution, moment.orders, language=language, **look)
    return chart.draw(scene, theme)


def poster(moment: PictureMoment, variant: str | None, theme: str, paper: str, **look: Any) -> bytes:
    """Return the same as a PDF of one page of `paper`, with a legend and, if the game is won, the winners in its title.

    Raise `UnknownName` as `drawing` does, and for an unknown paper size, and `PlenipoError` as `plenipo.poster.pdf`
    does.
    """
    from plenipo.maps.draw import PAPER  # noqa: PLC0415  # what only a poster needs
    from plenipo.poster import pdf  # noqa: PLC0415  # the same

    if paper.lower() not in PAPER:
        papers = ", ".join(PAPER)
        raise UnknownName(_("'{paper}' is not a paper for posters; there are {papers}.", paper=paper, papers=papers))
    position = moment.resolution.after if moment.resolution else moment.position
    won = _("Won by {powers}", powers=in_list(sorted(position.winners))) if position.winners else ""
    look |= {"shape": paper.lower(), "legend": True, "caption": look.get("caption") or won}
    svg = drawing(moment, variant, theme, **look)
    width, height = list(map(int, svg.partition('viewBox="')[2].partition('"')[0].split()))[2:]
    colour = Theme.from_name(theme).tokens["paper"]
    title = look.get("title") or moment.rules.title
    return pdf(svg, paper.lower(), colour, title=title, upright=height > width)
