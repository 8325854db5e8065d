"""The notebook display of values, and the tools of the packages above the engine: maps, and the standard rules."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

__all__ = ["PLUG", "Plug", "Tools", "table_html"]


class Tools(Protocol):
    """Tools that work on positions and need more than the engine."""

    def parse(self, text: str, rules: Any) -> Any:
        """Return the position that `text` describes, in the standard game if `rules` is None."""
        ...

    def svg(self, position: Any, board: Any) -> str | None:
        """Return the map of a position, on the board on which it was checked, None where the board is not known."""
        ...


class Plug:
    """The place where the package above registers its tools; there are none until it does."""

    tools: Tools | None = None


PLUG = Plug()


def table_html(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as HTML; every text in it is escaped."""

    def line(tag: str, cells: Iterable[object]) -> str:
        return f"<tr>{''.join(f'<{tag}>{_escape_html(str(cell))}</{tag}>' for cell in cells)}</tr>"

    return f"<table>{line('th', header)}{''.join(line('td', row) for row in rows)}</table>"


def _escape_html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
