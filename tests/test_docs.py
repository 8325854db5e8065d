"""The documentation is true: its examples run, its generated parts are current, and nothing public is left out."""

import ast
import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from contextlib import chdir
from io import StringIO
from pathlib import Path

import pytest
import yaml
from babel.messages.pofile import read_po
from typer.testing import CliRunner

from console import Block, Call, blocks, calls, is_shown
from generated_docs import GENERATED, PART, renewed
from plenipo.cli import app
from plenipo.cli.main import COMMANDS
from plenipo.engine.immutable import EMPTY
from plenipo.engine.rulebook import EDITIONS, POLICIES
from server.serving import served
from waiting import LIMIT

ROOT = Path(__file__).parents[1]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs/decisions").glob("*.md")),
]
DOCS = {page.name: page.read_text(encoding="utf-8") for page in PAGES if page.parent == ROOT / "docs"}

SERVED = ROOT / "docs" / "http.md"
"""The page whose commands need a server."""

ELLIPSIS = doctest.ELLIPSIS
"""`...` in what a block shows stands for anything."""

SHELL = frozenset("|&;<>$`*")
"""Characters that are special in a shell."""


FROM_WHEEL = re.compile(r"^(uvx --from|pipx run --spec) dist/plenipo-\*\.whl (?=plenipo )")
"""The beginnings of commands that run the program from a wheel."""


def run(call: Call, folder: Path) -> tuple[int, str]:
    """Run a command in `folder` as a reader would; returns its exit status and what it says.

    A command of our own that needs no shell is called where we are: to start a program takes longer than most of them.
    """
    here = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "80",
        "LC_ALL": "C.UTF-8",
    }
    if call.command.startswith("make "):
        # a test cannot wait for itself; that the target is there and has something to do is what can be seen
        call = call._replace(command=f"{call.command} --dry-run --always-make > /dev/null", shown="")
        folder = ROOT
    # without an installed package the program itself is run; `scripts/tour.py` runs it from the wheel
    call = call._replace(command=FROM_WHEEL.sub("", call.command))
    if call.command.startswith("plenipo ") and not SHELL & {*call.command}:
        with chdir(folder):
            told = CliRunner().invoke(app, shlex.split(call.command)[1:], env=here)
        return told.exit_code, told.stdout
    done = subprocess.run(  # noqa: S602  # the commands of our own documentation
        call.command,
        shell=True,
        cwd=folder,
        env={**os.environ, **here},
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_examples_of_a_page_run(page: Path) -> None:
    python = [block for block in blocks(page) if block.language == "python" and ">>> " in block.text]
    source = ""
    for block in python:
        source += "\n" * (block.line - 1 - source.count("\n")) + block.text
    example = doctest.DocTestParser().get_doctest(source, {}, page.name, str(page), 0)
    told: list[str] = []
    result = doctest.DocTestRunner(optionflags=ELLIPSIS).run(example, out=told.append)
    assert not result.failed, "".join(told)
    assert result.attempted >= len(python)


@pytest.mark.parametrize("page", [page for page in PAGES if page != SERVED], ids=lambda page: page.name)
def test_the_commands_of_a_page_show_what_it_says(page: Path, tmp_path: Path) -> None:
    check_commands(page, tmp_path)


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("jq")), reason="the page uses curl and jq")
def test_the_session_of_the_http_interface_runs_against_a_server(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        check_commands(SERVED, tmp_path, {"127.0.0.1:8021": f"127.0.0.1:{server.port}"})
    assert "Traceback" not in server.log


def check_commands(page: Path, tmp_path: Path, addresses: Mapping[str, str] = EMPTY) -> None:
    """Run the commands of a page with some addresses replaced, and compare what they show with what it says."""
    for block in blocks(page):
        if block.language == "console":
            for call in calls(block):
                command = call.command
                for written, real in addresses.items():
                    command = command.replace(written, real)
                status, shown = run(call._replace(command=command), tmp_path)
                assert status == 0, f"{page.name}:{call.line} '{call.command}' ended with status {status}"
                said = f"{page.name}:{call.line} '{call.command}' shows\n{shown}and the page says\n{call.shown}"
                assert is_shown(call.shown, shown), said


def read_settings(text: str) -> dict[str, str]:
    """Return the settings of a file of environment variables; raise `ValueError` for a line that is none."""
    settings = {}
    for line in text.splitlines():
        name, equals, value = line.partition("=")
        if line and not line.startswith("#"):
            if not equals:
                raise ValueError(f"'{line}' is not a setting; write NAME=VALUE.")
            settings[name] = value
    return settings


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_of_data_can_be_read(page: Path) -> None:
    readers: dict[str, Callable[[str], object]] = {
        "toml": tomllib.loads,
        "json": json.loads,
        "yaml": yaml.safe_load,
        "ini": read_settings,
        "po": lambda text: read_po(StringIO(text)).mime_headers,
    }
    for block in blocks(page):
        assert block.language in {"python", "console", "text", *readers}, f"{page.name}:{block.line}"
        if block.language == "python" and ">>> " not in block.text:
            assert ast.parse(block.text).body, f"{page.name}:{block.line}"
        if block.language in readers:
            assert readers[block.language](block.text), f"{page.name}:{block.line}"


def test_the_readme_shows_nothing_that_is_not_tested() -> None:
    readme = list(blocks(ROOT / "README.md"))
    others = [block for block in readme if block.language not in {"python", "console"}]
    assert [block.text.splitlines()[0] for block in others] == ["src/plenipo/"]
    assert all(">>> " in block.text for block in readme if block.language == "python")


def test_the_first_two_commands_of_the_readme_play_and_test() -> None:
    first = [
        call.command for block in blocks(ROOT / "README.md") if block.language == "console" for call in calls(block)
    ]
    assert first[:2] == ["make play", "make test"]


def test_every_folder_and_file_of_the_table_of_wishes_is_there() -> None:
    wishes = DOCS["house.md"].partition("## Where do I change")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in wishes.splitlines() if "`src/" in line]
    assert len(rows) >= 20
    assert len({row[0] for row in rows}) == len(rows)
    for _, folder, known in rows:
        assert (ROOT / folder.strip("`")).is_dir(), folder
        for name in re.findall(r"`([\w/.]+/[\w/.]+|\w+\.(?:py|yaml))`", known):
            assert (ROOT / name).exists() or [*(ROOT / folder.strip("`")).rglob(name)], name


