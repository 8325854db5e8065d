"""The documentation site: every page has its place, links lead somewhere, and nothing is loaded from elsewhere."""

import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import plenipo
from build_site import MARK, configure, list_versions, write_notebook_page
from plenipo import library
from plenipo.cases import DATC
from sitebuild.links import find_faults, read_page
from sitebuild.pages import ROOT, SiteError, is_page, place_sources, read_source, rewrite_links, title_of
from sitebuild.reference import api_page, datc_page, library_page, schema_page
from sitebuild.search import find_search_faults

TEMPLATE = (ROOT / "zensical.toml").read_text(encoding="utf-8")
PLACES = place_sources()
GENERATED = {"api.md", "datc.md", "library.md", "schema.md"}
PAGES = {place for place in PLACES.values() if is_page(place)} | GENERATED


def addresses(nav: list[dict[str, Any]]) -> Iterator[str]:
    for entry in nav:
        for value in entry.values():
            yield from [value] if isinstance(value, str) else addresses(value)


def test_the_navigation_lists_every_page_exactly_once_in_four_parts() -> None:
    titles = {name: name for name in (*library.names(), *library.bank())}
    project = tomllib.loads(configure(TEMPLATE, "1.2", titles))["project"]
    assert Counter(addresses(project["nav"])) == Counter(PAGES)
    parts = [next(iter(entry)) for entry in project["nav"]]
    assert parts == ["Overview", "Tutorial", "How-to", "Reference", "Explanation"]
    assert project["site_dir"] == "html/1.2"


def test_the_configuration_asks_nothing_of_another_host() -> None:
    project = tomllib.loads(TEMPLATE)["project"]
    assert project["theme"]["font"] is False
    assert "://" not in TEMPLATE
    assert TEMPLATE.count(MARK) == 1


@pytest.mark.parametrize("source", sorted(source for source in PLACES if is_page(source)))
def test_the_links_of_a_page_lead_to_pages_of_the_site(source: str) -> None:
    text = read_source(source, PLACES)
    known = {*PLACES.values(), *GENERATED}
    assert title_of(text)
    for target in re.findall(r"\]\(([^)#\s]+)", re.sub(r"```.*?```|`[^`\n]+`", "", text, flags=re.DOTALL)):
        if not re.match(r"[a-z]+:", target):
            page = Path(PLACES[source]).parent / target
            assert (ROOT / page).resolve().relative_to(ROOT).as_posix() in known


@pytest.mark.parametrize(
    ("text", "rewritten"),
    [
        ("[a](../README.md)", "[a](tour.md)"),
        ("[a](../README.md#play) and [b](board.md)", "[a](tour.md#play) and [b](board.md)"),
        ("[a](../src/plenipo/variants/irish/README.md)", "[a](variants/irish.md)"),
        ("![a](notebooks/write_a_rule.ipynb)", "![a](notebooks/write_a_rule.md)"),
        ("[a](../src/plenipo/cases/datc)", "[a](datc.md)"),
        ("[a](#here) [b](https://example.org/x)", "[a](#here) [b](https://example.org/x)"),
        ("`[a](nothing)`", "`[a](nothing)`"),
        ("```text\n[a](nothing)\n```", "```text\n[a](nothing)\n```"),
    ],
)
def test_links_that_leave_the_folder_lead_to_their_page(text: str, rewritten: str) -> None:
    assert rewrite_links(text, "docs/index.md", PLACES) == rewritten


def test_a_link_to_what_the_site_does_not_have_is_refused_in_one_sentence() -> None:
    with pytest.raises(
        SiteError, match=r"^'docs/index.md' links to '\.\./Makefile', which is no page of the site; "
    ) as told:
        rewrite_links("[a](../Makefile)", "docs/index.md", PLACES)
    assert "\n" not in str(told.value)


def test_the_list_of_versions_begins_with_the_newest() -> None:
    rows = json.loads(list_versions(["0.1.0", "0.10.0", "0.9.2"]))
    assert [row["version"] for row in rows] == ["0.10.0", "0.9.2", "0.1.0"]
    assert [row["aliases"] for row in rows] == [["latest"], [], []]


FAULTS = {
    '<img src="https://example.org/a.png">': "loads 'https://example.org/a.png' from elsewhere",
    '<img srcset="b.png 2x, //example.org/a.png 3x">': "loads '//example.org/a.png' from elsewhere",
    '<link rel="stylesheet" href="https://example.org/a.css">': "from elsewhere",
    '<link rel="preconnect" href="https://example.org">': "from elsewhere",
    "<style>@import 'https://example.org/a.css';</style>": "from elsewhere",
    '<p style="background: url(https://example.org/a.png)">': "from elsewhere",
    '<a href="gone.html">': "links to 'gone.html', which is not there",
    '<a href="folder/other.html#nowhere">': "that page has no such heading",
    '<a href="#nowhere">': "that page has no such heading",
    '<script src="gone.js"></script>': "which is not there",
}


@pytest.mark.parametrize("html", FAULTS)
def test_a_fault_of_a_page_is_found(html: str, tmp_path: Path) -> None:
    write_site(tmp_path, html)
    (fault,) = find_faults(tmp_path)
    assert fault.startswith("'index.html' ")
    assert FAULTS[html] in fault


