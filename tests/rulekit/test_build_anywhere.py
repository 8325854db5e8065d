"""A power may build wherever it owns a vacant centre."""

from collections.abc import Callable

from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.phases.adjustments import build_sites, possible, why_no_site
from plenipo.engine.phases.step import process
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from table import WINTER, board_of, order_sets, place, standard

Tiny = Callable[..., Rules]
FRANCE = Power("France")
OWNED = {"France": "SPA BRE TUN", "Italy": "ROM"}


def test_every_vacant_centre_owned_is_a_site(tiny: Tiny) -> None:
    position = place("France: A BUR", WINTER, owners=OWNED)
    assert build_sites(standard(), position, FRANCE) == ("BRE",)
    rules = tiny("[modules.build_anywhere]")
    assert build_sites(rules, position, FRANCE) == ("BRE", "SPA", "TUN")
    assert possible(rules, position, FRANCE) == 2


def test_one_that_is_occupied_or_owned_by_another_is_not(tiny: Tiny) -> None:
    rules = tiny("[modules.build_anywhere]")
    position = place("France: A SPA", WINTER, owners=OWNED)
    assert build_sites(rules, position, FRANCE) == ("BRE", "TUN")
    assert why_no_site(rules, position, FRANCE, Code("ROM")) == "Rome is owned by Italy, not by France."
    assert why_no_site(rules, position, FRANCE, Code("BUR")) == "France does not own Burgundy."


def test_builds_abroad_count(tiny: Tiny) -> None:
    rules = tiny("[modules.build_anywhere]")
    position = place("France: A BUR", WINTER, owners=OWNED)
    resolution = process(
        rules, position, order_sets(rules, "France: F SPA/SC B, A TUN B, A ROM B", PhaseKind.ADJUSTMENTS)
    )
    assert board_of(resolution.after)["France"] == ["A BUR", "F SPA/SC", "A TUN"]
