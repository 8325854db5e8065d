"""Walk the checklist of a release; `make release` runs it. Nothing is published and nothing leaves this machine.

Each point either holds, and is printed, or ends the walk with one sentence that says what to do. At the end `dist/` has
the wheel, the sdist, the bill of materials, the completions, the man pages, the recipes and the site. Publishing is
the work of `.github/workflows/release.yml`, which runs the same checklist when a tag is pushed.

    python scripts/release.py [--quick]

`--quick` leaves the tests and the tour out, to try the rest.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

import recipes

__all__ = ["Release", "UnmetPoint", "check_citation", "check_urls", "list_points", "walk"]

ROOT = Path(__file__).parents[1]

SHELLS = {"bash": "plenipo.bash", "zsh": "_plenipo", "fish": "plenipo.fish"}
"""The files of the completions."""


class UnmetPoint(Exception):  # noqa: N818  # named after what is wrong
    """A point of the checklist does not hold; one sentence says what to do."""


def run_command(command: Sequence[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run a command in a folder, and let what it prints be read."""
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603  # our own


@dataclass(frozen=True)
class Release:
    """A checkout that is to be released, and how its commands are run."""

    root: Path = ROOT
    run: Callable[[Sequence[str], Path], "subprocess.CompletedProcess[str]"] = run_command

    @property
    def project(self) -> Mapping[str, Any]:
        """The project's table of pyproject.toml."""
        text = (self.root / "pyproject.toml").read_text(encoding="utf-8")
        project: Mapping[str, Any] = tomllib.loads(text)["project"]
        return project

    @property
    def version(self) -> str:
        """The version that is released."""
        return str(self.project["version"])

    @property
    def dist(self) -> Path:
        """The folder of everything that is published."""
        return self.root / "dist"

    def do(self, *command: str, otherwise: str) -> str:
        """Run a command and return what it prints; raise `UnmetPoint` if it fails."""
        done = self.run(command, self.root)
        if done.returncode:
            shown = f"{done.stdout}{done.stderr}".strip().splitlines()
            raise UnmetPoint(f"{otherwise}{f' It ends with: {shown[-1]}' if shown else ''}")
        return done.stdout

    def program(self, *arguments: str) -> str:
        """Run `plenipo` and return what it prints."""
        return self.do(
            *(sys.executable, "-c", "from plenipo.cli import app; app(prog_name='plenipo')", *arguments),
            otherwise=f"'plenipo {' '.join(arguments)}' fails.",
        )


def check_urls(release: Release) -> str:
    """Check that the project says where it is found."""
    urls = release.project.get("urls", {})
    for name in ("Homepage", "Source", "Issues", "Changelog", "Documentation"):
        if name not in urls:
            raise UnmetPoint(f"pyproject.toml names no '{name}' under [project.urls]; add its address.")
    return "addresses"


def check_version(release: Release) -> str:
    """Check that the version is one, and that no other commit has its tag."""
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", release.version):
        raise UnmetPoint(f"'{release.version}' is no version to release; write one such as 0.1.0 into pyproject.toml.")
    tag = release.run(("git", "rev-parse", "--verify", "--quiet", f"v{release.version}^{{commit}}"), release.root)
    head = release.run(("git", "rev-parse", "HEAD"), release.root)
    if tag.returncode == 0 and tag.stdout != head.stdout:
        raise UnmetPoint(f"Another commit has the tag v{release.version}; raise the version in pyproject.toml.")
    return f"version {release.version}"


def check_citation(release: Release) -> str:
    """Check that CITATION.cff has the version."""
    cited = yaml.safe_load((release.root / "CITATION.cff").read_text(encoding="utf-8"))
    if cited["version"] != release.version:
        raise UnmetPoint(f"CITATION.cff names version {cited['version']}; write {release.version} there.")
    return "citation"


