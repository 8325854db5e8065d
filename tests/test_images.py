"""The sizes and the bill of an image, read from an archive that is made here as a builder saves it."""

import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest

import images
from images import MOST_BYTES, Image, judge_size, main, make_bill, read_image

PACKAGES = "opt/plenipo/lib/python3.11/site-packages"
STATUS = """Package: libc6
Status: install ok installed
Architecture: amd64
Version: 2.36-9+deb12u14

Package: gone
Status: deinstall ok config-files
Architecture: amd64
Version: 1
"""


def metadata(name: str, version: str, licence: str = "") -> str:
    return (
        f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n{licence and f'License-Expression: {licence}'}\n\n"
    )


PLENIPO = {f"{PACKAGES}/plenipo-0.1.0.dist-info/METADATA": metadata("plenipo", "0.1.0", "MIT")}
NUMBA = {f"{PACKAGES}/numba-0.68.1.dist-info/METADATA": metadata("numba", "0.68.1")}


def packed(files: Mapping[str, bytes | str]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        for name, text in files.items():
            content = text.encode() if isinstance(text, str) else text
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return made.getvalue()


def save(file: Path, *layers: Mapping[str, str], gzipped: bool = True) -> list[bytes]:
    """Save an image of these layers; return the layers as they are packed."""
    blobs: dict[str, bytes] = {}

    def put(content: bytes, kind: str) -> dict[str, str | int]:
        digest = hashlib.sha256(content).hexdigest()
        blobs[f"blobs/sha256/{digest}"] = content
        return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(content)}

    plain = [packed(layer) for layer in layers]
    zipped = [gzip.compress(layer, 6, mtime=0) for layer in plain]
    kind = f"{images.REGULAR}{'+gzip' if gzipped else ''}"
    manifest = {
        "config": put(json.dumps({"created": "2026-11-29T10:00:00Z"}).encode(), "config"),
        "layers": [put(layer, kind) for layer in (zipped if gzipped else plain)],
    }
    index = {"manifests": [put(json.dumps(manifest).encode(), "manifest")]}
    file.write_bytes(packed({"index.json": json.dumps(index), **blobs}))
    return zipped


@pytest.mark.parametrize("gzipped", [True, False])
def test_layers_count_as_gzip_packs_them(tmp_path: Path, *, gzipped: bool) -> None:
    layers = save(tmp_path / "a.tar", {"var/lib/dpkg/status": STATUS}, PLENIPO, gzipped=gzipped)
    image = read_image(tmp_path / "a.tar")
    assert image.layers == tuple(map(len, layers))
    assert image.size == sum(map(len, layers))


def test_an_image_over_its_limit_is_named_and_the_limit_is_smaller_without_the_compiler(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = {kind: Image("", (most + 1,), {}) for kind, most in MOST_BYTES.items()}
    assert judge_size("a.tar", Image("", (MOST_BYTES[True],), NUMBA)) == ""
    assert judge_size("a.tar", Image("", sizes[True].layers, NUMBA)) == "a.tar has 250.0 MB, over the limit of 250 MB."
    assert judge_size("a.tar", sizes[False]) == "a.tar has 120.0 MB, over the limit of 120 MB."
    save(tmp_path / "a.tar", PLENIPO, NUMBA)
    assert main([str(tmp_path / "a.tar")]) == 0
    assert capsys.readouterr().out.endswith(", with the compiler.\n")
    monkeypatch.setattr(images, "MOST_BYTES", {True: 0, False: 0})
    assert main([str(tmp_path / "a.tar")]) == 1


def test_the_bill_of_an_image_has_what_its_last_layer_leaves(tmp_path: Path) -> None:
    pip = {"usr/local/lib/python3.11/site-packages/pip-26.1.dist-info/METADATA": metadata("pip", "26.1", "MIT")}
    removed = {f"{PACKAGES}/.wh.numba-0.68.1.dist-info": ""}
    save(tmp_path / "a.tar", {"var/lib/dpkg/status": STATUS, **pip}, {**PLENIPO, **NUMBA}, removed)
    assert main([str(tmp_path / "a.tar"), "--sbom", str(tmp_path / "bills")]) == 0
    bill = json.loads((tmp_path / "bills" / "a.cdx.json").read_text(encoding="utf-8"))
    assert bill == make_bill(read_image(tmp_path / "a.tar"))
    assert [one["purl"] for one in bill["components"]] == [
        "pkg:deb/debian/libc6@2.36-9%2Bdeb12u14?arch=amd64",
        "pkg:pypi/pip@26.1#usr/local",
        "pkg:pypi/plenipo@0.1.0",
    ]
    assert bill["components"][2]["licenses"] == [{"expression": "MIT"}]
    assert bill["metadata"]["component"]["version"] == "0.1.0"
    assert bill["metadata"]["timestamp"] == "2026-11-29T10:00:00Z"
    save(tmp_path / "b.tar", NUMBA, PLENIPO, {f"{PACKAGES}/.wh..wh..opq": "", **PLENIPO})
    assert not read_image(tmp_path / "b.tar").compiles
