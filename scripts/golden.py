"""Write the hashes of the golden games anew: `python scripts/golden.py`; prints which changed."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from plenipo import library
from variants.golden import GOLDEN, golden_game

old = json.loads(GOLDEN.read_text("utf-8")) if GOLDEN.is_file() else {}
new = {name: golden_game(library.load(name)) for name in library.bank()}
GOLDEN.write_text(json.dumps(new, indent=1) + "\n", encoding="utf-8")
print("changed:", ", ".join(name for name in new if new[name] != old.get(name)) or "none")
