"""The pages of the site: where each source goes, and links that stay valid there."""

import posixpath
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

__all__ = ["ROOT", "SiteError", "is_page", "place_sources", "read_source", "rewrite_links", "title_of"]

ROOT = Path(__file__).parents[2]

LINK = re.compile(r"(?P<before>\]\()(?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?(?P<after>[^)]*\))")
"""A link or picture of Markdown; one to a heading of the same page has no target and is no match."""

CODE = re.compile(r"^(?P<fence>```+|~~~+).*?^(?P=fence)[ \t]*$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
"""Code, a block or in a line, in which nothing is a link."""

OUTSIDE = {
    "README.md": "tour.md",
    "CONTRIBUTING.md": "contributing.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "LICENSE": "licence.md",
    "NOTICE": "notice.md",
    "src/plenipo/cases/datc": "datc.md",
}
"""Sources outside of docs/ with their pages."""


class SiteError(ValueError):
    """The site cannot be built; one sentence says why."""


def place_sources(root: Path = ROOT) -> dict[str, str]:
    """Return the address in the site of every source: pages, notebooks, and the files that pages show or link."""
    places = dict(OUTSIDE)
    for file in sorted((root / "docs").rglob("*")):
        if file.is_file():
            inside = file.relative_to(root / "docs").as_posix()
            places[f"docs/{inside}"] = inside.removesuffix(".ipynb") + ".md" if inside.endswith(".ipynb") else inside
    for readme in sorted((root / "src/plenipo/variants").rglob("README.md")):
        places[readme.relative_to(root).as_posix()] = f"variants/{readme.parent.name}.md"
    return places


def rewrite_links(text: str, source: str, places: Mapping[str, str]) -> str:
    """Return the text of a source with its links leading to the pages of the site; the text in code stays.

    Raises `SiteError` for a link to a file that the site does not have.
    """
    folder = posixpath.dirname(places[source])

    def rewrite(found: re.Match[str]) -> str:
        target = found["target"]
        if re.match(r"[a-z]+:", target):
            return found[0]
        wanted = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if wanted not in places:
            raise SiteError(f"'{source}' links to '{target}', which is no page of the site; link to a page or a file.")
        address = posixpath.relpath(places[wanted], folder or ".") + (found["anchor"] or "")
        return f"{found['before']}{address}{found['after']}"

    parts, end = [], 0
    for code in CODE.finditer(text):
        parts += [LINK.sub(rewrite, text[end : code.start()]), code[0]]
        end = code.end()
    return "".join((*parts, LINK.sub(rewrite, text[end:])))


def title_of(text: str) -> str:
    """Return the title of a page, its first heading."""
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return found[1] if found else ""


def is_page(source: str) -> bool:
    """Return whether a source is a page in Markdown."""
    return PurePosixPath(source).suffix == ".md"


def read_source(source: str, places: Mapping[str, str], root: Path = ROOT) -> str:
    """Return a source as a page of the site; a text without markup, such as a licence, becomes a block of text."""
    text = (root / source).read_text(encoding="utf-8")
    if is_page(source):
        return rewrite_links(text, source, places)
    return f"# {PurePosixPath(source).name.capitalize()}\n\n```text\n{text.strip()}\n```\n"
