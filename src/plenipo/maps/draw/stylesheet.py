"""The stylesheet of every picture: one class for each meaning, every colour a token of the theme.

`TOKENS` are the names a theme must set. In `RULES` they appear as custom properties, which only `.board` sets, so
that a page restyles a picture by setting properties. The colour of a power is `color` on `.p-NAME`; whatever belongs to
a power is drawn in `currentColor`.
"""

import math
import re

from plenipo.maps.lettering.placements import MIDDLE, MIDDLE_CODE, MIDDLE_TOKEN, NARROW

__all__ = ["FACE", "RULED", "RULES", "TOKENS", "WITHOUT_COLOURS", "at_width"]

TOKENS = {
    "paper": "the margin round the map",
    "neat": "the line round the map",
    "ink": "the writing in the margin",
    "sea-0": "water in the middle of the map",
    "sea-1": "water at the edge of the map",
    "sea-ring": "shallow water",
    "sea-glow": "how much of each of the thirteen strokes of shallow water shows, 0 to 1",
    "sea-line": "borders between seas",
    "sea-text": "names of seas",
    "sea-halo": "round the names of seas",
    "land": "land nobody owns",
    "land-off": "islands and land nobody may enter",
    "hatch": "the hatching of land nobody may enter",
    "coast": "the coast line",
    "border": "borders within a power",
    "frontier": "borders between powers",
    "lake": "lakes and canals",
    "shallow": "filled straits: the sea right at the shore",
    "tint": "how much a power's land darkens towards its frontier with strokes in its ink, 0 to 1",
    "pattern": "how much a pattern shows, 0 to 1",
    "label": "names of land",
    "halo": "round the names of land",
    "mark": "supply-centre marks",
    "mark-in": "the paper of a supply-centre mark",
    "edge": "round units and orders",
    "glyph": "the drawing on a unit",
    "bad": "what failed",
    "good": "what is new",
    "none": "orders and units of nobody",
    "corner": "corners",
    "hole": "a hole",
    "hole-ring": "the rings in a hole",
    "hole-text": "the name of a hole",
}
"""The tokens of a theme, and their uses."""

FACE = '"EB Garamond","Iowan Old NameStyle","Palatino Linotype",Palatino,"Book Antiqua",Georgia,serif'
"""The face of all lettering, and its fallbacks."""


_MEDIA = re.compile(r"@media (?:\(min-width:([\d.]+)px\) and )?\(max-width:(\d+)px\)\{((?:[^{}]*\{[^{}]*\})*)\s*\}")


def at_width(sheet: str, width: float) -> str:
    """Return a stylesheet without media queries, as it applies to a picture so many pixels wide."""
    return _MEDIA.sub(lambda m: m[3] if float(m[1] or 0) <= width <= int(m[2]) else "", sheet)


def _sizes(letter: str, tenths: range, most: float = math.inf) -> str:
    """Return the rules of the sizes that tokens may have."""
    return "\n".join(f".{letter}{n}>use,.{letter}{n}>g{{transform:scale({min(n / 10, most)})}}" for n in tenths)


WITHOUT_COLOURS = "WITHOUT COLOURS\n"
"""The place in `RULES` where a theme without colours inserts `RULED`; others leave it out."""

RULED = """
.case{stroke-width:32;stroke-opacity:1}
.convoyed .case{stroke-width:30}
.failed .case{stroke-width:24}
.failed .line{stroke-width:6;stroke-opacity:1}
.support .case{stroke-width:20;stroke-opacity:1}
.cut .case,.void .case{stroke-width:18}
.cut .line,.void .line{stroke-opacity:1}
.rest{stroke-width:6;stroke-opacity:1}
.aim{fill-opacity:1;stroke-opacity:1;stroke-width:5.5}
.bar-case{stroke-width:24}
.hold-case{stroke-width:16;stroke-opacity:1}
""".strip()
"""The additional rules of a theme without colours: wider white lines round strokes, and thinner lines of failures."""

