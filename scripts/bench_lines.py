"""Time `plenipo adjudicate --fast` against the engine on lines of random games, and compare what both answer.

The lines have the codes of other programs, powers in capitals, and illegal orders among the legal ones. Both ways get
the same lines, in turns, from the same stream; times are of the processor. Each answer of the first must be to the byte
that of the line by itself with reasons in a word, and but for the sentences that of the engine.

    python scripts/bench_lines.py [--lines 3000] [--boards standard napoleonic] [--illegal 0.01] [--seed 1]
"""

import argparse
import io
import json
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from plenipo import jsonlines, library
from plenipo.jsonlines import stream
from plenipo.jsonlines.together import adjudicate
from spelt_lines import spelt_lines

ROUNDS = 3
"""The number of times both ways answer all lines; the best round counts."""


def main() -> None:
    """Time both ways on each board; the exit status is 1 if an answer differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=3000)
    parser.add_argument("--boards", nargs="+", default=["standard", "napoleonic"])
    parser.add_argument("--illegal", type=float, default=0.01, help="the share of orders that are probably illegal")
    parser.add_argument("--unreadable", type=float, default=0.0, help="the share of texts that are no orders")
    parser.add_argument("--words", type=float, default=0.0, help="the share of orders in other words")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    load, differing = jsonlines.remembering(library.load), False
    shares = {"illegal": asked.illegal, "unreadable": asked.unreadable, "words": asked.words}
    for name in asked.boards:
        lines = [json.dumps(line).encode() for line in islice(spelt_lines(name, asked.seed, **shares), asked.lines)]
        ways = [stream.choose_answerer(fast=fast) for fast in (True, False)]
        rounds = [[answer_all(lines, way) for way in ways] for _ in range(ROUNDS)]
        fast, slow = (min(seconds for seconds, _ in way) for way in zip(*rounds, strict=True))
        (_, together), (_, by_engine) = rounds[0]
        alone = [json.dumps(jsonlines.answer(line, i, load, adjudicate)) for i, line in enumerate(lines, 1)]
        differ = sum(one != other for one, other in zip(together, alone, strict=True))
        differ += sum(bare(one) != bare(other) for one, other in zip(together, by_engine, strict=True))
        refused = sum("refusals" in json.loads(text) for text in together)
        print(
            f"{name}: {len(lines)} lines, {refused} with refused orders, {differ} differences; "
            f"{len(lines) / fast:.0f} lines a second with --fast, {len(lines) / slow:.0f} without: "
            f"{slow / fast:.1f} times as many",
            flush=True,
        )
        differing |= differ > 0
    sys.exit(differing)


def answer_all(lines: list[bytes], answer: Callable[[stream.NumberedLines], list[str]]) -> tuple[float, list[str]]:
    """Return the seconds of the processor and the answers to lines that come as from a file."""
    source = io.BytesIO(b"\n".join(lines))
    start = time.process_time()
    texts = [text for together in stream.gather_lines(source) for text in answer(together)]
    return time.process_time() - start, texts


def bare(text: str) -> object:
    """Return an answer without its sentences about orders."""
    answer = json.loads(text)
    for entry in (*answer.get("results", {}).values(), *answer.get("further", ())):
        del entry["why"]
    answer.pop("draws", None)
    return answer


if __name__ == "__main__":
    main()
