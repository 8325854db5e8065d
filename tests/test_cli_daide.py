"""`plenipo daide`: what it refuses in a sentence, and a game with a client from its beginning to its record."""

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import daide_client
from plenipo.cli import app, saved
from waiting import LIMIT, read_line, run_together

REFUSED = {
    ("--press", "15"): "'15' is not a level of press; it is one of 0, 10, 20, 30.",
    ("8 sensible",): "There are 8 computer players, and this variant has 7 seats.",
    ("nobody",): "'nobody'",
    (
        "--variant",
        "fog-of-war",
    ): "cannot be played over DAIDE: parts of it are secret, and DAIDE shows everything to all.",
    ("--host", "no.such.host.invalid"): "'no.such.host.invalid:16713' cannot be used:",
}


def call(*arguments: str) -> Result:
    """Call the command in a thread of its own: tests of the pages leave a loop running in theirs."""
    (told,) = run_together(lambda: CliRunner().invoke(app, ["daide", *arguments]))
    assert isinstance(told, Result)
    return told


@pytest.mark.parametrize(("arguments", "sentence"), REFUSED.items(), ids=map(" ".join, REFUSED))
def test_a_call_that_cannot_be_served_is_refused_in_a_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    told = call(*arguments)
    assert told.exit_code == 2
    assert sentence in " ".join(told.stderr.split())


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = call("--port", str(port))
    assert told.exit_code == 2
    assert f"'127.0.0.1:{port}' cannot be used: address already in use." in told.stderr


def test_a_client_plays_against_computers_and_each_game_is_saved(tmp_path: Path) -> None:
    (tmp_path / "game-1.json").write_text("mine", encoding="utf-8")
    command = [sys.executable, "-c", "import sys; from plenipo.cli import app; sys.exit(app())", "daide", "6 careless"]
    command += ["--port", "0", "--years", "1", "--save", str(tmp_path), "--seed", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:  # noqa: S603  # this program
        assert server.stderr is not None
        listening = re.search(r"port (\d+)\. Seats for clients: 1\.", read_line(server.stderr))
        assert listening is not None
        daide_client.play("127.0.0.1", int(listening[1]), 1)
        told, _ = server.communicate(timeout=LIMIT)
    assert server.returncode == 0
    assert re.match(r"Game 1: (a draw of|.* has won) .*\(Random\)", told)
    assert (tmp_path / "game-1.json").read_text(encoding="utf-8") == "mine"
    assert saved.load(tmp_path / "game-2.json").turns
