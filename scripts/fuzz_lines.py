"""Mutated JSON lines of every variant: each must end in an answer, in time, and the next one is answered all the same.

The memory in use is printed ten times; after the first tenth it must not grow with the number of lines.

python scripts/fuzz_lines.py 100000 [--seed 1] [--fast]
"""

import argparse
import json
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from mutations import good_lines, mutated
from plenipo import jsonlines, library

SLOW = 2.0
"""Seconds of processor time after which a line is written out."""

LONGEST_SENTENCE = 3000


def main() -> None:
    """Answer so many lines and count how they ended; the exit status is 1 if one did not end well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lines", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fast", action="store_true", help="adjudicate them together")
    asked = parser.parse_args()
    chance = Random(asked.seed)  # noqa: S311  # a seeded sequence is what is wanted
    lines = [line for name in library.names() for line in good_lines(name, chance, 40)]
    answered = answering(fast=asked.fast)
    ends: Counter[str] = Counter()
    slowest = 0.0
    for number in range(1, asked.lines + 1):
        line = mutated(chance.choice(lines), chance)
        began = time.process_time()
        try:
            answer = json.loads(answered(number, line))
            sentences = answer["errors"]
            end = "adjudicated" if "results" in answer else "refused"
            if not all(isinstance(text, str) and 0 < len(text) <= LONGEST_SENTENCE for text in sentences):
                end = "odd sentence"
        except Exception as fault:  # noqa: BLE001  # any exception is a finding
            end = f"{type(fault).__name__}: {fault}"[:100]
        took = time.process_time() - began
        if (end not in {"adjudicated", "refused"} and ends[end] < 2) or took > SLOW:
            print(f"{number}: {end} in {took:.2f} s: {line[:4000]!r}")
        ends[end] += 1
        slowest = max(slowest, took)
        if number % max(asked.lines // 10, 1) == 0:
            print(f"{number:8} lines: at most {memory()} MB in use so far", flush=True)
    print(f"{asked.lines} lines, the slowest took {slowest:.2f} s of the processor")
    for end, count in ends.most_common():
        print(f"{count:8} {end}")
    sys.exit(bool(ends.keys() - {"adjudicated", "refused"}))


def memory() -> int:
    """Return the most megabytes that the process has had in use."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def answering(*, fast: bool) -> Callable[[int, bytes], str]:
    """Return the function that answers a line."""
    if fast:
        from plenipo.jsonlines.together import Batch  # noqa: PLC0415  # Numba is not always there

        batch = Batch(library.load)
        return lambda number, line: batch.answers([(number, line)])[0]
    load = jsonlines.remembering(library.load)
    return lambda number, line: json.dumps(jsonlines.answer(line, number, load))


if __name__ == "__main__":
    main()
