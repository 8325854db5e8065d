"""Releases: the checklist stops at the first point that does not hold, and what is published fits the project."""

import re
import subprocess
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

import plenipo
import recipes
from interface import STORED, find_breaks
from man_pages import list_manuals
from plenipo.cli.main import COMMANDS
from release import (
    ROOT,
    Release,
    check_changelog,
    check_citation,
    check_tree,
    check_urls,
    check_version,
    list_points,
    walk,
)

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MAKE = (ROOT / "Makefile").read_text(encoding="utf-8")
URLS = '[project.urls]\nHomepage = "a"\nSource = "b"\nIssues = "c"\nChangelog = "d"\nDocumentation = "e"\n'


def answer(status: int = 0, text: str = "") -> Callable[[Sequence[str], Path], "subprocess.CompletedProcess[str]"]:
    """Return a way of running commands in which each ends so."""
    return lambda command, _: subprocess.CompletedProcess(command, status, text, "")


def checkout(folder: Path, **files: str) -> Release:
    """Return a release that holds in every point but for these files."""
    whole = {
        "pyproject": f'[project]\nname = "plenipo"\nversion = "1.2.0"\n{URLS}',
        "changelog": "# Changelog\n\n## 1.2.0, 2027-01-02\n\n- New.\n\n## 1.1.0, 2026-12-01\n\n- Old.\n",
        "citation": "version: 1.2.0\n",
        **files,
    }
    names = {"pyproject": "pyproject.toml", "changelog": "CHANGELOG.md", "citation": "CITATION.cff"}
    for key, name in names.items():
        (folder / name).write_text(whole[key], encoding="utf-8")
    return Release(folder, answer())


QUICK = (check_version, check_citation, check_changelog, check_urls, check_tree)


