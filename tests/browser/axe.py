"""Accessibility faults that axe finds on a page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types
from playwright.sync_api import Page

_AXE: str = Axe().axe_script

_LOOKED = """async ([context, options]) => (await axe.run(context, options)).violations"""

_OF_COLOURS = ("color-contrast", "link-in-text-block")
"""The rules that ask for colours; by day and by night the others see the same page."""


def faults(page: Page, *, beside_the_map: bool = False, of_colours: bool = False) -> list[str]:
    """Every fault axe sees, one line each; it looks into the map too, which takes half the time, unless told not to.

    With `of_colours` it goes by the rules about colours alone: for a page that it has seen in other colours.
    """
    context: dict[str, Any] = {"exclude": [["svg.the-map"]]} if beside_the_map else {"include": [["html"]]}
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if of_colours:
        options["runOnly"] = {"type": "rule", "values": list(_OF_COLOURS)}
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE)
    found: list[dict[str, Any]] = page.evaluate(_LOOKED, [context, options])
    return [
        f"{one['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
        for one in found
        for node in one["nodes"]
    ]


def faults_beside_the_map(page: Page) -> list[str]:
    """Every fault axe sees on a page outside the map."""
    return faults(page, beside_the_map=True)


def faults_by_day_and_night(page: Page) -> list[str]:
    """Every fault axe sees on a page outside the map, by day and by night."""
    found = [f"by day {fault}" for fault in faults_beside_the_map(page)]
    page.emulate_media(color_scheme="dark")
    found += [f"by night {fault}" for fault in faults(page, beside_the_map=True, of_colours=True)]
    page.emulate_media(color_scheme="light")
    return found
