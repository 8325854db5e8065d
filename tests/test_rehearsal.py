"""The rehearsal of an installation: it takes the commands and files from the page, and they name what there is."""

import re
import shlex
from pathlib import Path

from typer.main import get_command

from plenipo.cli import app
from rehearse_install import NAME, PAGE, SOURCE, script_of, sections, with_machine_parts

ROOT = Path(__file__).parents[1]
SECTIONS = sections(PAGE.read_text(encoding="utf-8"))
SETUP = script_of(SECTIONS["Without containers"])


def test_commands_of_root_and_files_are_taken_and_nothing_else() -> None:
    blocks = ["# one\nsaid\n# two\n", "# /etc/x.conf\na=1\n# b\n", "$ docker compose up\n"]
    assert script_of(blocks) == ["one", "two", "cat > /etc/x.conf <<'END OF FILE'", "a=1", "# b", "END OF FILE"]
    assert sections("# Page\n\n## First\n\n```text\n# one\n```\n\n## Second\n\nWords.\n") == {
        "First": ["# one\n"],
        "Second": [],
    }


def test_the_page_sets_up_all_parts_in_their_order() -> None:
    order: tuple[str, ...] = (
        "apt-get install",
        "git clone",
        "--require-hashes",
        "createdb",
        "cat > /etc/plenipo.env",
        "chmod 0600",
    )
    order += ("enable --now plenipo-web", "plenipo backup", "plenipo restore --check", "plenipo doctor")
    places = [next(number for number, line in enumerate(SETUP) if part in line) for part in order]
    assert places == sorted(places)
    assert "cat > /etc/caddy/Caddyfile <<'END OF FILE'" in SETUP
    assert any("--require-hashes" in line for line in script_of(SECTIONS["Upgrades"]))
    assert any("plenipo restore" in line for line in script_of(SECTIONS["Backups"]))


def test_commands_and_files_that_are_named_are_there() -> None:
    lines = [*SETUP, *script_of(SECTIONS["Upgrades"]), *script_of(SECTIONS["Backups"])]
    for line in lines:
        for name in re.findall(r"\bdeploy/\S+|\brequirements\.lock", line):
            assert list(ROOT.glob(name)), name
        called = re.search(r"runuser -u plenipo -- plenipo (.+)", line)
        if called:
            command, *words = shlex.split(called[1])
            found = get_command(app).commands[command].params  # type: ignore[attr-defined]  # Typer's app is a group
            options = {name for parameter in found for name in parameter.opts}
            assert {word for word in words if word.startswith("--")} <= options


def test_what_stands_for_a_real_machine_is_put_in() -> None:
    assert any(SOURCE in line for line in SETUP)
    found = with_machine_parts(SETUP)
    assert found[found.index(f"{NAME} {{") + 1].startswith("\ttls ")
    assert any("insteadOf" in line for line in found)
    assert [line for line in found if line in SETUP] == SETUP