RULES = (
    """
.board{font-family:FACE;color:var(--none)}
.board text{text-anchor:middle;fill:var(--label)}
.paper{fill:var(--paper)}
.neat{fill:none;stroke:var(--neat)}
.sea-0{stop-color:var(--sea-0)}
.sea-1{stop-color:var(--sea-1)}
.sea-ground{fill:var(--sea-0)}
.ripple{fill:none;stroke:var(--sea-line);stroke-width:3;stroke-linecap:round;opacity:.55}
.sea{fill:var(--sea-0);fill-opacity:0}
.glow{fill:none;stroke:var(--sea-ring);stroke-linejoin:round;stroke-linecap:round;stroke-opacity:var(--sea-glow)}
.sea-border{fill:none;stroke:var(--sea-line);stroke-width:3.4;stroke-dasharray:11 9;stroke-linecap:round;opacity:.75}
.land,.ground{fill:var(--land)}
.impassable,.offboard,.island{fill:var(--land-off)}
.island{stroke:var(--coast);stroke-width:2.4}
.hatching{pointer-events:none}
.hatch{fill:none;stroke:var(--hatch)}
.motif{fill:none;stroke:currentColor;stroke-width:4;stroke-linecap:round;opacity:var(--pattern)}
.tint{fill:none;stroke:currentColor;stroke-opacity:.1;opacity:var(--tint);stroke-linejoin:round;stroke-linecap:round;pointer-events:none}
.tint.p-none{color:var(--border);stroke-opacity:.054}
.tint.home{stroke-opacity:.16;opacity:.9}
.centre .home{fill:none;stroke:currentColor;stroke-width:6}
.lake{fill:var(--lake);stroke:var(--coast);stroke-width:2}
.strait{fill:var(--shallow);stroke:var(--shallow);stroke-width:7;stroke-linejoin:round;pointer-events:none}
.river,.hill{fill:none;stroke-linecap:round;stroke-linejoin:round;pointer-events:none}
.river{stroke:var(--sea-line);stroke-width:3.2;opacity:.5}
.hill{stroke:var(--border);stroke-width:2.6;opacity:.34}
.borders{fill:none;stroke-linejoin:round;stroke-linecap:round;pointer-events:none}
.border{stroke:var(--border);stroke-width:3.2}
.frontier{stroke:var(--frontier);stroke-width:6.4}
.coast{fill:none;stroke:var(--coast);stroke-width:4}
.shore{stroke:var(--coast);stroke-width:7.5;stroke-linejoin:round;pointer-events:none}
.centre{fill:var(--mark-in);stroke:var(--mark)}
.centre-dot{fill:var(--mark);stroke:none}
.marks{display:inline}
.names,.codes,.compact{pointer-events:none}
.names text,.codes text,.compact text{font-weight:600;stroke:var(--halo);stroke-linejoin:round}
.names text,.codes text,.compact text{paint-order:stroke;stroke-width:.17em}
.names text.water,.codes text.water,.compact text.water{fill:var(--sea-text);stroke:var(--sea-halo)}
.board text.water{font-weight:500;font-style:italic}
.names text.sunk,.codes text.sunk,.compact text.sunk{fill:var(--hole-text);stroke:var(--hole)}
.board .coast-name{font-size:30px;font-weight:600;font-style:italic}
.coast-name{paint-order:stroke;stroke:var(--halo);stroke-width:5;opacity:.85}
.leader{fill:none;stroke:var(--label);stroke-width:3}
.leader-case{fill:none;stroke:var(--halo);stroke-width:7;stroke-linecap:round}
.order,.compact.ends,.sample{fill:none;stroke:currentColor;stroke-linecap:round;stroke-linejoin:round}
.case{stroke:var(--edge);stroke-width:22;stroke-opacity:.92}
.line{stroke-width:14}
.head{fill:currentColor;stroke:var(--edge);stroke-width:5;paint-order:stroke}
.support .case{stroke-width:13;stroke-opacity:.75}
.support .line{stroke-width:7;stroke-dasharray:16 10;stroke-linecap:butt}
.support .grip{fill:var(--edge);stroke:currentColor;stroke-width:5.5}
.convoyed .case{stroke-width:19}
.convoyed .line{stroke-width:11}
.convoy .line{stroke-width:7}
.retreat .line{stroke-width:12;stroke-dasharray:.1 20}
.failed .case{stroke-width:14}
.failed .line{stroke-width:7.5;stroke-opacity:.85}
.rest{stroke-width:5;stroke-opacity:.5;stroke-dasharray:1 13}
.aim{fill:var(--edge);stroke-width:4.5;stroke-opacity:.75;fill-opacity:.75}
.cut .case,.void .case{stroke-width:11}
.cut .line,.void .line{stroke-width:5.5;stroke-opacity:.7}
.void .line{stroke-dasharray:3 11}
.bar{stroke:var(--bad);stroke-width:8;stroke-linecap:butt}
.bar-case{stroke:var(--edge);stroke-width:15;stroke-linecap:butt}
.sample{color:var(--ink)}
.sample-head{fill:currentColor;stroke:none}
.sample-bar{stroke:var(--bad);stroke-width:9;stroke-linecap:butt}
.unit,.waive{fill:currentColor;stroke:currentColor}
.token{stroke:var(--edge);stroke-width:5;paint-order:stroke;stroke-linejoin:round}
.glyph{fill:var(--glyph);stroke:none}
.board .kind{fill:var(--glyph);stroke:none;font-weight:700;font-size:44px;text-anchor:middle}
.wheel{stroke:var(--glyph);stroke-width:4}
.spokes{fill:none;stroke:var(--glyph);stroke-width:3}
.pentagon{stroke-width:4}
.glyph-line{fill:none;stroke:var(--glyph);stroke-width:4;stroke-linecap:round}
.hold{fill:none;stroke-width:5}
.hold-case{fill:none;stroke:var(--edge);stroke-width:10;stroke-opacity:.85}
.ring{fill:none;stroke:var(--bad);stroke-width:6;stroke-dasharray:11 8}
.badge{fill:var(--edge);stroke:var(--bad);stroke-width:4.5}
.badge-line{fill:none;stroke:var(--bad);stroke-width:6;stroke-linecap:round}
.badge-new{fill:var(--edge);stroke:var(--good);stroke-width:4.5}
.badge-new-line{fill:none;stroke:var(--good);stroke-width:6;stroke-linecap:round}
.vacant{fill:none;stroke-width:5;stroke-dasharray:9 8}
.anarchy-ring{fill:none;stroke:var(--edge);stroke-width:4.5;stroke-dasharray:8 6}
.strike{fill:none;stroke:var(--bad);stroke-width:8;stroke-linecap:round}
.strike-case{fill:none;stroke:var(--edge);stroke-width:15;stroke-linecap:round}
.tag{display:var(--tagged)}
.tag circle{fill:var(--edge);stroke-width:3}
.board .tag text{stroke:none;font-weight:600;font-size:25px;fill:currentColor}
.board .tag .inside{display:none;font-size:45px;fill:var(--glyph)}
.board .tag .inside{stroke:currentColor;stroke-width:9;stroke-linejoin:round;paint-order:stroke}
.annotation{pointer-events:none}
.link-case{fill:none;stroke:var(--halo);stroke-width:15;stroke-linecap:round;stroke-linejoin:round}
.link-line{fill:none;stroke:var(--mark);stroke-width:5.5;stroke-dasharray:3 11;stroke-linecap:round}
.link-point{fill:var(--mark);stroke:var(--mark);stroke-width:3;stroke-linejoin:round}
.crossed{fill:var(--halo);stroke:var(--mark);stroke-width:4}
.crossed-line{fill:none;stroke:var(--mark);stroke-width:5;stroke-linecap:round}
.closed-wall,.closed-bars{fill:none;stroke-linejoin:round}
.closed-wall{stroke:var(--mark);stroke-width:17}
.closed-bars{stroke:var(--halo);stroke-width:11;stroke-dasharray:6 7}
.rule{pointer-events:auto}
.rule-case,.track-case{fill:none;stroke:var(--halo);stroke-width:17;stroke-opacity:.8;stroke-linejoin:round}
.rule-band{fill:none;stroke:var(--mark);stroke-width:15;stroke-dasharray:3.5 8.5}
.track{fill:none;stroke:var(--mark);stroke-width:4.5}
.ties{fill:none;stroke:var(--mark);stroke-width:15;stroke-dasharray:4.5 16}
.rule-plate{fill:var(--halo);stroke:var(--mark);stroke-width:4}
.rule-sign{fill:none;stroke:var(--mark);stroke-width:4.5;stroke-linecap:round;stroke-linejoin:round}
.objective .rule-sign,.event .rule-sign{fill:var(--mark)}
.board .plate text{fill:var(--mark);font-weight:700;font-size:28px}
.canal-bank{fill:none;stroke:var(--coast);stroke-width:17}
.canal-water{fill:none;stroke:var(--lake);stroke-width:11}
.anchor,.anchor-case{fill:none;stroke-linecap:round;stroke-linejoin:round}
.anchor{stroke:var(--sea-text);stroke-width:5}
.anchor-case{stroke:var(--sea-halo);stroke-width:13}
.box-edge{fill:var(--paper);stroke:var(--neat);stroke-width:2.5}
.box-water{stroke:var(--neat);stroke-width:5}
.lane .link-line,.lane .link-point{stroke:var(--ink)}
.lane .link-point{fill:var(--ink)}
.board .exit{font-size:40px;font-style:italic;font-weight:500;fill:var(--ink)}
.board .start{text-anchor:start}
.board .end{text-anchor:end}
.board .entry{fill:var(--sea-text);stroke:var(--sea-halo);stroke-width:7;paint-order:stroke}
.corner,.sample-corner{fill:var(--edge);stroke:var(--corner);stroke-width:4}
.corner{cursor:pointer}
.walker,.sample-walker{fill:var(--mark-in);stroke:var(--mark)}
.board .walker text{font-weight:600;font-size:34px;stroke:none;fill:var(--mark)}
.shade,.sample-shade{fill:var(--mark);stroke:var(--mark-in)}
.board .shade text{font-weight:600;font-size:34px;stroke:none;fill:var(--mark-in)}
.hole{fill:var(--hole);stroke:var(--hole-ring);stroke-width:5}
.hole-ring{fill:none;stroke:var(--hole-ring);stroke-width:4;opacity:.75}
.split{fill:none;stroke:var(--bad);stroke-width:8;stroke-dasharray:20 14;pointer-events:none}
.board .caption{fill:var(--ink);text-anchor:start;font-size:60px;font-weight:600}
.board .count{fill:var(--ink);text-anchor:start;font-size:46px;font-weight:600}
.board .key{fill:var(--ink);text-anchor:start;font-size:40px;font-weight:500}
.board .note{text-anchor:end;font-weight:500;font-style:italic}
.compass{fill:none;stroke:var(--ink);stroke-width:4;stroke-linejoin:round}
.compass-dark{fill:var(--ink)}
.compass-light{fill:var(--paper)}
.board .compass text{stroke:none;fill:var(--ink);font-weight:600}
.swatch{stroke:var(--neat);stroke-width:2.5}
WITHOUT COLOURS
.small,.spare{display:none}
SIZES
@media (max-width:MIDDLEpx){
.compact text{stroke-width:.24em}
.compact text.sunk{stroke-width:.32em}
.large{display:none}
.small{display:inline}
MIDDLESIZES
.compact .leader,.leader.compact{stroke-width:5}
.compact .leader-case,.leader-case.compact{stroke-width:13}
.lettered .glyph,.lettered .glyph-line,.lettered .wheel,.lettered .spokes{display:var(--device)}
.board .tag .inside{display:inline}
.army>.tag .beside,.fleet>.tag .beside{display:none}
.case{stroke-width:32}
.line{stroke-width:21}
.convoyed .case{stroke-width:27}
.convoyed .line{stroke-width:16}
.convoy .line{stroke-width:11}
.retreat .line{stroke-width:18;stroke-dasharray:.1 28}
.failed .case{stroke-width:22}
.failed .line{stroke-width:12}
.sign{transform:scale(1.3)}
.rest{stroke-width:7}
.aim{fill:var(--edge);stroke-width:4.5;stroke-opacity:.75;fill-opacity:.75}
.support .case{stroke-width:20}
.support .line{stroke-width:11}
.support .grip{r:13px;stroke-width:7}
.cut .case,.void .case{stroke-width:17}
.cut .line,.void .line{stroke-width:9}
.bar{stroke-width:12}
.bar-case{stroke-width:21}
.border{stroke-width:4}
.frontier{stroke-width:7.5}
.annotation g>use,.plate{transform:scale(1.35)}
.rule-case,.track-case{stroke-width:24}
.rule-band,.ties{stroke-width:21}
.track{stroke-width:6.5}
.link-line{stroke-width:7;stroke-dasharray:4 14}
.board .exit{font-size:64px}
.board .caption,.board .count{font-size:72px}
}
@media (min-width:NARROW.1px) and (max-width:MIDDLEpx){
.compact text{font-size:CODEpx}
}
@media (max-width:NARROWpx){
SMALLSIZES
.compact .leader,.leader.compact{stroke-width:8}
.compact .leader-case,.leader-case.compact{stroke-width:20}
.board .caption,.board .count{font-size:84px}
.case{stroke-width:46}
.line{stroke-width:30}
.convoyed .case{stroke-width:38}
.convoyed .line{stroke-width:24}
.convoy .line{stroke-width:17}
.retreat .line{stroke-width:26;stroke-dasharray:.1 40}
.failed .case{stroke-width:34}
.failed .line{stroke-width:19}
.sign{transform:scale(1.6)}
.rest{stroke-width:9}
.aim{fill:var(--edge);stroke-width:4.5;stroke-opacity:.75;fill-opacity:.75}
.support .case{stroke-width:29}
.support .line{stroke-width:17;stroke-dasharray:22 14}
.support .grip{r:17px;stroke-width:9}
.cut .case,.void .case{stroke-width:25}
.cut .line,.void .line{stroke-width:13}
.bar{stroke-width:17}
.bar-case{stroke-width:29}
.border{stroke-width:5}
.annotation g>use,.plate{transform:scale(1.9)}
.rule-case,.track-case{stroke-width:32}
.rule-band{stroke-width:28;stroke-dasharray:6 13}
.ties{stroke-width:28;stroke-dasharray:7 22}
.track{stroke-width:9}
.link-line{stroke-width:9;stroke-dasharray:5 17}
.board .exit{font-size:92px}
.frontier{stroke-width:9}
.river,.hill{display:none}
.coast{stroke-width:6}
.shore{stroke-width:12}
}
""".replace("FACE", FACE)
    .replace("MIDDLESIZES", _sizes("z", range(5, 22), MIDDLE_TOKEN))
    .replace("SMALLSIZES", _sizes("z", range(15, 22)))
    .replace("SIZES", _sizes("t", range(5, 10)))
    .replace("NARROW", str(NARROW))
    .replace("MIDDLE", str(MIDDLE))
    .replace("CODE", str(MIDDLE_CODE))
    .strip()
)
