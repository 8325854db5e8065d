"""A software bill of materials: what is installed with Plenipo, as CycloneDX JSON.

It is read from the metadata of the installed distributions. `packaging`, of the extra `server`, reads requirements,
markers and licences; the JSON itself is a few fields, so that no library of CycloneDX is needed.
"""

import platform
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from plenipo.licences import classify_licence, find_licence_files, state_licences

__all__ = ["Locked", "describe_distribution", "find_lock", "make_document", "make_sbom", "read_lock"]

SPEC = "1.6"
"""The version of CycloneDX."""

ENTRY = re.compile(
    r"^(?P<name>[\w.-]+)==(?P<version>\S+) \\\n(?P<hashes>(?: {4}--hash=sha256:[0-9a-f]{64}.*\n)+)", re.MULTILINE
)


@dataclass(frozen=True)
class Locked:
    """The version of a package in a lock, and the SHA-256 of its files."""

    version: str
    hashes: tuple[str, ...]


def find_lock() -> Path | None:
    """Return the lock that comes with the package, or that of the checkout it runs from."""
    places = Path(__file__).with_name("requirements.lock"), Path(__file__).parents[2] / "requirements.lock"
    return next((place for place in places if place.is_file()), None)


def read_lock(text: str) -> dict[str, Locked]:
    """Read the versions and hashes of a lock for `pip install --require-hashes`, by normalised name."""
    return {
        canonicalize_name(found["name"]): Locked(
            found["version"], tuple(re.findall(r"sha256:([0-9a-f]{64})", found["hashes"]))
        )
        for found in ENTRY.finditer(text)
    }


def make_sbom(locked: Mapping[str, Locked], now: datetime) -> dict[str, Any]:
    """Return the bill of materials of the installed Plenipo: a component for each dependency, and who needs which.

    An extra of Plenipo counts if everything that it needs is installed. A hash is that of the file in the lock, and is
    left out where another version or, by its tags, another file is installed.
    """
    tree = _Tree()
    root = tree.add(distribution("plenipo"), ())
    components = [describe_distribution(one, locked) for name, one in sorted(tree.found.items()) if name != "plenipo"]
    needs = [{"ref": ref, "dependsOn": sorted(others)} for ref, others in sorted(tree.needs.items())]
    subject = {**describe_distribution(tree.found["plenipo"], {}), "type": "application"}
    maker = {"type": "application", "name": "plenipo", "version": tree.found["plenipo"].version}
    about = {"timestamp": f"{now:%Y-%m-%dT%H:%M:%SZ}", "tools": {"components": [maker]}, "component": subject}
    return {**make_document(about, components, root + repr(needs)), "dependencies": needs}


def make_document(about: Mapping[str, Any], components: Sequence[Mapping[str, Any]], also: str = "") -> dict[str, Any]:
    """Return components as a document of CycloneDX, with `about` as its metadata.

    Its number follows from the components and from `also`, so that the same things have the same number.
    """
    return {
        "$schema": f"http://cyclonedx.org/schema/bom-{SPEC}.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": SPEC,
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, repr(components) + also)}",
        "version": 1,
        "metadata": about,
        "components": components,
    }


def describe_distribution(one: Distribution, locked: Mapping[str, Locked]) -> dict[str, Any]:
    """Return a distribution as a component of CycloneDX, with the hashes of its files in a lock."""
    found: dict[str, Any] = {"type": "library", "bom-ref": _purl(one), "name": one.name, "version": one.version}
    if summary := one.metadata.get_all("Summary"):
        found["description"] = summary[0]
    entry = locked.get(canonicalize_name(one.name))
    if entry is not None and entry.version == one.version and _is_locked_file(one):
        found["hashes"] = [{"alg": "SHA-256", "content": digest} for digest in entry.hashes]
    if licences := _licences(one):
        found["licenses"] = licences
    return {**found, "purl": _purl(one)}


@dataclass
class _Tree:
    """The installed distributions that are reached, by normalised name, and what each needs, by reference."""

    found: dict[str, Distribution] = field(default_factory=dict)
    needs: dict[str, set[str]] = field(default_factory=dict)
    seen: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)

    def add(self, one: Distribution, extras: tuple[str, ...]) -> str:
        """Add a distribution with its requirements and those of these extras; return its reference."""
        name, ref = canonicalize_name(one.name), _purl(one)
        if (name, extras) in self.seen:
            return ref
        self.seen.add((name, extras))
        self.found[name] = one
        needs = self.needs.setdefault(ref, set())
        wanted = list(_requirements(one, extras))
        if name == "plenipo":
            for extra in one.metadata.get_all("Provides-Extra") or ():
                wanted += _requirements(one, (extra,)) if _is_complete(one, extra) else ()
        for part in wanted:
            needed = _find_installed(part)
            if needed is not None:
                needs.add(self.add(needed, tuple(sorted(part.extras))))
        needs.discard(ref)  # an extra that includes another one
        return ref


def _requirements(one: Distribution, extras: tuple[str, ...]) -> Iterator[Requirement]:
    """Yield what a distribution with these extras needs on this system."""
    for part in map(Requirement, one.requires or ()):
        if part.marker is None or any(part.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield part


def _is_complete(one: Distribution, extra: str) -> bool:
    """Return whether everything that an extra needs is installed, with the extras that it includes."""
    own = canonicalize_name(one.name)
    return all(
        all(_is_complete(one, inner) for inner in part.extras)
        if canonicalize_name(part.name) == own
        else _find_installed(part) is not None
        for part in _requirements(one, (extra,))
    )


def _find_installed(part: Requirement) -> Distribution | None:
    try:
        return distribution(part.name)
    except PackageNotFoundError:
        return None


def _purl(one: Distribution) -> str:
    """Return the package URL of a distribution."""
    return f"pkg:pypi/{canonicalize_name(one.name)}@{one.version.replace('+', '%2B')}"


def _is_locked_file(one: Distribution) -> bool:
    """Return whether the lock has the installed file: one for every system, or for the system of the lock."""
    if "-none-any" in (one.read_text("WHEEL") or ""):
        return True
    return sys.platform == "linux" and platform.machine() == "x86_64" and sys.version_info[:2] == (3, 11)


def _licences(one: Distribution) -> list[dict[str, Any]]:
    """Return the licences of a distribution: an SPDX expression, else names as given, else the licence files."""
    given = state_licences(one)
    for text in given:
        try:
            return [{"expression": canonicalize_license_expression(text)}]
        except InvalidLicenseExpression:
            continue
    names = classify_licence(one) or [text.splitlines()[0] for text in given]
    if names:
        return [{"license": {"name": name}} for name in dict.fromkeys(names)]
    files = find_licence_files(one)
    return [{"license": {"name": file.name, "text": {"content": file.read_text()}}} for file in files]
