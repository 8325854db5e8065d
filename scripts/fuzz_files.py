"""Odd files through every command that reads some: each must end in sentences and an exit status, without a traceback.

python scripts/fuzz_files.py 5000 [--seed 1] [--commands convert open]
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

import psutil

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from odd_files import COMMANDS, Files

SLOW = 20.0
"""Seconds of processor time after which a file counts as one that hangs."""


SETTLED = 50
"""Files after which everything is loaded, and the memory should stay as it is."""


def resident() -> int:
    """Return the memory of this process in MB."""
    return psutil.Process().memory_info().rss >> 20


def main() -> None:
    """Run the commands; exit with 1 if a file did not end well, and keep that file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--commands", nargs="+", choices=COMMANDS, default=COMMANDS, help="these alone")
    wanted = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="odd-files-"))
    files = Files(folder, Random(wanted.seed))  # noqa: S311  # a seeded sequence is what is wanted
    ends: Counter[str] = Counter()
    for number in range(1, wanted.files + 1):
        command = wanted.commands[number % len(wanted.commands)]
        began = time.process_time()
        wrong = files.called(command)
        took = time.process_time() - began
        if took > SLOW:
            wrong = wrong or "it takes too long"
        ends[f"{command}: {wrong or 'well'}"] += 1
        if wrong and ends[f"{command}: {wrong}"] == 1:
            kept = folder.with_name(f"{folder.name}-{number}")
            shutil.copytree(folder, kept)
            print(f"{number}: {command} in {took:.1f} s: {wrong}; the files are kept in {kept}", flush=True)
        if number == SETTLED or number % 500 == 0:
            print(f"{number} files, {resident()} MB of memory", flush=True)
    for end, count in sorted(ends.items()):
        print(f"{count:8} {end}")
    shutil.rmtree(folder)
    sys.exit(any(not end.endswith(": well") for end in ends))


if __name__ == "__main__":
    main()
