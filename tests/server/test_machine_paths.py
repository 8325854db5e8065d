"""No answer says where anything lies on the machine: neither the package, the home folder nor a folder for a while."""

import shutil
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from odd_requests import MACHINE
from plenipo import charts, library
from plenipo.errors import PlenipoError
from plenipo.server.web.errors import fault_of

PAIRS = [f"{one}+{other}" for one, other in combinations(library.names(), 2)]


def refused(client: TestClient, variant: str) -> Iterator[str]:
    """Every answer, whatever its status, to a request that names a variant."""
    position = {"variant": variant, "units": {}}
    record = {"variant": variant, "options": {}, "turns": []}
    for method, path, body in (
        ("GET", f"/api/variants/{variant}", None),
        ("GET", f"/variants/{variant}", None),
        ("GET", f"/variants/{variant}/rules", None),
        ("GET", f"/variants/{variant}/picture.svg", None),
        ("GET", f"/variants/{variant}/host", None),
        ("GET", f"/position?v={variant}&p=x", None),
        ("GET", f"/map.css?variant={variant}", None),
        ("POST", "/api/games", {"variant": variant}),
        ("POST", "/api/games/upload", record),
        ("POST", "/api/adjudicate", position),
    ):
        answer = client.request(method, path, json=body)
        assert answer.status_code < 500, (path, answer.text)
        if answer.status_code >= 400:
            yield answer.text


def test_variants_that_do_not_go_together_are_named_and_their_files_are_not(client: TestClient) -> None:
    apart = []
    for pair in PAIRS:
        answers = list(refused(client, pair))
        for text in answers:
            assert not [place for place in MACHINE if place in text], text
        if "together" in "".join(answers):
            apart.append(pair)
    assert {"cline+irish", "1897+cline"} <= set(apart)
    sentence = client.get("/api/variants/irish+cline").json()["error"]["message"]
    assert "irish/variant.toml, line 4: 'figure' is given differently by" in sentence


FAULTS = {
    "a parent that is none": ("variant.toml", 'parent = "nowhere"\n'),
    "a key that is none": ("variant.toml", "nothing = 1\n"),
    "no TOML": ("variant.toml", "= =\n"),
    "a module that is none": ("variant.toml", "[modules.nowhere]\n"),
    "a figure that is none": ("figure.json", "{"),
    "placements that are none": ("placements.json", "{"),
    "a look that is none": ("look.toml", "= =\n"),
    "code that is not allowed": ("rules.py", "1 / 0\n"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_file_names_the_variant_and_the_line(tmp_path: Path, fault: str) -> None:
    name, text = FAULTS[fault]
    folder = Path(shutil.copytree(library.folder_of("standard"), tmp_path / "mine"))
    file = folder / name
    file.write_text(f"{text}{file.read_text(encoding='utf-8')}" if name == "variant.toml" else text, encoding="utf-8")
    with pytest.raises(PlenipoError) as caught:
        charts.chart(folder)
    message: Any = fault_of(caught.value).message
    assert not [place for place in (*MACHINE, str(tmp_path)) if place in message], message
    assert message.startswith("mine")
    assert str(folder) in str(caught.value), "the command line says where"
