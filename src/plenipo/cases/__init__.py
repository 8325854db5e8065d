"""Worked cases: positions with orders and what must come of them, written as data and run against the engine.

`entries` and `format` read a file of cases, `matching` is the language of what is expected, `views` is what a case
looks at, and `run` plays it as JSON lines do and reports. The format is described in `docs/cases.md`.
"""

from pathlib import Path

from plenipo.cases.run import CaseResult, CaseVerdict, run_file, run_text, summary

__all__ = ["DATC", "CaseResult", "CaseVerdict", "run_file", "run_text", "summary"]

DATC = Path(__file__).with_name("datc")
"""The folder of the Diplomacy Adjudicator Test Cases, a file for each section of their chapter 6."""
