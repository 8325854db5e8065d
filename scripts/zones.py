"""Compare the wall times of every zone through all clock changes of twenty years with another library.

Run it with `python scripts/zones.py`, or with the names of some zones. On the days before, of and after each change
every half hour is looked up, and on the first of each month the usual one. The exit status is 1 if one differs.
"""

import argparse
import sys
from datetime import date, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from plenipo.server.hosting.schedule import instant_of
from server.hosting.test_schedule import ZONES, changes_of_clocks, oracle

HALF_HOURS = [time(hour, minute) for hour in range(24) for minute in (0, 30)]


def main() -> int:
    """Compare, and print how much was compared."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("zones", nargs="*", default=ZONES)
    parser.add_argument("--first", type=int, default=2015)
    parser.add_argument("--last", type=int, default=2034)
    arguments = parser.parse_args()
    compared = changes = wrong = 0
    for zone in arguments.zones:
        days = {date(year, month, 1) for year in range(arguments.first, arguments.last + 1) for month in range(1, 13)}
        wanted = {(day, time(20)) for day in days}
        for change in changes_of_clocks(zone, arguments.first, arguments.last):
            changes += 1
            around = (change.date() + timedelta(days=days) for days in (-1, 0, 1, 2))
            wanted |= {(day, at) for day in around for at in HALF_HOURS}
        for day, at in sorted(wanted):
            ours, theirs = instant_of(day, at, ZoneInfo(zone)), oracle(day, at, zone)
            compared += 1
            if ours != theirs:
                wrong += 1
                print(f"{zone}, {day} {at:%H:%M}: {ours}, not {theirs}")
    print(f"{len(arguments.zones)} zones, {changes} changes of clocks, {compared} wall times: {wrong} differ.")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
