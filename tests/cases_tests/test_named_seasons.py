"""Cases of a variant whose seasons have names of their own, with a number, a blank or a sign in them."""

from pathlib import Path

from plenipo.cases import CaseVerdict, run_file

VARIANT = """\
title = "Rounds"
parent = "standard"
[calendar]
start = 476
cycle = [
  ["Round 12", "movement"], ["Round 12", "retreats"],
  ["High Summer", "movement"], ["High Summer", "retreats"],
  ["Year's end", "ownership"], ["Year's end", "adjustments"],
]
"""
CASES = """\
cases:
- id: ROUNDS-01
  title: from round to round, and nothing is left of it
  variant: ../variant.toml
  phase: Round 12 476 movement
  units: {France: [A PAR]}
  orders: {France: [A PAR - BUR]}
  expect: {phase: High Summer 476 movement, units: {France: [A BUR]}, dislodged: {}, refusals: {}}
  steps:
  - phase: High Summer 476 movement
    orders: {France: [A BUR - MUN]}
    expect: {centres: {France: {$contains: [MUN]}}}
- id: ROUNDS-02
  title: an empty mapping is not whatever there is
  variant: ../variant.toml
  phase: High Summer 480 movement
  units: {France: [A PAR]}
  orders: {}
  expect: {units: {France: {}}}
"""


def test_seasons_are_named_freely_in_cases_and_an_empty_mapping_is_held_to(tmp_path: Path) -> None:
    (tmp_path / "rounds").mkdir()
    (tmp_path / "rounds" / "variant.toml").write_text(VARIANT, encoding="utf-8")
    file = tmp_path / "rounds.yaml"
    file.write_text(CASES.replace("../variant.toml", str(tmp_path / "rounds")), encoding="utf-8")
    first, second = run_file(file)
    assert first.outcome is CaseVerdict.PASSED, str(first)
    assert second.outcome is CaseVerdict.FAILED
    assert "units, France" in str(second)
