"""Settings for every test: no property test fails on a busy machine, and garbage collection is rare.

A run keeps the boards of many variants, and collecting them as often as Python does by default takes two fifths of the
time of the engine's tests.
"""

import gc
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import proofs
from leftovers import MARK, end_later, watch_over

settings.register_profile("plenipo", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("plenipo")

gc.set_threshold(100_000, 50, 100)

LONG = ("browser", "server", "agreement", "variants", "maps")
"""The folders whose files take long, the longest first."""


ENDING = 300.0
"""Seconds after its last test in which a process of the run must have ended; then it shows its threads and ends."""


def pytest_configure(config: pytest.Config) -> None:
    """Let nothing that the tests start outlive the run: its first process, of which the workers are children."""
    if MARK not in os.environ:
        config.add_cleanup(watch_over())


def pytest_sessionfinish() -> None:
    """Let the process end, whatever still runs in it."""
    end_later(ENDING)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Make a share of what takes long, unless tests are asked for by a name, a mark or their last failure.

    Files that take long come first: a worker gets a file at a time, and at the end none waits long for another.
    """
    if not (config.option.keyword or config.option.markexpr or config.option.lf):
        named = [Path(config.invocation_params.dir, one.partition("::")[0]).resolve() for one in config.args]
        tests = [(item.path, item.nodeid.partition("::")[2].partition("[")[0]) for item in items]
        chosen = proofs.choose(tests, named, proofs.list_long())
        config.hook.pytest_deselected(items=[item for item, kept in zip(items, chosen, strict=True) if not kept])
        items[:] = [item for item, kept in zip(items, chosen, strict=True) if kept]
    here = Path(__file__).parent
    ranks = {here / name: rank for rank, name in enumerate(LONG)}
    items.sort(key=lambda item: next((ranks[folder] for folder in item.path.parents if folder in ranks), len(LONG)))
