"""Every hook that a rule module uses and every rule module has its section in the documentation."""

import inspect
import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from plenipo.engine.facts import KINDS
from plenipo.engine.hooks import RuleModule
from plenipo.library import VARIANTS
from plenipo.rulekit import MODULES

PAGE = (Path(__file__).parents[2] / "docs" / "hooks.md").read_text(encoding="utf-8")
FACTS_PART, HOOKS_PART, MODULES_PART = re.split("## The hooks|## The rule modules", PAGE)


def sections(part: str) -> dict[str, str]:
    """Title -> text, for each name in a title."""
    found = re.findall(r"^### (.*?)\n(.*?)(?=^##)", part + "##", re.DOTALL | re.MULTILINE)
    return {name: text for title, text in found for name in re.findall(r"`(\w+)`", title)}


HOOKS = {
    name: [module for module in MODULES.values() if name in vars(module)]
    for name in vars(RuleModule)
    if name == "claims" or (inspect.isfunction(getattr(RuleModule, name)) and not name.startswith("_"))
}


def test_every_kind_of_fact_has_a_row_that_names_the_modules_which_declare_it() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| .+ \| (.+) \|$", FACTS_PART, re.MULTILINE))
    assert list(rows) == [kind.__name__ for kind in KINDS]
    for kind in KINDS:
        named = set(re.findall(r"`(\w+)`", rows[kind.__name__]))
        assert named == {module.name for module in MODULES.values() if kind.__name__ in inspect.getsource(module)}


def played() -> dict[str, set[str]]:
    """Module -> the variants of the package that name it."""
    found: dict[str, set[str]] = {}
    for file in VARIANTS.glob("*/variant.toml"):
        for module in tomllib.loads(file.read_text(encoding="utf-8")).get("modules", {}):
            found.setdefault(module, set()).add(file.parent.name)
    return found


PLAYED = played()


@pytest.mark.parametrize("hook", sorted(HOOKS))
def test_a_hook_has_a_section_that_names_the_modules_which_use_it(hook: str) -> None:
    section = sections(HOOKS_PART)[hook]
    for module in HOOKS[hook]:
        assert f"`{module.name}`" in section or "every module" in section


@pytest.mark.parametrize("name", sorted(MODULES))
def test_a_module_has_a_section_with_its_options(name: str) -> None:
    section = sections(MODULES_PART)[name]
    for option in fields(MODULES[name]):
        assert f"`{option.name}`" in section


@pytest.mark.parametrize("name", sorted(PLAYED))
def test_a_module_that_is_played_has_a_test_and_names_the_variants_that_play_it(name: str) -> None:
    assert (Path(__file__).parent / f"test_{name}.py").is_file()
    linked = re.findall(r"\(\.\./src/plenipo/variants/(\w+)/README\.md\)", sections(MODULES_PART)[name])
    assert set(linked) == PLAYED[name]
