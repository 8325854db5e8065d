"""Notebooks as pages: run by nbclient, written as Markdown by nbconvert."""

from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient
from nbconvert import MarkdownExporter

__all__ = ["write_notebook"]

LIMIT = 300
"""Seconds that a cell may take."""


def write_notebook(source: Path, page: Path) -> None:
    """Run a notebook in an empty folder and write it as a page, with its pictures beside it."""
    book = nbformat.read(source, as_version=4)
    quiet = ["--log-level=ERROR"]
    with TemporaryDirectory() as folder:
        place = {"metadata": {"path": folder}}
        NotebookClient(book, timeout=LIMIT, kernel_name="python3", resources=place, extra_arguments=quiet).execute()
    files = f"{page.stem}_files"
    text, resources = MarkdownExporter().from_notebook_node(book, resources={"output_files_dir": files})
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")
    for name, content in resources.get("outputs", {}).items():
        (page.parent / name).parent.mkdir(parents=True, exist_ok=True)
        (page.parent / name).write_bytes(content)
