"""The editor of positions: units, centres and phase on the map or in a form; the result is a shared position."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from plenipo import library
from plenipo.engine.calendar import Phase, PhaseKind, phase_of_text, year_read, year_text
from plenipo.engine.history import record
from plenipo.engine.position import Position
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Quoted, SentenceKind
from plenipo.errors import InvalidRecord
from plenipo.server import uploads
from plenipo.server.web.boards import Board
from plenipo.server.web.cache import respond
from plenipo.server.web.context import Here, Services, counts, read_rules, theme_of
from plenipo.server.web.forms import Fields, Form, field
from plenipo.server.web.gm_tools import CENTRES, UNITS
from plenipo.server.web.images import draw_position
from plenipo.server.web.library import entries
from plenipo.server.web.models import powers_of
from plenipo.server.web.pictures import PictureLook, picture
from plenipo.server.web.rendering import render_page
from plenipo.server.web.translation import language_of_orders

__all__ = ["router"]

_YEAR_UNREADABLE = SentenceKind(
    "server-position-year-unreadable", "'{year}' is not a year; write it like '1901' or '48 BC'."
)

router = APIRouter(include_in_schema=False)

VariantName = Annotated[str, Query(max_length=200)]
PositionCode = Annotated[str, Query(max_length=50_000)]


def _rules_of(request: Request, here: Services, name: str) -> Rules:
    return read_rules(request, here, name.replace(" ", library.AND))


def _titles() -> dict[str, str]:
    """Return the titles of the variants to choose from."""
    shipped = {name: library.load(name).title for name in library.names()}
    return shipped | {entry.name: entry.title for entry in entries()}


@router.get("/position/edit")
def edit_page(request: Request, here: Here, v: VariantName = "standard", p: PositionCode = "") -> Response:
    """Show the form that edits a shared position, or the opening of a variant, and the variants to choose from."""
    rules = _rules_of(request, here, v)
    position = uploads.unpack_position(p, rules) if p else rules.opening
    phase = position.phase
    steps = [f"{one.season}|{one.kind}" for one in rules.calendar.phases if one.kind in EDITED_KINDS]
    step = f"{phase.season}|{phase.kind}"
    theme = theme_of(request)
    page = render_page(
        request,
        "position-edit.html",
        theme,
        variant=rules.variant,
        title=rules.title,
        titles=_titles() | {rules.variant: rules.title},
        code=uploads.pack_position(position),
        phase=phase,
        step=step,
        steps=dict.fromkeys((*([] if step in steps else [step]), *steps)),
        year=year_text(phase.year),
        position=record.encode_position(position),
        dislodged=_write_dislodged(position),
        powers=powers_of(rules),
        named=[{"name": power.name, "slug": power.slug} for power in powers_of(rules)],
        board=Board.of(rules, position),
        picture=draw_position(request, here, rules, position),
    )
    return respond(request, page)


EDITED_KINDS = frozenset({PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS})
"""The kinds of phase that can be chosen."""

DISLODGED = "dislodged "
"""The prefix of the field with the dislodged units of a power."""

FROM = " from "
"""The word between a dislodged unit and the space its attacker came from."""


@router.post("/position/edit")
def edit(request: Request, here: Here, form: Fields) -> Response:
    """Go to the position that the form describes."""
    rules, position = _read_position(request, here, form)
    code = uploads.pack_position(position)
    return RedirectResponse(f"/position?{urlencode({'v': rules.variant, 'p': code})}", 303)


@router.post("/position/edit.svg")
@counts("completions")
def draw(request: Request, here: Here, form: Fields) -> Response:
    """Draw the position that the form describes; nothing is stored."""
    rules, position = _read_position(request, here, form)
    look = PictureLook(theme_of(request), bare=True, language=language_of_orders(request))
    return Response(picture(rules, position, look), media_type="image/svg+xml")


def _read_position(request: Request, here: Services, form: Form) -> tuple[Rules, Position]:
    """Return the rules and the position of a form; raise `InvalidRecord` for an impossible one."""
    rules = _rules_of(request, here, field(form, "v"))
    before = uploads.unpack_position(field(form, "p", 50_000), rules)
    phase = _phase_in(form, before.phase)
    changes: dict[str, object] = {"phase": str(phase), "winners": []}
    if phase != before.phase:
        changes |= {"dislodged": [], "contested": []}
    known = _write_dislodged(before)
    written = {power.name: _parts_in(form, DISLODGED + power.name) for power in powers_of(rules)}
    # units that the form leaves as they were also keep the spaces that are barred to them
    if written != {name: known.get(name, []) for name in written}:
        changes["dislodged"] = {name: dict(map(_read_dislodged, parts)) for name, parts in written.items() if parts}
    for name, mark in (("units", UNITS), ("centres", CENTRES)):
        changes[name] = {power.name: _parts_in(form, mark + power.name) for power in powers_of(rules)}
    return rules, uploads.edit_position(before, rules, changes)


def _parts_in(form: Form, name: str) -> list[str]:
    """Return the parts of a field that are separated by commas."""
    return [part.strip() for part in field(form, name, 20_000).split(",") if part.strip()]


def _write_dislodged(position: Position) -> dict[str, list[str]]:
    """Return the dislodged units of each power as the form has them, such as `A PAR from BUR`."""
    written: dict[str, list[str]] = {}
    for unit, by, barred in position.dislodged:
        origin = by.space if by else barred[0] if len(barred) == 1 else ""
        written.setdefault(unit.power, []).append(f"{unit}{FROM}{origin}" if origin else str(unit))
    return written


def _read_dislodged(text: str) -> tuple[str, dict[str, str]]:
    """Return a dislodged unit of the form, and the space its attacker came from, as a position may be written."""
    unit, _, origin = text.partition(FROM)
    return unit.strip(), {"from": origin.strip()} if origin.strip() else {}


def _phase_in(form: Form, before: Phase) -> Phase:
    """Return the phase of a form; raise `InvalidRecord` for a year that cannot be read."""
    season, _, kind = field(form, "step").partition("|")
    year = year_read(field(form, "year", 20))
    if year is None:
        raise InvalidRecord(_YEAR_UNREADABLE(year=Quoted(field(form, "year", 20))))
    return phase_of_text(f"{season} {year_text(year)} {kind}") or before
