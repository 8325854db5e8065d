"""Every hook that a rule module uses and every rule module has its section in the documentation."""

import inspect
import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from plenipo.engine.hooks import RuleModule
from plenipo.library import VARIANTS
from plenipo.rulekit import MODULES

PAGE = (Path(__file__).parents[2] / "docs" / "hooks.md").read_text(encoding="utf-8")
HOOKS_PART, MODULES_PART = PAGE.split("## The rule modules")


def sections(part: str) -> dict[str, str]:
    """Title -> text, for each name in a title."""
    found = re.findall(r"^### (.*?)\n(.*?)(?=^##)", part + "##", re.DOTALL | re.MULTILINE)
    return {name: text for title, text in found for name in re.findall(r"`(\w+)`", title)}


HOOKS = {
    name: [module for module in MODULES.values() if name in vars(module)]
    for name in vars(RuleModule)
    if name in {"claims", "scale"} or (inspect.isfunction(getattr(RuleModule, name)) and not name.startswith("_"))
}


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
