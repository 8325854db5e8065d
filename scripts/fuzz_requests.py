"""Odd requests to every route of a server in memory: each must end in an answer, and the next one is answered too.

They are made from the OpenAPI document of the server and from the forms of its pages, with one to three things wrong.
The memory in use is printed with every new server; it must not grow with the number of requests.

python scripts/fuzz_requests.py --requests 100000 [--seed 1]
"""

import argparse
import asyncio
import gc
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import psutil

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from odd_requests import Asker, Table

SLOW = 2.0
"""Seconds of processor time after which a request is written out."""

USUAL = 5
"""The interval, in requests, between well-formed ones."""

FRESH = 2000
"""The interval, in requests, between new servers, so that games do not pile up."""


async def asked(requests: int, seed: int) -> bool:
    """Send so many requests and count how they ended; return whether all ended well."""
    ends: Counter[str] = Counter()
    statuses: Counter[int] = Counter()
    paths: Counter[str] = Counter()
    slowest, started = (0.0, ""), time.process_time()
    asker = Asker(Table(Random(seed)))  # noqa: S311  # a seeded sequence is what is wanted
    for number in range(1, requests + 1):
        if number % FRESH == 0:
            statuses += asker.statuses
            asker.table.host.store.close()
            asker = Asker(Table(Random(f"{seed} {number}")))  # noqa: S311  # the same
            spent = time.process_time() - started
            print(f"{number}: {memory()} MB, {spent:.0f} s of the processor, {dict(ends)}", flush=True)
        request = asker.table.odd()
        began = time.process_time()
        end = await asker.ask(request)
        if not end and number % USUAL == 0:
            end = await asker.ask_as_usual()
        took = time.process_time() - began
        if (end and ends[end[:60]] < 2) or took > SLOW:
            print(f"{number}: {end or 'slow'} in {took:.2f} s: {request}"[:3000], flush=True)
        ends[end[:60]] += 1
        paths[request.path] += 1
        slowest = max(slowest, (took, f"{request.method} {request.path}"))
    print(f"{requests} requests to {len(paths)} routes; the slowest, {slowest[1]}, took {slowest[0]:.2f} s")
    print(f"{memory()} MB in use at the end")
    for status, count in sorted((statuses + asker.statuses).items()):
        print(f"{count:8} {status}")
    for end, count in ends.most_common():
        print(f"{count:8} {end or 'answered'}")
    return not any(ends.keys())


def memory() -> int:
    """Return how many megabytes the process has in use now."""
    gc.collect()
    return int(psutil.Process().memory_info().rss // 2**20)


def main() -> None:
    """Send the requests; exit with 1 if one did not end well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    sys.exit(not asyncio.run(asked(wanted.requests, wanted.seed)))


if __name__ == "__main__":
    main()
