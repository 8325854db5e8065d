"""The cache of compiled code is named after every source that is compiled into it."""

import ast
from pathlib import Path

from plenipo.batch.bits import CACHE, SOURCES

PACKAGE = Path(__file__).parents[2] / "src" / "plenipo"


def test_every_module_with_compiled_functions_is_a_source() -> None:
    found = {
        f"batch/{file.name}"
        for file in (PACKAGE / "batch").glob("*.py")
        if any(mark in file.read_text(encoding="utf-8") for mark in ("@compile_kernel\n", "@compile_inlined\n"))
    }
    assert found
    assert found <= set(SOURCES)


def test_so_is_every_module_of_the_kernel_they_take_names_from() -> None:
    for source in SOURCES:
        if not source.startswith("batch/") or source == "batch/tables.py":
            continue  # the module that builds the tables is not compiled
        for node in ast.walk(ast.parse((PACKAGE / source).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("plenipo.batch."):
                assert f"batch/{node.module.rpartition('.')[2]}.py" in SOURCES, f"{source} imports {node.module}"


def test_the_folder_is_named_after_their_content() -> None:
    assert CACHE.name.startswith("kernel-")
