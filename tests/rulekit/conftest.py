"""A tiny variant for tests: the regular game and one thing more, so that a module is seen to serve any variant."""

from collections.abc import Callable
from pathlib import Path

import pytest

from plenipo import library
from plenipo.engine.rules import Rules


@pytest.fixture
def tiny(tmp_path: Path) -> Callable[..., Rules]:
    """Makes the rules of a variant: what its file says besides title and parent, and the options of a game."""

    def make(text: str, parent: str = "standard", **options: str) -> Rules:
        folder = tmp_path / f"tiny{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        head = f'title = "Tiny"\nparent = "{parent}"\n'
        (folder / "variant.toml").write_text(head + text, encoding="utf-8")
        return library.load(folder, options)

    return make
