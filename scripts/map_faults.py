"""Checks the drawn map of variants for misleading arrows and labels; takes about a minute per variant.

    python scripts/map_faults.py [--phases 20] [--games 1] [VARIANT ...]

Without a variant it checks those of the rule texts. A folder is accepted as well.
"""

import argparse

from mapfaults import faults_of
from plenipo import library
from plenipo.charts import chart

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variants", nargs="*", metavar="VARIANT")
    parser.add_argument("--phases", type=int, default=20, help="how many phases of a random game are drawn")
    parser.add_argument("--games", type=int, default=1, help="how many random games")
    wanted = parser.parse_args()
    for name in wanted.variants or sorted(file.parent.name for file in library.VARIANTS.glob("*/variant.toml")):
        print(name)
        for line in faults_of(chart(name), wanted.games, wanted.phases).lines():
            print(f"  {line}")
