"""The files that run the server in containers ask for what there is: programs, options, services, volumes, hashes."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from plenipo.cli import app
from plenipo.sbom import make_sbom, read_lock

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


@pytest.mark.parametrize("file", FILES)
def test_every_container_is_confined_and_every_one_of_ours_is_checked(file: str) -> None:
    made: dict[str, Any] = yaml.safe_load((ROOT / file).read_text(encoding="utf-8"))
    for name, service in made["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"], name
        assert name == "caddy" or "healthcheck" in service, name


def test_third_party_images_can_be_pinned_by_digest() -> None:
    for file in FILES:
        made: dict[str, Any] = yaml.safe_load((ROOT / file).read_text(encoding="utf-8"))
        images = {service["image"] for service in made["services"].values()} - {"plenipo"}
        images |= {
            service["build"]["args"]["PYTHON_IMAGE"] for service in made["services"].values() if "build" in service
        }
        assert len(images) >= 2
        assert all(re.fullmatch(r"\$\{PLENIPO_[A-Z]+_IMAGE:-[a-z]+:[\w.-]+\}", image) for image in images), images
        named = {image[2:].partition(":")[0] for image in images}
        assert all(name in (ROOT / "docs" / "running.md").read_text(encoding="utf-8") for name in named)


def test_the_image_installs_the_lock_by_its_hashes_and_starts_a_command_there_is() -> None:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    installs = re.findall(r"pip install .*", text.replace("\\\n", " "))
    assert len(installs) == 2
    assert re.search(r"--require-hashes -r requirements\.lock\b", installs[0])
    assert all(option in installs[1] for option in ("--no-index", "--no-deps", "--no-build-isolation"))
    assert set(re.findall(r"^FROM (\S+)", text, re.MULTILINE)) == {"${PYTHON_IMAGE}"}
    for copied in re.findall(r"^COPY (?!--)(.+) \S+$", text, re.MULTILINE):
        assert all((ROOT / name).exists() for name in copied.split())
    command, given = asked(json.loads(text.rpartition("CMD ")[2]))
    assert set(given) <= options(command)


def test_what_is_compiled_beforehand_lies_where_the_server_of_the_image_looks_for_it_and_may_write() -> None:
    built, image = (ROOT / "Containerfile").read_text(encoding="utf-8").split("\nFROM ")[1:]
    (cache,) = re.findall(r"XDG_CACHE_HOME=(\S+) \S+ -m plenipo\.warm", built)
    settings = dict(re.findall(r"(\w+)=(\S+)", " ".join(re.findall(r"^ENV (.*)", image, re.MULTILINE))))
    assert settings["XDG_CACHE_HOME"] == cache
    (volume,) = re.findall(r"^VOLUME (\S+)", image, re.MULTILINE)
    assert cache.startswith(f"{volume}/")  # the root is read-only
    assert settings["PYTHONPYCACHEPREFIX"].startswith(f"{cache}/")
    assert f"COPY --from=built --chown=plenipo:plenipo {volume} {volume}" in image.partition("\nVOLUME")[0]


def test_the_image_has_no_compiled_modules_which_take_a_third_of_its_room() -> None:
    built = (ROOT / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ").split("\nFROM ")[1]
    assert all("--no-compile" in line for line in re.findall(r"pip install .*", built))
    assert "PYTHONDONTWRITEBYTECODE=1" in built.partition("RUN")[0]


def test_the_image_leaves_out_what_only_builds_and_can_be_built_without_the_compiler() -> None:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    compiler, tools = ({*words.split()} for words in re.findall(r"pip uninstall --yes --quiet ([\w -]+)", text))
    assert compiler == {"llvmlite", "numba"}
    assert tools >= {"hatchling", "pip"}
    locked = read_lock((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    assert {*compiler, *tools} <= {*locked, "pip", "setuptools"}
    needed = {one["name"] for one in make_sbom(locked, datetime.now(UTC))["components"]}
    assert needed.isdisjoint(tools)
    assert needed >= compiler
