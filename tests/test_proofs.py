"""The share of tests that a run makes: some of each file, and all of what is asked for."""

from pathlib import Path

import pytest

import proofs

LONG, SHORT = Path("/tests/long"), Path("/tests/short")
FILES = [LONG / "test_a.py"] * 6 + [LONG / "deep" / "test_b.py"] * 2 + [SHORT / "test_c.py"] * 2
"""The files of ten tests."""


@pytest.mark.parametrize(
    ("named", "made"),
    [
        ([], [True, False, False, True, False, False, True, False, True, True]),
        ([Path("/tests")], [True, False, False, True, False, False, True, False, True, True]),
        ([LONG / "test_a.py"], [True] * 6 + [True, False, True, True]),
        ([LONG / "deep"], [True, False, False, True, False, False] + [True] * 4),
        ([LONG], [True] * 10),
    ],
)
def test_one_in_three_of_each_long_file_is_made_and_all_of_what_is_named(
    monkeypatch: pytest.MonkeyPatch, named: list[Path], made: list[bool]
) -> None:
    monkeypatch.setattr(proofs, "ALL", False)
    assert proofs.choose(FILES, named, {LONG: 3}) == made


def test_all_are_made_where_every_proof_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "ALL", True)
    assert all(proofs.choose(FILES, (), {LONG: 3}))


def test_the_folders_of_shares_are_there_and_each_has_tests() -> None:
    for folder in proofs.SHARES:
        assert list(folder.glob("test_*.py"))