@pytest.mark.parametrize(
    "html",
    [
        '<a href="https://example.org">',
        '<a href="folder/other.html#here">',
        '<a href="folder/">',
        '<a href="#top"><b id="top">',
        '<link rel="canonical" href="https://example.org">',
        '<img src="data:image/png;base64,AAAA">',
        '<img src="b%2Epng">',
    ],
)
def test_a_page_without_faults_has_none(html: str, tmp_path: Path) -> None:
    write_site(tmp_path, html)
    assert list(find_faults(tmp_path)) == []


def test_a_style_sheet_that_loads_from_elsewhere_is_found(tmp_path: Path) -> None:
    write_site(tmp_path, "")
    (tmp_path / "a.css").write_text("b { background: url(https://example.org/a.png) } i { background: url(b.png) }")
    assert list(find_faults(tmp_path)) == ["'a.css' loads 'https://example.org/a.png' from elsewhere."]


CONFIGURED = '<script id="__config" type="application/json">{"base": ".", "search": "b.png"}</script>'
INDEX = '{"items": [{"location": "folder/other.html#here", "title": "Convoys", "text": ""}]}'


@pytest.mark.parametrize(
    ("html", "index", "fault"),
    [
        (CONFIGURED, INDEX, ""),
        (CONFIGURED, "", "'search.json' is not there, so the search finds nothing."),
        (CONFIGURED, "{}", "'search.json' is no index of the search."),
        (CONFIGURED, INDEX.replace("Convoys", "Fleets"), "The search does not find 'convoy'."),
        (
            CONFIGURED,
            INDEX.replace("other", "gone"),
            "The search for 'convoy' leads to 'folder/gone.html', which is not there.",
        ),
        ("", INDEX, "No page loads the search."),
        (
            CONFIGURED.replace("b.png", "gone.js"),
            INDEX,
            "'index.html' loads the search from 'gone.js', which is not there.",
        ),
        (
            CONFIGURED.replace("b.png", "https://example.org/a.js"),
            INDEX,
            "'index.html' loads the search from 'https://example.org/a.js', which is elsewhere.",
        ),
        (
            CONFIGURED.replace('"."', '"https://example.org"'),
            INDEX,
            "'index.html' loads the search from 'https://example.org/search.json', which is elsewhere.",
        ),
    ],
)
def test_a_search_that_finds_nothing_or_is_loaded_from_elsewhere_is_a_fault(
    html: str, index: str, fault: str, tmp_path: Path
) -> None:
    write_site(tmp_path, html)
    if index:
        (tmp_path / "search.json").write_text(index, encoding="utf-8")
    assert list(find_search_faults(tmp_path)) == ([fault] if fault else [])


def test_a_site_without_the_runner_of_notebooks_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "sitebuild.notebooks", raising=False)
    monkeypatch.setitem(sys.modules, "nbformat", None)
    with pytest.raises(SiteError, match=r"^The site needs 'nbformat'; install .+ pip install --group site; .+\.$"):
        write_notebook_page(ROOT / "docs/notebooks/write_a_rule.ipynb", tmp_path / "a.md", run=True)


def write_site(folder: Path, html: str) -> None:
    (folder / "folder").mkdir()
    (folder / "index.html").write_text(html, encoding="utf-8")
    (folder / "b.png").touch()
    for name in ("other", "index"):
        (folder / "folder" / f"{name}.html").write_text('<h1 id="here">Here</h1>', encoding="utf-8")


def test_the_reference_names_everything_public() -> None:
    page = api_page()
    for name in plenipo.__all__:
        assert name.startswith("_") or f"\n## {name}\n" in page
    assert "### Game.process\n" in page
    assert " object at 0x" not in page


def test_the_page_of_keys_describes_every_key_and_its_links_lead_to_headings() -> None:
    page = schema_page()
    made = library.schema()
    for one in (made, *made["$defs"].values()):
        for key, described in one.get("properties", {}).items():
            assert f"| `{key}` |" in page
            assert described.get("description", "").replace("\n", " ").replace("|", "\\|") in page
    headings = {f"#{title.casefold().replace(' ', '-')}" for title in re.findall(r"^## (.+)$", page, re.MULTILINE)}
    assert set(re.findall(r"\]\((#[^)]+)\)", page)) <= headings


def test_the_page_of_cases_lists_every_case() -> None:
    page = datc_page(DATC)
    for file in DATC.glob("*.yaml"):
        for case in yaml.safe_load(file.read_text(encoding="utf-8"))["cases"]:
            assert f"| {case['id']} | " in page


def test_the_page_of_the_library_lists_every_variant() -> None:
    names = {name: name for name in (*library.names(), *library.bank())}
    page = library_page(names)
    assert sorted(re.findall(r"\(variants/([\w-]+)\.md\)", page)) == sorted(names)


def test_what_builds_the_site_is_pinned_and_stays_out_of_the_environment_for_tests() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    assert any(text.startswith("zensical==") for text in groups["site"])
    assert {"include-group": "site"} not in groups["dev"]


def test_the_workflow_builds_the_site() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/checks.yml").read_text(encoding="utf-8"))
    assert "make site" in [step.get("run") for step in workflow["jobs"]["site"]["steps"]]


def test_a_page_that_loads_several_things_shows_them_all() -> None:
    page = read_page('<script src="a.js"></script><img src="b.png" srcset="c.png 2x"><a href="d">x</a>')
    assert (page.loads, page.links) == (["a.js", "b.png", "c.png"], ["d"])
