"""The files that run the server in containers ask for what there is: programs, options, services, volumes, extras."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from plenipo.cli import app

ROOT = Path(__file__).parents[1]
FILES = ("compose.yaml", "compose.scaled.yaml")


def asked(words: list[str]) -> tuple[str, list[str]]:
    """The command of a list of arguments, and its options."""
    return words[0], [word for word in words[1:] if word.startswith("--")]


def options(command: str) -> set[str]:
    found = get_command(app).commands[command].params  # type: ignore[attr-defined]  # a Typer app is a group of commands
    return {name for parameter in found for name in (*parameter.opts, *parameter.secondary_opts)}


@pytest.mark.parametrize("file", FILES)
def test_what_is_started_takes_these_options_and_what_is_named_is_there(file: str) -> None:
    made: dict[str, Any] = yaml.safe_load((ROOT / file).read_text(encoding="utf-8"))
    services = made["services"]
    started = {name: service for name, service in services.items() if service["image"] == "plenipo"}
    assert started
    for service in started.values():
        command, given = asked(service["command"])
        assert set(given) <= options(command)
    for service in services.values():
        assert set(service.get("depends_on", ())) <= services.keys()
        for volume in service.get("volumes", ()):
            place = volume.partition(":")[0]
            assert (ROOT / place).exists() if place.startswith(".") else place in made["volumes"]


def test_the_image_installs_extras_there_are_and_starts_a_command_there_is() -> None:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    extras = re.search(r"'\.\[([\w,]+)\]'", text)
    assert extras is not None
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(extras[1].split(",")) <= project["optional-dependencies"].keys()
    for copied in re.findall(r"^COPY (?!--)(.+) \S+$", text, re.MULTILINE):
        assert all((ROOT / name).exists() for name in copied.split())
    command, given = asked(json.loads(text.rpartition("CMD ")[2]))
    assert set(given) <= options(command)
