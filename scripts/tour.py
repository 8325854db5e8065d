"""Run the commands of the README and of docs/ from the wheel, in an environment with nothing else in it.

It builds the wheel, makes an environment, installs the core and runs the tour of the README: a command that needs an
extra has to say so in one sentence. Then it installs everything and runs the commands of every page, and compares what
they print. It prints the time from nothing to a board, and the processor time of `import plenipo` and of
`plenipo --version`; a time over its limit is a fault. The commands of `uvx` and `pipx` run with the wheel in `dist/`,
each with an empty cache, where these programs are installed.

    python scripts/tour.py [--core | --extras] [--wheel FILE]

`--core` leaves the pages of docs/ out. `--extras` tries every command with the core alone and with each extra alone:
a command has to name in one sentence the package it lacks. Standard library only: it runs before anything is installed.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from console import Call, blocks, calls, is_shown

ROOT = Path(__file__).parents[1]

LIMIT = 600
"""Seconds that a command may take."""

MOST_TIME = {
    "From nothing to a board": 20.0,
    "From uvx to a board": 20.0,
    "import plenipo": 0.3,
    "plenipo --version": 0.15,
}
"""The most seconds that each measured time may take: to a board as a clock shows them, the others of the processor."""

RUNNERS = ("uvx", "pipx")
"""Programs that run a command from a package without installing it; they need not be there."""

LEFT_OUT = re.compile(r"make |pip install |curl |git ")
"""The beginnings of commands that are no part of an installed package."""

SERVED = {"http.md"}
"""Pages whose commands need a running server; the tests run them."""

NEEDS = re.compile(r"[^\n]+ needs the extra '[a-z]+'; install it with: [^\n]+\.\n")
"""The sentence of a command that needs an extra."""


FILES = {
    "opening.txt": "Spring 1901\nFrance: A PAR - BUR\n",
    "irish.txt": f"# Seed: {'5a' * 32}\nSpring 1976\n",
    "positions.jsonl": '{"variant": "standard", "phase": "S1901M", "units": {"France": ["A PAR"]}}\n',
    "cases.yaml": "- {id: a, units: {France: [A PAR]}, orders: {}, expect: {results: {A PAR: holds}}}\n",
    "board.map": "no board\n",
}
"""Files for the commands that are tried."""

TRIED = """
variants
variants --bank
board irish --json
check standard --games 1 --years 1
cases cases.yaml
rulebooks 4.D.3
show --svg board.svg
show --png board.png
show --poster board.pdf
play --orders opening.txt --save game.json
play irish --orders irish.txt
verify game.json
convert game.json game.txt
replay-check game.json
replay game.json game.gif
adjudicate positions.jsonl
adjudicate --fast positions.jsonl
puzzle 1
puzzles check --every 20
match sensible careless --games 1 --years 1
match sensible --games 1 --years 1 --games-to games.parquet
match sensible --games 1 --years 1 --ray
match quick sensible --games 1 --years 1
survey standard --games 1 --years 1
review game.json
selfplay standard --games 2 --out rows.parquet
warm
new mine
map check mine
map new isles --from-earth -11 49.5 3 59.5 --lands 4 --seas 2
map export isles --layers isles.svg
map place nowhere
map compile mine
faults nowhere
import board.map
serve --no-open --host nowhere.invalid
daide --host nowhere.invalid
work --database nowhere/none.sqlite
backup copy.sqlite --database none.sqlite
restore none.sqlite --check
doctor --no-connect
sbom
completions fish
reports list --database none.sqlite
--licences
"""
"""A call of every command, with whatever installed; none of them goes on for ever."""

REFUSED = frozenset(
    {
        "daide --host nowhere.invalid",
        "doctor --no-connect",
        "faults nowhere",
        "import board.map",
        "map place nowhere",
        "serve --no-open --host nowhere.invalid",
        "work --database nowhere/none.sqlite",
    }
)
"""The calls that fail with everything installed: of a missing host, file or variant, or in a check."""


class Environment(NamedTuple):
    """A virtual environment."""

    folder: Path

    @property
    def programs(self) -> Path:
        """The folder of its programs."""
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    def settings(self) -> Mapping[str, str]:
        """Return the environment variables of a command in it, without those that lead to other code."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
        path = f"{self.programs}{os.pathsep}{os.environ['PATH']}"
        return {**kept, "PATH": path, "COLUMNS": "80", "LC_ALL": "C.UTF-8"}

    def install(self, *wanted: str) -> None:
        """Install packages within the constraints."""
        pip = [str(self.programs / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        command = [*pip, "-c", str(ROOT / "constraints.txt"), *wanted]
        subprocess.run(command, check=True, env=self.settings())  # noqa: S603  # our own command


def tour(page: Path) -> Iterator[Call]:
    """Yield the commands of a page that an installed package can run."""
    for block in blocks(page):
        if block.language == "console":
            yield from (call for call in calls(block) if not LEFT_OUT.match(call.command))


def judge(page: Path, call: Call, done: "subprocess.CompletedProcess[str]", *, whole: bool) -> str:
    """Return a sentence about a command that did not do what its page says; empty if it did.

    Where not everything is installed (`whole` is false) a command may say instead, in one sentence, what it needs.
    """
    where = f"{page.name}:{call.line} '{call.command.splitlines()[0]}'"
    if "Traceback" in done.stderr:
        return f"{where} ended with a traceback:\n{done.stderr}"
    if not whole and done.returncode == 2 and NEEDS.fullmatch(done.stderr):
        return ""
    if done.returncode:
        return f"{where} ended with status {done.returncode}:\n{done.stderr}"
    return "" if is_shown(call.shown, done.stdout) else f"{where} printed:\n{done.stdout}"


def place_wheel(wheel: Path, folder: Path) -> None:
    """Copy the wheel to where the pages say that it is built."""
    (folder / "dist").mkdir()
    shutil.copy(wheel, folder / "dist")


def empty_caches(folder: Path) -> Mapping[str, str]:
    """Return the environment variables with which uvx and pipx keep what they install in a folder of its own."""
    return {"UV_CACHE_DIR": str(folder / "uv"), "PIPX_HOME": str(folder / "pipx")}


def time_uvx(wheel: Path, on: Environment) -> float | None:
    """Return the seconds from an empty cache of uvx to a board, None where uvx is not installed."""
    if not shutil.which("uvx"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        board = ["uvx", "--from", str(wheel), "plenipo", "show", "--svg", str(Path(folder) / "board.svg")]
        start = time.monotonic()
        subprocess.run(board, check=True, env={**on.settings(), **empty_caches(Path(folder))})  # noqa: S603  # our own command
        return time.monotonic() - start


def run_page(page: Path, on: Environment, wheel: Path, *, whole: bool) -> Iterator[str]:
    """Run the commands of a page in one folder, which has the wheel in `dist/`; yield a sentence for each fault."""
    missing = ""
    with tempfile.TemporaryDirectory() as folder:
        place_wheel(wheel, Path(folder))
        for call in tour(page):
            runner = call.command.split()[0]
            if runner in RUNNERS and not shutil.which(runner):
                print(f"{page.name}:{call.line} is left out: '{runner}' is not installed.")
                continue
            done = subprocess.run(  # noqa: S602  # the commands of our own documentation
                call.command,
                shell=True,
                cwd=folder,
                env={**on.settings(), **empty_caches(Path(folder) / "caches")},
                capture_output=True,
                text=True,
                check=False,
                timeout=LIMIT,
            )
            if not whole and NEEDS.fullmatch(done.stderr):
                missing = done.stderr
            elif missing and done.returncode == 2 and "no such file" in done.stderr.casefold():
                continue  # the file of a command that needs an extra
            fault = judge(page, call, done, whole=whole)
            if fault:
                yield fault


def judge_trial(command: str, done: "subprocess.CompletedProcess[str]") -> str:
    """Return a sentence about a command that neither works nor says in one sentence why not; empty if it does.

    Only the commands in `REFUSED` may fail for another reason than a missing extra, which they have to name.
    """
    if "Traceback" in done.stderr + done.stdout:
        return f"'plenipo {command}' ended with a traceback:\n{done.stderr}"
    if done.returncode and len(done.stderr.splitlines()) > 1:
        return f"'plenipo {command}' says more than one sentence:\n{done.stderr}"
    if done.returncode and command not in REFUSED and not NEEDS.fullmatch(done.stderr):
        return f"'plenipo {command}' fails and names no extra:\n{done.stderr}"
    return ""


def try_commands(on: Environment) -> Iterator[str]:
    """Run a call of every command in one folder; yield a sentence for each that fails without saying why."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        for command in filter(None, TRIED.splitlines()):
            try:
                done = subprocess.run(  # noqa: S603  # our own command
                    [str(on.programs / "plenipo"), *command.split()],
                    cwd=folder,
                    env={**on.settings(), "XDG_DATA_HOME": folder},
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    text=True,
                    check=False,
                    timeout=LIMIT,
                )
            except subprocess.TimeoutExpired:
                yield f"'plenipo {command}' takes longer than {LIMIT} seconds."
                continue
            fault = judge_trial(command, done)
            if fault:
                yield fault


def try_extras(wheel: Path, folder: Path) -> Iterator[str]:
    """Try every command with the core alone and with each extra alone; yield a sentence for each fault."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for extra in ("", *project["optional-dependencies"]):
        on = make_environment(folder / f"with-{extra}")
        try:
            on.install(f"{wheel}[{extra}]" if extra else str(wheel))
        except subprocess.CalledProcessError:
            yield f"'{extra}' cannot be installed on this Python."
            continue
        faults = list(try_commands(on))
        print(f"{extra or 'the core'}: {len(faults)} faults.", flush=True)
        yield from (f"With {extra or 'the core'} alone {fault}" for fault in faults)
        shutil.rmtree(on.folder, ignore_errors=True)


def processor_time(command: Sequence[str], settings: Mapping[str, str]) -> float:
    """Return the least processor time of a command in five runs, in seconds."""
    import resource  # noqa: PLC0415  # which Windows lacks

    best = float("inf")
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, env=dict(settings), capture_output=True)  # noqa: S603  # our own command
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def judge_times(times: Mapping[str, float]) -> Iterator[str]:
    """Yield a sentence for each measured time that is over its limit."""
    for name, seconds in times.items():
        if seconds > MOST_TIME[name]:
            yield f"{name}: {seconds:.3f} s is over the limit of {MOST_TIME[name]:g} s."


def build_wheel(folder: Path) -> Path:
    """Build the wheel of this checkout."""
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True)  # noqa: S603  # our own command
    return next(folder.glob("*.whl"))


def make_environment(folder: Path) -> Environment:
    """Make an empty virtual environment with the present Python."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)  # noqa: S603  # our own command
    return Environment(folder)


def make_tour(wheel: Path, folder: Path, *, core: bool) -> list[str]:
    """Make the tour with a wheel, print what it takes, and return a sentence for each fault."""
    start = time.monotonic()
    on = make_environment(folder / "environment")
    on.install(str(wheel))
    board = ["plenipo", "show", "--svg", str(folder / "board.svg")]
    subprocess.run(board, check=True, env=on.settings())  # noqa: S603  # our own command
    times = {"From nothing to a board": time.monotonic() - start}
    seconds = time_uvx(wheel, on)
    if seconds is not None:
        times["From uvx to a board"] = seconds
    if os.name != "nt":
        python, program = str(on.programs / "python"), str(on.programs / "plenipo")
        times["import plenipo"] = processor_time([python, "-c", "import plenipo"], on.settings())
        times["plenipo --version"] = processor_time([program, "--version"], on.settings())
    for name, taken in times.items():
        print(f"{name}: {taken:.3f} s.")
    faults = [*judge_times(times), *run_page(ROOT / "README.md", on, wheel, whole=False)]
    if not core:
        on.install(f"{wheel}[all]")
        for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
            if page.name not in SERVED:
                faults += run_page(page, on, wheel, whole=True)
    return faults


def main() -> int:
    """Run the tour; return 1 if a command did not do what its page says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--core", action="store_true", help="only the tour of the README, with the core")
    parser.add_argument("--extras", action="store_true", help="try every command with each extra alone")
    parser.add_argument("--wheel", type=Path, help="this wheel instead of a new one")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = asked.wheel.resolve() if asked.wheel else build_wheel(folder)
        faults = list(try_extras(wheel, folder)) if asked.extras else make_tour(wheel, folder, core=asked.core)
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(faults)} faults.")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
