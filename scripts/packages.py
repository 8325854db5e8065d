"""Packages of npm whose files are baked into the tree."""

import subprocess
import tarfile
from pathlib import Path


def fetch(package: str, folder: Path) -> Path:
    """Let npm put `package`, with its version, into `folder`; return where its files lie."""
    command = ["npm", "pack", package, "--silent", "--pack-destination", str(folder)]
    subprocess.run(command, check=True, cwd=folder, capture_output=True)  # noqa: S603  # a fixed command, no input
    (archive,) = folder.glob("*.tgz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / "package"
