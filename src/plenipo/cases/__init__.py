"""Worked cases: positions with orders and what must come of them, written as data and run against the engine.

`plenipo.cases.format` reads a file of cases, `plenipo.cases.kinds` knows what each kind of case may say and how it is
played, `plenipo.cases.run` does both and reports. The format is described in `docs/cases.md`.
"""

from plenipo.cases.run import CaseResult, Verdict, run_file, run_text, summary

__all__ = ["CaseResult", "Verdict", "run_file", "run_text", "summary"]
