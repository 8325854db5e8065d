"""Names in another language on the drawn maps."""

import re

import pytest

from plenipo.charts import chart
from plenipo.languages.names import language_in, names_in
from plenipo.maps.lettering.placements import LabelPlacement
from plenipo.maps.lettering.renamed_labels import rename_labels
from plenipo.maps.lettering.typeface import LEADING, SLACK, width_of

VARIANTS = ("standard", "1897", "cline", "corner", "irish", "napoleonic")

SMALLEST = 0.5
"""The smallest size of a name relative to the English one."""


def width(label: LabelPlacement, *, water: bool) -> float:
    """Return the width of a label on the figure."""
    return max(width_of(line, water=water) / SLACK * label.size + label.spacing * len(line) for line in label.lines)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_german_name_covers_no_more_than_the_english_one_and_can_be_read(variant: str) -> None:
    on, names = chart(variant), names_in("de", variant)
    water = frozenset(on.figure.waters)
    english, german = on.placements.names, rename_labels(on.placements.names, on.board, names, water)
    assert len(german) >= len(english) - 2, "codes stand where a name has no room, in two spaces at most"
    for code, label in german.items():
        before, italic = english[code], code in water
        name = names[on.board.spaces[code].name]
        assert "".join(label.lines).replace(" ", "") == name.replace(" ", "")
        assert label.at == before.at
        assert width(label, water=italic) <= width(before, water=italic) + 1
        assert label.size >= SMALLEST * before.size
        assert label.size * LEADING * len(label.lines) <= 1.25 * before.size * LEADING * len(before.lines) + 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_german_picture_has_german_names_and_titles_and_the_same_codes(variant: str) -> None:
    on, names = chart(variant), names_in("de", variant)
    english = on.draw(on.scene())
    german = on.draw(on.scene(language=language_in("de", variant)))
    texts = {" ".join(re.findall(r">([^<]+)<", text)) for text in re.findall(r"<text[^>]*>.*?</text>", german)}
    titles = " ".join(re.findall(r"<title[^>]*>([^<]*)</title>", german))
    changed = {space.name for space in on.board.spaces.values() if names.get(space.name, space.name) != space.name}
    assert changed
    assert changed & texts - set(names.values()) == set()
    assert re.findall(r"supply centre|nobody owns|\b(?:Army|Fleet)\b", titles) == []
    for code in on.board.spaces:
        assert (f"({code})" in titles) == (f"({code})" in english)
    assert on.draw(on.scene()) == english
