"""The face that pictures carry which stand alone."""

import re
from base64 import b64decode

from plenipo.charts import chart
from plenipo.maps.draw.face import with_face

FACE = re.compile(r"@font-face\{([^}]*)\}")
DATA = re.compile(r"base64,([A-Za-z0-9+/=]+)\)")


def test_a_picture_carries_both_styles_of_its_letters() -> None:
    faces = FACE.findall(with_face(chart("standard").draw()))
    assert [re.findall("font-(?:weight|style):([a-z0-9]+)", face) for face in faces] == [["600"], ["500", "italic"]]
    assert all(b64decode(found[1]).startswith(b"wOF2") for face in faces if (found := DATA.search(face)))


def test_letters_with_accents_are_carried_where_there_are_any() -> None:
    on = chart("standard")
    titled = [on.draw(on.scene(title=title, legend=True)) for title in ("A game at Zurich", "A game at Zürich")]
    assert [len(FACE.findall(with_face(svg))) for svg in titled] == [2, 4]


def test_all_but_the_face_is_as_it_was() -> None:
    svg = chart("standard").draw()
    assert re.sub(r"\n@font-face[^\n]*", "", with_face(svg)).replace("<style>\n\n", "<style>\n", 1) == svg


def test_a_picture_without_letters_carries_none() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><style>\n</style></svg>'
    assert with_face(svg) == svg
