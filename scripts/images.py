"""Measure container images as a registry stores them, and write their bills of materials.

An image is read from the archive that a builder saves; nothing of it is run:

    buildah push plenipo oci-archive:plenipo.tar, or podman save --format oci-archive, or docker save
    python scripts/images.py plenipo.tar [more archives] [--sbom FOLDER]

Each layer counts as it is packed by gzip. The exit status is 1 if an image is over its limit, which is another one
with the compiler of computer players than without. The bill has the packages of Python and of Debian that are in the
image, as CycloneDX JSON. Standard library only.
"""

import argparse
import gzip
import json
import re
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email import message_from_string
from email.message import Message
from importlib.metadata import Distribution
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from plenipo.sbom import describe_distribution, make_document

__all__ = ["MOST_BYTES", "Image", "judge_size", "make_bill", "read_image"]

MOST_BYTES = {True: 250_000_000, False: 120_000_000}
"""The most bytes that an image may have, with the compiler of computer players and without it."""

COMPILER = re.compile(r"site-packages/numba-[^/]+\.dist-info/METADATA$")
"""The file by which an image has the compiler."""

READ = re.compile(r"(\.dist-info/METADATA|^var/lib/dpkg/status)$")
"""The files that are read of an image."""

WHITEOUT = ".wh."
"""The beginning of a file's name that removes the file of a lower layer."""

REGULAR = "application/vnd.oci.image.layer.v1.tar"
"""The type of a layer that is not packed; some builders save it so, and pack it when they push it."""


@dataclass(frozen=True)
class Image:
    """An image: its packed layers in bytes, from the lowest, and its lists of packages by their paths."""

    created: str
    layers: tuple[int, ...]
    files: Mapping[str, str]

    @property
    def size(self) -> int:
        """The bytes of all layers."""
        return sum(self.layers)

    @property
    def compiles(self) -> bool:
        """True if the compiler of computer players is in it."""
        return any(COMPILER.search(path) for path in self.files)


def read_image(archive: Path) -> Image:
    """Read an image from an archive in the layout of the Open Container Initiative."""
    with tarfile.open(archive) as packed:

        def member(name: str) -> IO[bytes]:
            found = packed.extractfile(name)
            if found is None:
                raise KeyError(name)
            return found

        def blob(entry: Mapping[str, Any]) -> IO[bytes]:
            return member(f"blobs/{entry['digest'].replace(':', '/')}")

        manifest = json.load(member("index.json"))["manifests"][0]
        while "layers" not in (read := json.load(blob(manifest))):
            manifest = read["manifests"][0]
        sizes, files = list[int](), dict[str, str]()
        for layer in read["layers"]:
            with blob(layer) as stream:
                sizes.append(_packed_size(stream) if layer["mediaType"] == REGULAR else layer["size"])
                stream.seek(0)
                _lay_over(files, stream)
        return Image(json.load(blob(read["config"])).get("created", ""), tuple(sizes), files)


def _packed_size(stream: IO[bytes]) -> int:
    """Return the bytes of a layer when gzip has packed it as registries do."""

    class Counter(BytesIO):
        bytes = 0

        def write(self, data: Any) -> int:
            self.bytes += len(data)
            return len(data)

    counter = Counter()
    with gzip.GzipFile(fileobj=counter, mode="wb", compresslevel=6, mtime=0) as packer:
        while block := stream.read(1 << 20):
            packer.write(block)
    return counter.bytes


def _lay_over(files: dict[str, str], stream: IO[bytes]) -> None:
    """Read the lists of packages of a layer over those of the layers below."""
    found, gone = dict[str, str](), list[str]()
    with tarfile.open(fileobj=stream, mode="r:*") as layer:
        for entry in layer:
            path = entry.name.removeprefix("./").lstrip("/")
            folder, _, name = path.rpartition("/")
            if name.startswith(WHITEOUT):
                gone.append(f"{folder}/" if name == f"{WHITEOUT}{WHITEOUT}.opq" else f"{folder}/{name[4:]}".lstrip("/"))
            elif entry.isfile() and READ.search(path):
                content = layer.extractfile(entry)
                found[path] = content.read().decode("utf-8", "replace") if content else ""
    for path in [path for path in files if any(path == old or path.startswith(f"{old.rstrip('/')}/") for old in gone)]:
        del files[path]
    files |= found


def judge_size(name: str, image: Image) -> str:
    """Return a sentence about an image that is over its limit; empty if it is not."""
    most = MOST_BYTES[image.compiles]
    if image.size <= most:
        return ""
    return f"{name} has {image.size / 1e6:.1f} MB, over the limit of {most / 1e6:.0f} MB."


def make_bill(image: Image) -> dict[str, Any]:
    """Return the bill of materials of an image: its packages of Python and of Debian."""
    components = sorted((*_python_packages(image), *_debian_packages(image)), key=lambda one: str(one["purl"]))
    (version,) = [one["version"] for one in components if one["purl"].startswith("pkg:pypi/plenipo@")]
    subject = {"type": "container", "bom-ref": "image", "name": "plenipo", "version": version}
    return make_document({**({"timestamp": image.created} if image.created else {}), "component": subject}, components)


class _Packed(Distribution):
    """A distribution in an image, of which only the metadata are read."""

    def __init__(self, text: str) -> None:
        self._text = text

    def read_text(self, filename: str) -> str | None:
        return self._text if filename == "METADATA" else None

    def locate_file(self, path: object) -> Any:
        raise FileNotFoundError(f"'{path}' is packed in an image")


def _python_packages(image: Image) -> Iterator[dict[str, Any]]:
    for path, text in image.files.items():
        if path.endswith(".dist-info/METADATA"):
            found = describe_distribution(_Packed(text), {})
            folder = path.partition("/lib/python")[0]
            # another environment of the image, such as that of the system's pip
            purl = found["purl"] if folder == "opt/plenipo" else f"{found['purl']}#{folder}"
            yield {**found, "bom-ref": purl, "purl": purl}


def _debian_packages(image: Image) -> Iterator[dict[str, Any]]:
    for paragraph in image.files.get("var/lib/dpkg/status", "").split("\n\n"):
        about: Message = message_from_string(paragraph)
        if about["Status"] == "install ok installed":
            name, version = str(about["Package"]), str(about["Version"])
            purl = f"pkg:deb/debian/{name}@{version.replace('+', '%2B')}?arch={about['Architecture']}"
            yield {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure images; return 1 if one is over its limit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("archives", type=Path, nargs="+", metavar="ARCHIVE", help="an image as its builder saves it")
    parser.add_argument("--sbom", type=Path, metavar="FOLDER", help="write the bills of materials into this folder")
    asked = parser.parse_args(arguments)
    faults = []
    for archive in asked.archives:
        image = read_image(archive)
        layers = " + ".join(f"{size / 1e6:.1f}" for size in image.layers)
        kind = "with" if image.compiles else "without"
        print(f"{archive.name}: {image.size / 1e6:.1f} MB packed ({layers}), {kind} the compiler.")
        fault = judge_size(archive.name, image)
        faults += [fault] if fault else []
        if asked.sbom:
            asked.sbom.mkdir(parents=True, exist_ok=True)
            file = asked.sbom / f"{archive.stem}.cdx.json"
            file.write_text(json.dumps(make_bill(image), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    for fault in faults:
        print(fault, file=sys.stderr)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
