"""Fill in every form of every page wrongly, field by field: `python scripts/wrong_forms.py [--page NAME…]`.

The pages are those of `tests/browser/every_page.py`. Each visible field gets a value that does not fit it; unless the
server accepts it, the form has to be shown again with it and with a sentence. Prints every field with its answer, and
the counts; the exit status is 1 if a text is lost or a page stands without the form.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser.every_page import SPOTS, World, open_window, start_server
from browser.hands import chromium
from browser.wrong_forms import fill_wrongly


def main() -> int:
    """Try every form; return 1 if one is at fault."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--page", nargs="+", default=[], metavar="NAME", help="only these pages")
    wanted = set(parser.parse_args().page)
    counts: Counter[str] = Counter()
    faulty = 0
    with TemporaryDirectory() as folder, sync_playwright() as driver, start_server(Path(folder), None) as site:
        world = World(site, Path(folder))
        browser = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        with open_window(browser, world, "en", 1366, 768) as opened:
            for one in fill_wrongly(opened, [spot for spot in SPOTS if not wanted or spot.name in wanted]):
                counts[one.answer] += 1
                faulty += one.is_faulty
                mark = "FAULT " if one.is_faulty else ""
                print(f"{mark}{one.spot} {one.action} {one.field}: {one.answer}. {one.sentence}", flush=True)
        browser.close()
        world.close()
    print("; ".join(f"{number} {answer}" for answer, number in counts.most_common()))
    return min(faulty, 1)


if __name__ == "__main__":
    sys.exit(main())
