"""The journeys through the package stay as short as their ceilings, counted in a fresh process."""

import subprocess
import sys
from pathlib import Path

from journeys import CEILINGS, Journey

SCRIPT = Path(__file__).parent.parent / "scripts" / "journeys.py"


def test_no_journey_changes_file_more_often_than_its_ceiling() -> None:
    done = subprocess.run(  # noqa: S603
        [sys.executable, str(SCRIPT), "--where"], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert [name for name in CEILINGS if name in done.stdout] == list(CEILINGS)
    assert " -> engine/board.py" in done.stdout, "the pairs of files with the most changes are listed"


def test_entering_a_file_again_counts_only_after_another_one() -> None:
    from plenipo.engine.calendar import year_text  # noqa: PLC0415  # the functions of two files
    from plenipo.engine.wording import listing  # noqa: PLC0415

    def work() -> None:
        listing(["A"])
        listing(["B"])
        year_text(1901)
        listing(["C"])

    journey = Journey().count(work)
    assert journey.changes == 3
    assert journey.pairs["engine/wording.py", "engine/calendar.py"] == 1