def check_changelog(release: Release) -> str:
    """Check that the changelog has the version with a date and with entries."""
    text = (release.root / "CHANGELOG.md").read_text(encoding="utf-8")
    version = re.escape(release.version)
    found = re.search(rf"^## {version}, (\d{{4}}-\d\d-\d\d)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if not found:
        raise UnmetPoint(
            f"CHANGELOG.md has no heading '## {release.version}, ' with a date; write the day of the release there."
        )
    if "\n- " not in found[2]:
        raise UnmetPoint(f"CHANGELOG.md says nothing about {release.version}; add what has changed.")
    return f"changelog of {found[1]}"


def check_tree(release: Release) -> str:
    """Check that everything is committed."""
    changed = release.do("git", "status", "--porcelain", otherwise="git does not say what has changed here.")
    if changed:
        raise UnmetPoint(f"'{changed.splitlines()[0][3:]}' is not committed; commit or remove it.")
    return "everything committed"


def check_tests(release: Release) -> str:
    """Run every test, those that take long in full."""
    for target in ("test", "pages", "long"):
        release.do("make", target, otherwise=f"'make {target}' fails; mend what it names.")
    return "tests"


def check_interface(release: Release) -> str:
    """Compare the public interface with that of the last release."""
    command = (sys.executable, "scripts/interface.py")
    release.do(*command, otherwise="The public interface is broken; raise the version or keep the names.")
    return "public interface"


def build_packages(release: Release) -> str:
    """Build the wheel and the sdist, and check that the licence and the data are in them."""
    shutil.rmtree(release.dist, ignore_errors=True)
    command = (sys.executable, "-m", "hatchling", "build", "-d", str(release.dist))
    release.do(*command, otherwise="The wheel and the sdist cannot be built.")
    wheel, sdist = next(release.dist.glob("*.whl"), None), next(release.dist.glob("*.tar.gz"), None)
    if wheel is None or sdist is None or release.version not in wheel.name:
        raise UnmetPoint(f"dist/ lacks the wheel or the sdist of {release.version}; look at [tool.hatch].")
    with zipfile.ZipFile(wheel) as packed, tarfile.open(sdist) as source:
        names = {"wheel": " ".join(packed.namelist()), "sdist": " ".join(source.getnames())}
    for part, listed in names.items():
        for file in ("LICENSE", "NOTICE", "plenipo/variants/standard/variant.toml", "requirements.lock"):
            if file not in listed:
                raise UnmetPoint(f"The {part} lacks '{file}'; look at [tool.hatch] in pyproject.toml.")
    return f"{wheel.name} and {sdist.name}"


def write_sbom(release: Release) -> str:
    """Write the bill of materials beside the packages."""
    file = release.dist / "plenipo.cdx.json"
    file.write_text(release.program("sbom"), encoding="utf-8")
    return file.name


def write_completions(release: Release) -> str:
    """Write the completions of every shell."""
    folder = release.dist / "completions"
    folder.mkdir(parents=True, exist_ok=True)
    for shell, name in SHELLS.items():
        (folder / name).write_text(release.program("completions", shell), encoding="utf-8")
    return f"completions of {', '.join(SHELLS)}"


def write_manuals(release: Release) -> str:
    """Write the man pages."""
    command = (sys.executable, "scripts/man_pages.py", str(release.dist / "man"))
    return release.do(*command, otherwise="The man pages cannot be written.").strip().rstrip(".")


def write_recipes(release: Release) -> str:
    """Write the recipes with the address and the hash of the sdist."""
    sdist = next(release.dist.glob("*.tar.gz"))
    digest = hashlib.sha256(sdist.read_bytes()).hexdigest()
    address = f"{release.project['urls']['Source'].rstrip('/')}/releases/download/v{release.version}/{sdist.name}"
    for file, write in recipes.FILES.items():
        (release.dist / file.name).write_text(write(release.project, address, digest), encoding="utf-8")
    return "recipes for conda-forge and Homebrew"


def check_tour(release: Release) -> str:
    """Run the commands of the README and of docs/ from the wheel in a clean environment."""
    wheel = next(release.dist.glob("*.whl"))
    command = (sys.executable, "scripts/tour.py", "--wheel", str(wheel))
    release.do(*command, otherwise="A command of the documents does not do from the wheel what its page says.")
    return "commands of the documents from the wheel"


def build_site(release: Release) -> str:
    """Build the documentation site and pack it."""
    release.do(sys.executable, "scripts/build_site.py", otherwise="The site has faults; 'make site' names them.")
    built = release.root / "build" / "site" / "html"
    packed = shutil.make_archive(str(release.dist / f"plenipo-{release.version}-site"), "gztar", built)
    return Path(packed).name


def list_points(*, quick: bool = False) -> list[Callable[[Release], str]]:
    """Return the points of the checklist in their order: first what takes no time."""
    slow = [] if quick else [check_tests]
    built = [build_packages, write_sbom, write_completions, write_manuals, write_recipes]
    tour = [] if quick else [check_tour]
    return [
        *(check_version, check_citation, check_changelog, check_urls, check_tree, check_interface),
        *slow,
        *built,
        *tour,
        build_site,
    ]


def walk(release: Release, points: Sequence[Callable[[Release], str]]) -> int:
    """Check the points one by one; print each, and end with a sentence and status 1 at the first that does not hold."""
    for point in points:
        try:
            print(f"ok  {point(release)}", flush=True)
        except UnmetPoint as fault:
            print(fault, file=sys.stderr)
            return 1
    print(f"dist/ is ready. To publish it: git tag v{release.version} && git push origin v{release.version}")
    return 0


def main() -> int:
    """Walk the checklist for this checkout."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="leave the tests and the tour out")
    os.chdir(ROOT)
    return walk(Release(), list_points(quick=parser.parse_args().quick))


if __name__ == "__main__":
    sys.exit(main())
