"""Plots as SVG, and the page around them: one self-contained file; pure.

Every plot has a title and a labelled axis; colours come from the page, so that it can be dark.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape

from plenipo.matches.standings import Estimate

__all__ = ["curves", "intervals", "page", "picture", "table"]

WIDTH = 420
"""The width of a plot in its own units; the page shrinks it if there is less room."""

LEFT = 100
"""The room for labels on the left."""

RIGHT = 48
ROW = 22
HUES = (212, 24, 145, 280, 48, 340, 180, 95, 0, 250, 70, 310)
"""The hues of curves, one after the other."""

COLOURS = """
:root { color-scheme: light dark; --ink: #222; --faint: #0002; --soft: #667; --ground: #fff; --strong: #1f5fa8;
  --l: 42%; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --faint: #fff2; --soft: #a9b0bb; --ground: #16191d; --strong: #7fb2ea; --l: 68%; }
}
"""

LINES = """
svg text { fill: var(--ink); font-size: 12px; }
svg .soft { fill: var(--soft); } svg .grid { stroke: var(--faint); }
svg .mark { stroke: var(--soft); stroke-dasharray: 4 3; }
svg .interval { stroke: var(--strong); stroke-width: 2; } svg .dot { fill: var(--strong); }
svg .curve { fill: none; stroke-width: 2; } svg .band { opacity: .15; }
"""

STYLE = f"""{COLOURS}
body {{ background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto;
  max-width: 76rem; padding: 0 1rem; }}
h1 {{ font-size: 1.5rem; margin: 0 0 .5rem; }} h2 {{ font-size: 1.1rem; margin: 2rem 0 .5rem; }}
p {{ max-width: 60rem; }} .wide {{ overflow-x: auto; }}
.sides {{ display: grid; gap: 0 2rem; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); }}
.sides > div {{ min-width: 0; }} .sides table {{ font-size: .85rem; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ border-bottom: 1px solid var(--faint); padding: .2rem .8rem .2rem 0; text-align: right;
  white-space: nowrap; }}
