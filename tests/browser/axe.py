"""What axe finds on a page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types
from playwright.sync_api import Page

_AXE = Axe()


def faults(page: Page) -> list[str]:
    """Every fault axe sees, one line each."""
    found: dict[str, Any] = _AXE.run(page, options={"resultTypes": ["violations"]}).response
    return [
        f"{one['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]