def test_a_checkout_in_order_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert walk(checkout(tmp_path), QUICK) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[:-1] == [
        "ok  version 1.2.0",
        "ok  citation",
        "ok  changelog of 2027-01-02",
        "ok  addresses",
        "ok  everything committed",
    ]
    assert said[-1] == "dist/ is ready. To publish it: git tag v1.2.0 && git push origin v1.2.0"


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        (
            {"pyproject": f'[project]\nversion = "1.2.dev0"\n{URLS}'},
            "'1.2.dev0' is no version to release; write one such as 0.1.0 into pyproject.toml.",
        ),
        ({"citation": "version: 1.1.0\n"}, "CITATION.cff names version 1.1.0; write 1.2.0 there."),
        (
            {"changelog": "## 1.2.0, not yet released\n\n- New.\n"},
            "CHANGELOG.md has no heading '## 1.2.0, ' with a date; write the day of the release there.",
        ),
        (
            {"changelog": "## 1.2.0, 2027-01-02\n\n## 1.1.0, 2026-12-01\n\n- Old.\n"},
            "CHANGELOG.md says nothing about 1.2.0; add what has changed.",
        ),
        (
            {"pyproject": '[project]\nversion = "1.2.0"\n'},
            "pyproject.toml names no 'Homepage' under [project.urls]; add its address.",
        ),
    ],
)
def test_the_first_point_that_does_not_hold_ends_the_walk_with_one_sentence(
    files: dict[str, str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert walk(checkout(tmp_path, **files), QUICK) == 1
    said = capsys.readouterr()
    assert said.err == f"{sentence}\n"
    assert "dist/ is ready" not in said.out


def test_what_is_not_committed_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checkout(tmp_path)
    assert walk(Release(tmp_path, answer(text=" M README.md\n")), [check_tree]) == 1
    assert capsys.readouterr().err == "'README.md' is not committed; commit or remove it.\n"


def test_a_tag_of_another_commit_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checkout(tmp_path)

    def run(command: Sequence[str], _: Path) -> "subprocess.CompletedProcess[str]":
        return subprocess.CompletedProcess(command, 0, " ".join(command), "")

    assert walk(Release(tmp_path, run), [check_version]) == 1
    assert capsys.readouterr().err == "Another commit has the tag v1.2.0; raise the version in pyproject.toml.\n"


def test_a_command_that_fails_ends_the_walk_with_its_last_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout(tmp_path)
    points = [point for point in list_points() if point.__name__ == "check_tests"]
    assert walk(Release(tmp_path, answer(2, "much\n1 failed\n")), points) == 1
    assert capsys.readouterr().err == "'make test' fails; mend what it names. It ends with: 1 failed\n"


def test_the_checklist_publishes_nothing() -> None:
    text = (ROOT / "scripts" / "release.py").read_text(encoding="utf-8")
    assert not re.search(r"\b(twine|upload|gh release)\b|\"push\"", text)
    assert {"check_tests", "check_tour"} == {
        point.__name__ for point in list_points() if point not in list_points(quick=True)
    }


@pytest.mark.parametrize("file", recipes.FILES, ids=lambda file: file.name)
def test_a_recipe_agrees_with_the_project(file: Path) -> None:
    assert file.read_text(encoding="utf-8") == recipes.FILES[file](recipes.read_project()), "run scripts/recipes.py"


def test_the_recipe_for_conda_forge_has_the_needs_of_the_core() -> None:
    recipe = yaml.safe_load(recipes.write_recipe(PROJECT, "https://example.org/a.tar.gz", "ab" * 32))
    assert recipe["source"] == {"url": "https://example.org/a.tar.gz", "sha256": "ab" * 32}
    needs = [re.sub(r" .*", "", need) for need in recipe["requirements"]["run"]]
    assert needs == ["python", *(re.split(r"[<>=]", text)[0].lower() for text in PROJECT["dependencies"])]


def test_the_manuals_are_those_of_every_command() -> None:
    manuals = {manual.path: manual for manual in list_manuals()}
    assert {f"plenipo {name}" for name in COMMANDS} < manuals.keys()
    assert {"plenipo", "plenipo map check", "plenipo reports list"} < manuals.keys()
    for manual in manuals.values():
        assert manual.summary
        assert manual.synopsis
        assert all(options and meaning for options, meaning in manual.options)
    assert ("--fast", "Many lines together by the kernel, with a reason in a word; needs plenipo[fast].") in manuals[
        "plenipo adjudicate"
    ].options
    assert manuals["plenipo map check"].file == "plenipo-map-check.1"


def test_the_stored_interface_has_every_public_name() -> None:
    lines = STORED.read_text(encoding="utf-8").splitlines()
    stored = {re.match(r"(?:class |def )?(\w+)", line)[1] for line in lines}  # type: ignore[index]
    assert stored == {name for name in plenipo.__all__ if not name.startswith("_")}
    assert lines == sorted(lines)


@pytest.mark.parametrize(
    ("new", "breaks"),
    [
        (["class A(B)(x: int)", "def A.f(y: str) -> int", "c: int = 1"], []),
        (["class A(B)(x: int)", "def A.f(y: str) -> int", "c: int = 1", "def g()"], []),
        (["class A(B)(x: int)", "c: int = 1"], ["'A.f' is gone."]),
        (
            ["class A(B)(x: int)", "def A.f(y: int) -> int", "c: int = 1"],
            ["'def A.f(y: str) -> int' has become 'def A.f(y: int) -> int'."],
        ),
        (["class A(B)(x: int)", "def A.f(y: str) -> int", "c: int = 2"], ["'c: int = 1' has become 'c: int = 2'."]),
    ],
)
def test_what_is_gone_or_otherwise_breaks_the_interface_and_what_is_new_does_not(
    new: list[str], breaks: list[str]
) -> None:
    assert find_breaks(["class A(B)(x: int)", "def A.f(y: str) -> int", "c: int = 1"], new) == breaks


@pytest.mark.parametrize("target", ["site", "manuals", "interface", "tour", "extras", "release"])
def test_each_part_has_a_command(target: str) -> None:
    assert f"\n{target}:" in MAKE
    assert f"'make {target} " in MAKE


def test_the_workflow_compares_the_interface_and_makes_the_tour_on_two_pythons_and_each_extra_on_all() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/checks.yml").read_text(encoding="utf-8"))["jobs"]
    assert "make interface" in [step.get("run") for step in jobs["interface"]["steps"]]
    assert "make tour" in [step.get("run") for step in jobs["tour"]["steps"]]
    supported = {line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)}
    assert len(jobs["tour"]["strategy"]["matrix"]["python"]) == 2
    assert set(jobs["tour"]["strategy"]["matrix"]["python"]) < supported
    assert "make extras" in [step.get("run") for step in jobs["extras"]["steps"]]
    assert set(jobs["extras"]["strategy"]["matrix"]["python"]) == supported


def test_a_release_is_published_by_a_tag_with_attestations_after_the_checklist() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))
    assert workflow[True] == {"push": {"tags": ["v*"]}}  # YAML reads `on` as a truth value
    build, publish = workflow["jobs"]["build"], workflow["jobs"]["publish"]
    assert "make release" in [step.get("run") for step in build["steps"]]
    assert build["permissions"]["attestations"] == "write"
    assert publish["needs"] == "build"
    assert publish["permissions"]["id-token"] == "write"


def test_the_paper_cites_what_its_list_has_and_stays_short() -> None:
    paper = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    _, head, text = paper.split("---\n", maxsplit=2)
    listed = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "paper" / "paper.bib").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"@(\w+)", text)) == listed
    assert len(text.split()) <= 1000
    assert yaml.safe_load(head)["bibliography"] == "paper.bib"