th:first-child, td:first-child, .words td:last-child, .words th:last-child {{ text-align: left; }}
.words td:last-child, .words th:last-child {{ white-space: normal; }}
th {{ font-weight: 600; }} small, .soft {{ color: var(--soft); }}
svg {{ display: block; height: auto; max-width: 32rem; width: 100%; }}
{LINES}"""


def picture(plot: str) -> str:
    """Return a plot as a file of its own."""
    style = f"{COLOURS}svg {{ background: var(--ground); font-family: system-ui, sans-serif; }}{LINES}"
    return plot.replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" ', 1).replace(
        "<title>", f"<style>{style}</style><title>", 1
    )


def page(title: str, body: str) -> str:
    """Return a page that needs no other file."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
        f"{body}\n</body>\n</html>\n"
    )


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, last: bool = False) -> str:
    """Return a table: the first column left-aligned, the others numbers, except the last with `last`, which is text."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>\n" for row in rows)
    kind = ' class="words"' if last else ""
    return f'<div class="wide"><table{kind}>\n<tr>{head}</tr>\n{body}</table></div>\n'


def intervals(
    title: str, rows: Sequence[tuple[str, Estimate]], *, mark: float | None = None, most: float | None = None
) -> str:
    """Return a plot with a dot for each mean and its interval, on a scale from 0 to `most`, by default 1 or less.

    `mark` is a line to compare with, such as par.
    """
    top = most or _round_up(max([estimate.high for _, estimate in rows] + [mark or 0.0]))
    height = ROW * len(rows) + 40

    def x(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * value / top

    parts = [_grid(x, top, height)]
    if mark is not None:
        parts.append(f'<line class="mark" x1="{x(mark):.1f}" x2="{x(mark):.1f}" y1="8" y2="{height - 26}"/>')
    for i, (label, estimate) in enumerate(rows):
        y = ROW * i + 20
        parts.append(
            f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{escape(label)}</text>'
            f'<line class="interval" x1="{x(estimate.low):.1f}" x2="{x(min(estimate.high, top)):.1f}"'
            f' y1="{y}" y2="{y}"/>'
            f'<circle class="dot" cx="{x(estimate.mean):.1f}" cy="{y}" r="4">'
            f"<title>{escape(label)}: {estimate.mean:.3f} ({estimate.low:.3f} to {estimate.high:.3f})</title></circle>"
            f'<text class="soft" x="{WIDTH - RIGHT + 8}" y="{y + 4}">{estimate.mean:.3f}</text>'
        )
    return _svg(title, height, parts)


def curves(title: str, series: Mapping[str, Sequence[tuple[float, float]]], *, across: str, bottom: float = 0.0) -> str:
    """Return a plot with a curve for each name, its points from left to right; `across` labels the horizontal axis.

    The labels of the curves stand in a legend below, in the order of their last points.
    """
    points = [point for curve in series.values() for point in curve]
    if not points:
        return ""
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top = _round_up(max(y for _, y in points))
    height, base = 270, 220
    ranked = sorted(series, key=lambda name: -series[name][-1][1] if series[name] else 0)
    columns = 3
    legend = ROW * ((len(ranked) + columns - 1) // columns)

    def px(x: float) -> float:
        return 40 + (WIDTH - 60) * (x - left) / max(right - left, 1e-9)

    def py(y: float) -> float:
        return base - (base - 10) * (y - bottom) / max(top - bottom, 1e-9)

    parts = []
    for step in range(5):
        value = bottom + (top - bottom) * step / 4
        parts.append(
            f'<line class="grid" x1="40" x2="{WIDTH - 20}" y1="{py(value):.1f}" y2="{py(value):.1f}"/>'
            f'<text class="soft" x="34" y="{py(value) + 4:.1f}" text-anchor="end">{value:g}</text>'
        )
    stride = max(1, round((right - left) / 5))
    parts += [
        f'<text class="soft" x="{px(value):.1f}" y="{base + 16}" text-anchor="middle">{value}</text>'
        for value in range(round(left), round(right) + 1, stride)
    ]
    parts.append(f'<text class="soft" x="{WIDTH / 2}" y="{base + 32}" text-anchor="middle">{escape(across)}</text>')
    for i, name in enumerate(series):
        colour = f"hsl({HUES[i % len(HUES)]} 65% var(--l))"
        way = " ".join(f"{px(x):.1f},{py(y):.1f}" for x, y in series[name])
        dash = ' stroke-dasharray="6 3"' if i >= len(HUES) else ""
        parts.append(
            f'<polyline class="curve" style="stroke: {colour}"{dash} points="{way}">'
            f"<title>{escape(name)}</title></polyline>"
        )
        place = ranked.index(name)
        x, y = 40 + (WIDTH - 60) / columns * (place % columns), height + ROW * (place // columns)
        parts.append(
            f'<rect x="{x:.1f}" y="{y - 9}" width="14" height="4" style="fill: {colour}"/>'
            f'<text x="{x + 20:.1f}" y="{y - 3}">{escape(name)}</text>'
        )
    return _svg(title, height + legend, parts)


def _grid(x: Callable[[float], float], top: float, height: float) -> str:
    lines = []
    for step in range(5):
        value = top * step / 4
        lines.append(
            f'<line class="grid" x1="{x(value):.1f}" x2="{x(value):.1f}" y1="8" y2="{height - 26}"/>'
            f'<text class="soft" x="{x(value):.1f}" y="{height - 10}" text-anchor="middle">{value:.3g}</text>'
        )
    return "".join(lines)


def _round_up(value: float) -> float:
    """Return the smallest of 0.1, 0.2, 0.4, 0.5, 0.8, 1, 2, 4 … that is not less than the value."""
    if value <= 0:
        return 1.0
    size = 1.0
    while size > value:
        size /= 10
    while size * 10 <= value:
        size *= 10
    return next(size * step for step in (1, 1.2, 1.6, 2, 2.4, 3.2, 4, 5, 6, 8, 10) if size * step >= value)


def _svg(title: str, height: float, parts: Iterable[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>\n"
    )
