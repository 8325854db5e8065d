"""Time is passed in: nothing asks for the time of day but `server/clock.py`.

Nothing is imported here; every module is parsed with `ast`.
"""

import ast
from pathlib import Path

import pytest

SRC = Path(__file__).parents[1] / "src" / "plenipo"

CLOCK = SRC / "server" / "clock.py"

ASKING = {
    "datetime": {"now", "utcnow", "today", "fromtimestamp"},
    "date": {"today", "fromtimestamp"},
    "time": {"time", "time_ns", "localtime", "gmtime", "ctime", "asctime", "strftime", "clock_gettime"},
    "func": {"now", "current_timestamp", "current_date", "current_time", "localtimestamp", "sysdate"},
    "os": {"times"},
}
"""Names that read the time of day, in Python and in a database."""


def asks_for_the_time(source: str) -> list[int]:
    """The lines of a module that ask for the time of day, or get hold of a function that does."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute):
            owner = node.value
            name = owner.id if isinstance(owner, ast.Name) else owner.attr if isinstance(owner, ast.Attribute) else ""
            if node.attr in ASKING.get(name, ()):
                lines.append(node.lineno)
        elif isinstance(node, ast.ImportFrom) and node.module in ASKING:
            lines += [node.lineno for alias in node.names if alias.name in ASKING[node.module] or alias.asname]
        elif isinstance(node, ast.Import):
            lines += [node.lineno for alias in node.names if alias.name in ASKING and alias.asname]
    return lines


@pytest.mark.parametrize("file", sorted(SRC.rglob("*.py")), ids=lambda file: str(file.relative_to(SRC)))
def test_nothing_but_the_clock_asks_for_the_time_of_day(file: Path) -> None:
    lines = asks_for_the_time(file.read_text(encoding="utf-8"))
    assert bool(lines) == (file == CLOCK), f"{file}: time is passed in; see lines {lines}"


@pytest.mark.parametrize(
    "source",
    [
        "from datetime import datetime\nx = datetime.now()",
        "import datetime\nx = datetime.datetime.now(datetime.UTC)",
        "import datetime\nx = datetime.date.today()",
        "import time\nx = time.time()",
        "from time import time",
        "from datetime import datetime as d",
        "import time as t",
        "from sqlalchemy import func\nx = func.now()",
        "import time\nask = time.time",
    ],
)
def test_every_way_to_ask_is_noticed(source: str) -> None:
    assert asks_for_the_time(source)


@pytest.mark.parametrize("source", ["clock.now()", "self.clock.now()", "import time\ntime.monotonic()", "record.time"])
def test_a_clock_that_was_passed_in_may_be_asked(source: str) -> None:
    assert not asks_for_the_time(source)
