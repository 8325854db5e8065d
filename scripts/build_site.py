"""Build the documentation site into build/site/html; `make site` runs it in an environment of its own.

The pages are gathered in build/site/pages as plain Markdown: docs/, the README and its companions, the page of every
variant with its opening drawn, the reference made from the code, and the notebooks, run. Then Zensical builds them into
a folder named after the version, and every link and the search of the result are checked. Nothing is asked of another
host.

    python scripts/build_site.py [--quick | --check]

`--quick` leaves the notebooks unexecuted, and `--check` only checks the site that is there.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import gallery
from plenipo import library
from plenipo.cases import DATC
from plenipo.charts import chart
from plenipo.maps.draw.face import with_face
from plenipo.raster import png
from plenipo.replay import animate, scenes
from sitebuild.links import find_faults
from sitebuild.pages import ROOT, SiteError, is_page, place_sources, read_source, title_of
from sitebuild.reference import api_page, datc_page, draw_openings, library_page, schema_page
from sitebuild.search import find_search_faults

BUILD = ROOT / "build" / "site"
"""The folder of the build: `pages` is what Zensical reads, `html` what it writes, a folder for each version."""

MARK = "        # the variants\n"
"""The line of the configuration in whose place the variants stand."""

INSTALL = "The site needs '{module}'; install what builds it with: pip install --group site; or use: make site."
"""The sentence about a missing part of the group `site`."""

REDIRECT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={version}/index.html">
<title>Plenipo</title>
<a href="{version}/index.html">Plenipo {version}</a>
</html>
"""


def project_version() -> str:
    """Return the version of the project."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def configure(template: str, version: str, titles: Mapping[str, str]) -> str:
    """Return the configuration for a version, with a page for every variant in the navigation."""
    entries = "".join(f'        {{ "{title}" = "variants/{name}.md" }},\n' for name, title in titles.items())
    return template.replace("VERSION", version).replace(MARK, entries)


def list_versions(names: list[str]) -> str:
    """Return the list of the versions that are there, the newest first, as the header of every page reads it."""
    order = sorted(names, key=lambda name: [int(part) if part.isdigit() else -1 for part in name.split(".")])[::-1]
    rows = [{"version": name, "title": name, "aliases": ["latest"] if name == order[0] else []} for name in order]
    return json.dumps(rows, indent=1) + "\n"


def gather(pages: Path, *, run_notebooks: bool) -> dict[str, str]:
    """Write every page and every file that pages show; return the titles of the variants by name."""
    places = place_sources()
    for source, place in places.items():
        target = pages / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.endswith(".ipynb"):
            write_notebook_page(ROOT / source, target, run=run_notebooks)
        elif is_page(source) or source in {"LICENSE", "NOTICE"}:
            target.write_text(read_source(source, places), encoding="utf-8")
        elif (ROOT / source).is_file():
            shutil.copyfile(ROOT / source, target)
    titles = {}
    for name in (*library.names(), *library.bank()):
        page = pages / "variants" / f"{name}.md"
        text = page.read_text(encoding="utf-8")
        titles[name] = title_of(text)
        heading, _, rest = text.partition("\n")
        page.write_text(f"{heading}\n\n![The opening of {titles[name]}.]({name}.svg)\n{rest}", encoding="utf-8")
    draw_openings(pages / "variants")
    draw_gallery(pages / "gallery")
    made = {
        "api.md": api_page(),
        "datc.md": datc_page(DATC),
        "library.md": library_page(titles),
        "schema.md": schema_page(),
    }
    shutil.copyfile(Path(__file__).parent / "sitebuild" / "site.css", pages / "site.css")
    for name, text in made.items():
        (pages / name).write_text(text, encoding="utf-8")
    return titles


def write_notebook_page(source: Path, page: Path, *, run: bool) -> None:
    """Write a notebook as a page, run or as it is stored."""
    if run:
        try:
            from sitebuild.notebooks import write_notebook  # noqa: PLC0415  # of the group `site`
        except ModuleNotFoundError as missing:
            raise SiteError(INSTALL.format(module=missing.name)) from missing
        write_notebook(source, page)
        return
    cells = json.loads(source.read_text(encoding="utf-8"))["cells"]
    blocks = ("".join(cell["source"]) for cell in cells)
    kinds = (cell["cell_type"] for cell in cells)
    texts = (f"```python\n{text}\n```" if kind == "code" else text for text, kind in zip(blocks, kinds, strict=True))
    page.write_text("\n\n".join(texts) + "\n", encoding="utf-8")


def draw_gallery(folder: Path) -> None:
    """Draw the pictures of the gallery anew."""
    on, shown = chart(gallery.VARIANT), gallery.pictures()
    for picture in shown:
        svg = gallery.drawn(on, picture)
        (folder / f"{picture.name}.svg").write_text(with_face(svg), encoding="utf-8")
        if picture.narrow:
            (folder / f"{picture.name}-390.png").write_bytes(png(svg, 390))
    animate(scenes(gallery.midgame(), on), on, folder / "replay.gif", width=440)


def build(version: str, *, run_notebooks: bool) -> Path:
    """Build the site of a version; return its folder.

    Raises `SiteError` for a warning of the builder, and for a missing part of the group `site`.
    """
    if not find_spec("zensical"):
        raise SiteError(INSTALL.format(module="zensical"))
    pages = BUILD / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    shutil.rmtree(BUILD / "html" / version, ignore_errors=True)
    titles = gather(pages, run_notebooks=run_notebooks)
    (BUILD / "zensical.toml").write_text(
        configure((ROOT / "zensical.toml").read_text(encoding="utf-8"), version, titles), encoding="utf-8"
    )
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "-f", str(BUILD / "zensical.toml")]
    done = subprocess.run(  # noqa: S603  # our own command
        command, cwd=BUILD, env={**os.environ, "NO_COLOR": "1"}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SiteError(f"Zensical refuses the pages:\n{(done.stdout + done.stderr).strip()}")
    html = BUILD / "html"
    versions = list_versions([file.parent.name for file in html.glob("*/index.html")])
    (html / "versions.json").write_text(versions, encoding="utf-8")
    (html / "index.html").write_text(REDIRECT.format(version=json.loads(versions)[0]["version"]), encoding="utf-8")
    return html / version


def main() -> int:
    """Build and check; return 1, with a sentence for each fault, if something is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="leave the notebooks unexecuted")
    parser.add_argument("--check", action="store_true", help="check the site that is there")
    asked = parser.parse_args()
    version = project_version()
    site = BUILD / "html" / version
    try:
        if not asked.check:
            site = build(version, run_notebooks=not asked.quick)
    except SiteError as fault:
        print(fault, file=sys.stderr)
        return 1
    if not (site / "index.html").is_file():
        print(f"There is no site of version {version}; build it with: make site.", file=sys.stderr)
        return 1
    faults = [*find_faults(site), *find_search_faults(site)]
    for sentence in faults:
        print(sentence, file=sys.stderr)
    pages, size = len(list(site.rglob("*.html"))), sum(file.stat().st_size for file in site.rglob("*"))
    print(f"{pages} pages, {size / 1e6:.1f} MB in {site.relative_to(ROOT)}; {len(faults)} faults.")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
