"""The legend beside a map, as on a share picture or a poster: title, powers with bars, signs, compass."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from plenipo.maps.draw.legend import KEY, LegendSign
from plenipo.maps.lettering.typeface import CAPITAL, width_of

__all__ = ["LegendEntry", "column"]

LARGEST = 300
"""The size of the largest letters of a title, in pips."""

LINE = 1.15
"""The height of a line of the title, in sizes of its letters."""

ROSE = 0.16
"""The radius of the compass, as a share of the column's width."""


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A power in the legend: its name, its score, its class in the stylesheet, and the letters on its units."""

    name: str
    count: int
    kind: str
    letters: str = ""


def column(
    words: Sequence[str],
    entries: Sequence[LegendEntry],
    signs: Sequence[LegendSign],
    box: tuple[float, float, float, float],
    *,
    compass: bool = False,
) -> Iterator[str]:
    """Yield the parts of a legend as SVG, from the top, within a box: west, north, width, height in pips.

    `words` are the lines of the title. Each of the `entries` has a bar proportional to its score. `signs` follow in two
    columns, and a `compass` stands at the foot.
    """
    west, y, width, height = box
    foot = y + height - (2.4 * ROSE * width if compass else 0)
    size = min(LARGEST, width / max(map(width_of, words)))
    for word in words:
        y += size * LINE
        yield _text("caption", west, y, size, word)
    y += 0.4 * size
    key = min(0.9 * size, 0.06 * width) if signs else 0.0
    rows = -(-len(signs) // 2)
    step = min(0.16 * width, (foot - y - 1.7 * key * (rows + 1)) / max(len(entries), 1))
    yield from _bars(entries, west, y, width, step)
    y += step * len(entries) + 0.8 * key
    for number, sign in enumerate(signs):
        x, line = west + width / 2 * (number % 2), y + 1.7 * key * (number // 2 + 1)
        scale = key / KEY
        place = f"translate({x + 32 * scale:.0f} {line - 0.32 * key:.0f}) scale({scale:.2f})"
        yield f'<g transform="{place}">{sign.icon}</g>'
        room = (width / 2 - 90 * scale) / width_of(sign.word)
        yield _text("key", x + 78 * scale, line, min(key, room), sign.word)
    if compass:
        yield _rose(west + width / 2, y=box[1] + height - 1.1 * ROSE * width, radius=ROSE * width)


def _bars(entries: Sequence[LegendEntry], west: float, y: float, width: float, step: float) -> Iterator[str]:
    """Yield a line for each power: its name, a bar in its colour, and the number."""
    size = 0.62 * step
    names = max((width_of(entry.name) for entry in entries), default=1.0)
    size = min(size, 0.5 * width / names)
    start = west + (names + 0.6) * size
    most = max((entry.count for entry in entries), default=1) or 1
    longest = west + width - start - 1.8 * size
    for entry in entries:
        y += step
        high = 0.62 * step
        long = max(longest * entry.count / most, 0.25 * high)
        top = y - high + 0.08 * step
        yield _text("count", west, y, size, entry.name)
        yield (
            f'<rect class="swatch land {entry.kind}" x="{start:.0f}" y="{top:.0f}" width="{long:.0f}" '
            f'height="{high:.0f}" rx="{high / 8:.0f}"/>'
        )
        if entry.letters:
            letter = 0.6 * high
            style = f'style="font-size:{letter:.0f}px;text-anchor:start" x="{start + 0.2 * letter:.0f}"'  # english: ok
            line = top + high / 2 + CAPITAL * letter / 2
            letters = escape(entry.letters)
            yield f'<g class="tag {entry.kind}"><text {style} y="{line:.0f}">{letters}</text></g>'  # english: ok
        yield _text("count", start + long + 0.35 * size, y, size, str(entry.count))


def _text(kind: str, x: float, y: float, size: float, words: str) -> str:
    return f'<text class="{kind}" style="font-size:{size:.0f}px" x="{x:.0f}" y="{y:.0f}">{escape(words)}</text>'


def _rose(x: float, y: float, radius: float) -> str:
    """Return a compass with four points, north up, one half of each dark."""
    r, inner = radius, 0.2 * radius
    dark = "".join(
        f'<path d="M0 {-r:.0f}L{inner:.0f} {-inner:.0f}L0 0Z" transform="rotate({turn})"/>'
        for turn in (0, 90, 180, 270)
    )
    light = "".join(
        f'<path d="M0 {-r:.0f}L{-inner:.0f} {-inner:.0f}L0 0Z" transform="rotate({turn})"/>'
        for turn in (0, 90, 180, 270)
    )
    return (
        f'<g class="compass" transform="translate({x:.0f} {y:.0f})"><title>North is up</title>'
        f'<circle r="{0.62 * r:.0f}"/><g class="compass-dark">{dark}</g><g class="compass-light">{light}</g>'
        f'<text style="font-size:{0.42 * r:.0f}px" y="{-1.08 * r:.0f}">N</text></g>'
    )
