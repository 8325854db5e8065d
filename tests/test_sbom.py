"""The bill of materials: what CycloneDX asks for is there, and it agrees with what is installed and with the lock."""

import json
import re
import sys
from datetime import UTC, datetime
from importlib.metadata import PathDistribution, distribution
from pathlib import Path
from typing import Any

import pytest
from packaging.utils import canonicalize_name
from typer.testing import CliRunner

from plenipo import sbom
from plenipo.cli import app
from plenipo.sbom import Locked, find_lock, make_sbom, read_lock

DIGEST = "ab" * 32
NOW = datetime(2026, 11, 26, tzinfo=UTC)


@pytest.fixture(scope="module")
def printed() -> dict[str, Any]:
    told = CliRunner().invoke(app, ["sbom"])
    assert told.exit_code == 0
    found: dict[str, Any] = json.loads(told.stdout)
    return found


def test_it_has_the_fields_that_the_schema_asks_for(printed: dict[str, Any]) -> None:
    assert (printed["bomFormat"], printed["specVersion"], printed["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}", printed["serialNumber"])
    assert datetime.fromisoformat(printed["metadata"]["timestamp"]).tzinfo is not None
    subject, components = printed["metadata"]["component"], printed["components"]
    for one in (subject, *components, *printed["metadata"]["tools"]["components"]):
        assert one["type"] in {"application", "library"}
        assert all(isinstance(one[key], str) and one[key] for key in ("name", "version"))
    refs = [one["bom-ref"] for one in (subject, *components)]
    assert len(refs) == len(set(refs))
    assert [row["ref"] for row in printed["dependencies"]] == sorted(refs)
    for row in printed["dependencies"]:
        assert set(row["dependsOn"]) <= set(refs) - {row["ref"]}
        assert len(row["dependsOn"]) == len(set(row["dependsOn"]))
    for one in components:
        for value in one.get("hashes", ()):
            assert value["alg"] == "SHA-256"
            assert re.fullmatch(r"[0-9a-f]{64}", value["content"])
        for licence in one.get("licenses", ()):
            assert licence.keys() in ({"expression"}, {"license"})
            assert "expression" not in licence or len(one["licenses"]) == 1
            assert licence.get("license", {"name": "MIT"})["name"]


def test_every_package_is_the_installed_one_and_states_a_licence(printed: dict[str, Any]) -> None:
    subject = printed["metadata"]["component"]
    assert (subject["name"], subject["version"]) == ("plenipo", distribution("plenipo").version)
    assert subject["licenses"] == [{"expression": "MIT"}]
    for one in printed["components"]:
        assert distribution(one["name"]).version == one["version"]
        assert one["licenses"], one["name"]
        assert one["purl"] == f"pkg:pypi/{canonicalize_name(one['name'])}@{one['version']}"


def test_it_has_what_extras_bring_and_nothing_that_only_tests_need(printed: dict[str, Any]) -> None:
    names = {canonicalize_name(one["name"]) for one in printed["components"]}
    assert {"pydantic", "pydantic-core", "fastapi", "starlette", "sqlalchemy", "numpy", "pg8000"} <= names
    assert not {"pytest", "mypy", "schemathesis", "playwright"} & names
    needs = {row["ref"].partition("@")[0]: row["dependsOn"] for row in printed["dependencies"]}
    assert any(ref.startswith("pkg:pypi/starlette@") for ref in needs["pkg:pypi/fastapi"])


def test_hashes_are_those_of_the_lock_and_of_the_installed_version_alone() -> None:
    file = find_lock()
    assert file is not None
    known = read_lock(file.read_text(encoding="utf-8"))
    assert file.read_text(encoding="utf-8").count("==") == len(known)
    version = distribution("fastapi").version
    with_hash = {
        one["name"]: one.get("hashes")
        for one in make_sbom({"fastapi": Locked(version, (DIGEST,)), "starlette": Locked("0.0.1", (DIGEST,))}, NOW)[
            "components"
        ]
    }
    assert with_hash["fastapi"] == [{"alg": "SHA-256", "content": DIGEST}]
    assert with_hash["starlette"] is None


def test_a_hash_of_a_file_for_another_system_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    locked = {name: Locked(distribution(name).version, (DIGEST,)) for name in ("numpy", "fastapi")}
    monkeypatch.setattr(sys, "platform", "darwin")
    found = {one["name"] for one in make_sbom(locked, NOW)["components"] if "hashes" in one}
    assert found == {"fastapi"}


def test_two_of_the_same_installation_have_the_same_number() -> None:
    early, late = (make_sbom({}, datetime(2026, month, 1, tzinfo=UTC)) for month in (1, 2))
    assert early["metadata"].pop("timestamp") == "2026-01-01T00:00:00Z"
    assert late["metadata"].pop("timestamp") == "2026-02-01T00:00:00Z"
    assert early == late


@pytest.mark.parametrize(
    ("metadata", "licences"),
    [
        ("License-Expression: mit or apache-2.0", [{"expression": "MIT OR Apache-2.0"}]),
        ("License: MIT", [{"expression": "MIT"}]),
        ("License: BSD\nClassifier: License :: OSI Approved :: BSD License", [{"license": {"name": "BSD License"}}]),
        ("License: Free as in air", [{"license": {"name": "Free as in air"}}]),
        ("Classifier: License :: OSI Approved", [{"license": {"name": "LICENSE", "text": {"content": "Take it."}}}]),
    ],
)
def test_a_licence_is_an_expression_or_a_name_or_the_text(
    metadata: str, licences: list[dict[str, Any]], tmp_path: Path
) -> None:
    folder = tmp_path / "odd-1.0.dist-info"
    (folder / "licenses").mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.4\nName: odd\nVersion: 1.0\n{metadata}\n", encoding="utf-8")
    (folder / "licenses" / "LICENSE").write_text("Take it.", encoding="utf-8")
    (folder / "RECORD").write_text("odd-1.0.dist-info/licenses/LICENSE,,\n", encoding="utf-8")
    assert sbom._licences(PathDistribution(folder)) == licences


def test_a_lock_that_cannot_be_used_is_refused_in_one_sentence(tmp_path: Path) -> None:
    empty = tmp_path / "empty.lock"
    empty.write_text("click==8.5.1\n", encoding="utf-8")
    for file, words in ((tmp_path / "none.lock", "cannot be read"), (empty, "no package with a hash")):
        told = CliRunner().invoke(app, ["sbom", "--lock", str(file)])
        assert told.exit_code == 2
        assert words in told.output
        assert told.output.count("\n") == 1
