"""Faults that a page shows in any language: texts that are not translated, cut off, or on top of each other."""

import re
from collections.abc import Iterable
from pathlib import Path

from playwright.sync_api import Page

__all__ = ["find_cut_off", "find_untranslated"]

TEXTS = """() => {
  const found = [];
  const fixed = 'code, kbd, pre, textarea, #language, #find-language, [lang]:not(html)';
  const quiet = `script, style, noscript, svg:not(.the-map), ${fixed}`;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const holder = walker.currentNode.parentElement;
    if (!holder || holder.closest(quiet)) continue;
    const words = walker.currentNode.textContent.replace(/\\s+/g, ' ').trim();
    if (words) found.push([holder.closest('[id]')?.id ?? holder.className, words]);
  }
  for (const one of document.querySelectorAll('[title], [placeholder], [aria-label], [alt]')) {
    if (one.closest(quiet)) continue;
    for (const name of ['title', 'placeholder', 'aria-label', 'alt']) {
      if (one.getAttribute(name)) found.push([`${one.id || one.className} ${name}`, one.getAttribute(name)]);
    }
  }
  found.push(['title', document.title]);
  return found;
}"""
"""The texts that a reader sees or hears, each with the place where it stands."""

NAMES = "Plenipo Anna anna Ben Cleo banned master dora Quai Rive Pont Seine Marne Loire UTC JSON QR".split()
"""Names of people, games and standards, which are not translated."""

PLAIN = re.compile(r"[^\W\d_]*[aeiouyAEIOUY][^\W\d_]*")  # english: ok
"""A word with a vowel that the pseudo-language would have given an accent."""


def find_untranslated(page: Page, names: Iterable[str] = ()) -> list[str]:
    """Return the texts of a page in the pseudo-language that come from no catalogue, each with its place."""
    found = dict.fromkeys(tuple(pair) for pair in page.evaluate(TEXTS))
    known = sorted({*NAMES, *names}, key=len, reverse=True)
    left_out = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in known) + r"|\S+@\S+|\w+://\S+")
    plain = []
    for place, text in found:
        words = PLAIN.findall(left_out.sub(" ", text))
        if any(re.search("[aeiouyAEIOUY]", word) and not is_code(word) for word in words):  # english: ok
            plain.append(f"{place}: {text[:160]}")
    return plain


def is_code(word: str) -> bool:
    """True for a short name of a space or a unit, such as `PAR` or `A`."""
    return word.isupper() and len(word) <= 4


CUT_OFF = Path(__file__).with_name("cut_off.js").read_text("utf-8")


def find_cut_off(page: Page) -> list[str]:
    """Return a sentence for everything on a page that is cut off, sticks out or lies on top of something else."""
    found: list[str] = page.evaluate(CUT_OFF)
    return found
