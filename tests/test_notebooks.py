"""The notebooks of the documentation run, are stored without outputs, and keep to the notebook format.

Their cells are executed with the standard library: a kernel and its protocol would bring two dozen packages, and what a
notebook adds to the execution is the display of the last value of a cell, which is asked for here as well.
"""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

SMALL = {"GAMES": 20, "MOVEMENTS": 6, "PHASES": 4}
"""The numbers that stand in for those of the cell tagged `parameters`."""

DISPLAYS = ("_repr_svg_", "_repr_html_")


def read_cells(file: Path) -> list[dict[str, Any]]:
    """Return the cells of a notebook."""
    cells: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["cells"]
    return cells


def run_cell(source: str, names: dict[str, Any], origin: str) -> object:
    """Execute a cell and return the value of its last line, None if that is a statement."""
    body = ast.parse(source, origin).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), origin, "exec"), names)  # noqa: S102  # our own documentation
    if not isinstance(last, ast.Expr):
        return None
    value: object = eval(compile(ast.Expression(last.value), origin, "eval"), names)  # noqa: S307
    return value


def make_small(source: str) -> str:
    """Replace the numbers of a cell by small ones."""
    for name, number in SMALL.items():
        source = re.sub(rf"^{name} = [\d_]+$", f"{name} = {number}", source, flags=re.MULTILINE)
    return source


def test_there_are_five_notebooks() -> None:
    assert len(NOTEBOOKS) == 5
    page = (FOLDER.parent / "python.md").read_text(encoding="utf-8")
    assert all(f"(notebooks/{file.name})" in page for file in NOTEBOOKS)


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_keeps_to_the_format_and_has_no_outputs(file: Path) -> None:
    book = json.loads(file.read_text(encoding="utf-8"))
    assert book.keys() == {"cells", "metadata", "nbformat", "nbformat_minor"}
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    identifiers = [cell["id"] for cell in book["cells"]]
    assert len(set(identifiers)) == len(identifiers)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", identifier) for identifier in identifiers)
    assert "".join(book["cells"][0]["source"]).startswith("# ")
    for cell in book["cells"]:
        assert cell["cell_type"] in {"code", "markdown"}
        assert all(line.endswith("\n") for line in cell["source"][:-1])
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None
        else:
            assert cell.keys() == {"cell_type", "id", "metadata", "source"}


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs_and_shows_its_values(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": file.stem}
    shown = 0
    for number, cell in enumerate(read_cells(file)):
        if cell["cell_type"] != "code":
            continue
        source = "".join(cell["source"])
        if "parameters" in cell["metadata"].get("tags", ()):
            source = make_small(source)
        value = run_cell(source, names, f"{file.name}[{number}]")
        if value is not None:
            displays = [getattr(value, name)() for name in DISPLAYS if hasattr(value, name)]
            assert repr(value)
            assert all(displays), "a position is shown as its map, a resolution as a table"
            shown += 1
    assert shown + len(capsys.readouterr().out.splitlines()) >= 2