def test_the_map_of_the_house_names_what_is_there() -> None:
    house = next(block for block in blocks(ROOT / "README.md") if block.language == "text")
    parent = ROOT
    for line in house.text.splitlines():
        name = line.split()[0]
        if name == "src/plenipo/":
            parent = ROOT / name
        if re.fullmatch(r"[\w./]+", name) and name != "src/plenipo/":
            where = parent if line.startswith(" ") else ROOT
            assert (where / name).exists(), line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (page.parent / target).exists(), target


@pytest.mark.parametrize("name", sorted(DOCS))
def test_the_generated_parts_of_a_page_are_current(name: str) -> None:
    assert renewed(DOCS[name]) == DOCS[name], "run `make docs`"


def test_every_part_that_can_be_generated_is_in_a_page() -> None:
    placed = [part["name"] for text in DOCS.values() for part in PART.finditer(text)]
    assert sorted(placed) == sorted(GENERATED)


def test_a_generated_part_that_is_out_of_date_is_seen() -> None:
    stale = DOCS["rules.md"].replace("szykman", "sikman", 1)
    assert renewed(stale) != stale


def test_every_page_is_reached_from_the_index() -> None:
    for name in DOCS.keys() - {"index.md"}:
        assert f"({name})" in DOCS["index.md"]


@pytest.mark.parametrize(
    "module", sorted(p.stem for p in (ROOT / "src/plenipo/engine").glob("*.py") if not p.stem.startswith("_"))
)
def test_every_public_module_of_the_engine_is_described(module: str) -> None:
    pages = "".join(text for name, text in DOCS.items() if name != "index.md")
    assert f"`plenipo.engine.{module}" in pages


def test_every_policy_choice_and_edition_is_described() -> None:
    text = DOCS["rules.md"]
    for policy in POLICIES.values():
        row = next(line for line in text.splitlines() if line.startswith(f"| `{policy.key}` |"))
        for choice, meaning in policy.choices.items():
            assert f"`{choice}`: {meaning}" in row
    assert f"| {' | '.join(EDITIONS)} |" in text


def test_every_command_and_option_is_described() -> None:
    text, everything = DOCS["command-line.md"], "".join((*DOCS.values(), (ROOT / "README.md").read_text("utf-8")))
    for name in COMMANDS:
        assert f"\n### {name}\n" in text
        assert f"`plenipo {name}" in everything


# The checker itself


def test_a_console_block_is_cut_into_its_commands() -> None:
    block = Block(ROOT, 5, "console", "$ cat <<END\n> one\n> END\none\n$ true\n")
    assert list(calls(block)) == [Call(5, "cat <<END\none\nEND", "one\n"), Call(9, "true", "")]


def test_a_command_that_fails_is_seen(tmp_path: Path) -> None:
    assert run(Call(1, "make nothing-of-the-kind", ""), tmp_path)[0] != 0
    assert run(Call(1, "plenipo variants --no-such-option", ""), tmp_path)[0] == 2
    assert "standard" in run(Call(1, "plenipo variants", ""), tmp_path)[1]
