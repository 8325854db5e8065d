"""Write the recipe for conda-forge and the formula for Homebrew from pyproject.toml, into `packaging/`.

Their source is the sdist of a release: `--url` and `--sha256` name it, and without them the two fields say so. The
tests compare the files with the output of this script.

    python scripts/recipes.py [--url URL --sha256 DIGEST]
"""

import argparse
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["FILES", "ROOT", "read_project", "write_formula", "write_recipe"]

ROOT = Path(__file__).parents[1]

URL, DIGEST = "URL_OF_THE_SDIST", "SHA256_OF_THE_SDIST"
"""The two fields before there is a release."""


def read_project() -> Mapping[str, Any]:
    """Return the project's table of pyproject.toml."""
    project: Mapping[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project


def _homepage(project: Mapping[str, Any]) -> str:
    return str(project.get("urls", {}).get("Homepage", "HOMEPAGE"))


def write_recipe(project: Mapping[str, Any], url: str = URL, digest: str = DIGEST) -> str:
    """Return the recipe for conda-forge, in the format of rattler-build."""
    needs = [re.sub(r"\s*([<>=!~]+)", r" \1", text).lower() for text in project["dependencies"]]
    lowest = project["requires-python"].removeprefix(">=")
    licences = "".join(f"    - {name}\n" for name in project["license-files"])
    run = "".join(f"    - {need}\n" for need in (f"python >={lowest}", *needs))
    (name, entry) = next(iter(project["scripts"].items()))
    return f"""# Made by scripts/recipes.py from pyproject.toml; do not edit.
schema_version: 1

context:
  version: "{project["version"]}"

package:
  name: {project["name"]}
  version: ${{{{ version }}}}

source:
  url: {url}
  sha256: {digest}

build:
  number: 0
  noarch: python
  script: python -m pip install . -vv --no-deps --no-build-isolation
  python:
    entry_points:
      - {name} = {entry}

requirements:
  host:
    - python {lowest}.*
    - pip
    - hatchling
  run:
{run}
tests:
  - python:
      imports:
        - {project["name"]}
      pip_check: true
  - script:
      - {name} --version
      - {name} rulebooks 4.D.3

about:
  homepage: {_homepage(project)}
  summary: "{project["description"]}"
  license: {project["license"]}
  license_file:
{licences}
extra:
  recipe-maintainers: []
"""


def write_formula(project: Mapping[str, Any], url: str = URL, digest: str = DIGEST) -> str:
    """Return the formula for Homebrew; `brew update-python-resources` adds the packages that it needs."""
    newest = max(
        (line.rpartition(" ")[2] for line in project["classifiers"] if re.search(r":: 3\.\d+$", line)),
        key=lambda version: int(version.partition(".")[2]),
    )
    name = next(iter(project["scripts"]))
    description = project["description"].removesuffix(".").partition(":")[0]
    return f"""# Made by scripts/recipes.py from pyproject.toml; do not edit.
class {project["name"].capitalize()} < Formula
  include Language::Python::Virtualenv

  desc "{description}"
  homepage "{_homepage(project)}"
  url "{url}"
  version "{project["version"]}"
  sha256 "{digest}"
  license "{project["license"]}"

  depends_on "rust" => :build # for pydantic-core
  depends_on "libyaml"
  depends_on "python@{newest}"

  # Here stand the packages that it needs: brew update-python-resources {project["name"]}

  def install
    virtualenv_install_with_resources
    generate_completions_from_executable(bin/"{name}", "completions", shells: [:bash, :zsh, :fish])
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/{name} --version")
    system bin/"{name}", "show", "--svg", testpath/"board.svg"
  end
end
"""


FILES = {
    ROOT / "packaging" / "conda-forge" / "recipe.yaml": write_recipe,
    ROOT / "packaging" / "homebrew" / "plenipo.rb": write_formula,
}
"""The files, each with the function that writes it."""


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--url", default=URL, help="the address of the sdist")
    parser.add_argument("--sha256", default=DIGEST, help="its SHA-256")
    asked = parser.parse_args()
    for file, write in FILES.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(write(read_project(), asked.url, asked.sha256), encoding="utf-8")


if __name__ == "__main__":
    main()
