"""What axe finds on a page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types
from playwright.sync_api import Page

_AXE = Axe()


def faults(page: Page, *, beside_the_map: bool = False) -> list[str]:
    """Every fault axe sees, one line each; it looks into the map too, which takes half the time, unless told not to."""
    context = {"exclude": [["svg.the-map"]]} if beside_the_map else None
    found: dict[str, Any] = _AXE.run(page, context=context, options={"resultTypes": ["violations"]}).response
    return [
        f"{one['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]
