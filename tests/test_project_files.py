"""The files around the code agree with it: workflow, citation, templates, hooks of commits and policies."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


def read_yaml(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_the_workflow_runs_both_commands_on_every_supported_python_and_three_systems() -> None:
    job = read_yaml(".github/workflows/checks.yml")["jobs"]["checks"]
    matrix = job["strategy"]["matrix"]
    supported = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert matrix["python"] == supported
    assert [name.partition("-")[0] for name in matrix["system"]] == ["ubuntu", "macos", "windows"]
    commands = [step["run"] for step in job["steps"] if "run" in step]
    assert commands == ["python scripts/try_play.py", "make test"]
    assert '["make", "play"]' in (ROOT / "scripts" / "try_play.py").read_text(encoding="utf-8")


def test_the_citation_names_the_present_version_and_licence() -> None:
    citation = read_yaml("CITATION.cff")
    assert (citation["version"], citation["license"]) == (PROJECT["version"], PROJECT["license"])


def test_every_hook_of_a_commit_runs_a_program_of_the_environment() -> None:
    hooks = [hook for repository in read_yaml(".pre-commit-config.yaml")["repos"] for hook in repository["hooks"]]
    assert {hook["id"] for hook in hooks} == {"ruff-check", "ruff-format", "mypy", "language"}
    assert all(hook["entry"].startswith(".venv/bin/") for hook in hooks)


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_a_form_for_issues_asks_for_something_under_names_of_its_own(form: Path) -> None:
    content = yaml.safe_load(form.read_text(encoding="utf-8"))
    fields = [field["id"] for field in content["body"]]
    assert content["name"]
    assert content["description"]
    assert len(fields) == len(set(fields))
    assert any(field.get("validations", {}).get("required") for field in content["body"])


@pytest.mark.parametrize(
    "page",
    ["SECURITY.md", "CODE_OF_CONDUCT.md", *(f"docs/decisions/{p.name}" for p in (ROOT / "docs/decisions").glob("*"))],
)
def test_the_links_of_a_policy_or_decision_lead_somewhere(page: str) -> None:
    path = ROOT / page
    for target in re.findall(r"\]\(([^)#]+)(?:#[\w-]+)?\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


def test_every_decision_is_listed_and_has_the_same_parts() -> None:
    listed = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
    for path in (ROOT / "docs" / "decisions").glob("*.md"):
        assert f"(decisions/{path.name})" in listed
        parts = re.findall(r"^## (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert parts == ["Situation", "Decision", "Alternatives", "Consequences"]
