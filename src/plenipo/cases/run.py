"""Running cases: text or a file in, a result for each case out."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import plenipo.cases.changing
import plenipo.cases.choices
import plenipo.cases.openings
import plenipo.cases.pledges
import plenipo.cases.turns  # noqa: F401  # these register their kinds
from plenipo import library
from plenipo.cases.format import Case, Unreadable, read
from plenipo.cases.kinds import KINDS
from plenipo.cases.stage import Load, Stage
from plenipo.engine.wording import hint
from plenipo.errors import PlenipoError

__all__ = ["CaseResult", "Load", "Verdict", "run_case", "run_file", "run_text", "stages", "summary"]


class Verdict(StrEnum):
    """What came of a case."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class CaseResult:
    """What came of one case of a file, with the reason where it did not pass.

    `line` is where the case begins in the file. `str(result)` is the whole sentence, with file and case.
    """

    id: str
    file: str
    outcome: Verdict
    message: str = ""
    line: int = 1

    def __str__(self) -> str:
        where = self.file if self.id == self.file else f"{self.file}, case {self.id}"
        return f"{where}: {self.message or self.outcome}"


def run_file(path: Path | str, load: Load = library.load) -> Iterator[CaseResult]:
    """Run every case in the file at `path`, each set of options by itself, in the order of the file.

    Never raises for what is in the file: a case that cannot be read is a failed case, and the others go on.
    A file that cannot be read at all is one failed result, whose id is the name of the file.
    """
    path = Path(path)
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        yield CaseResult(path.name, path.name, Verdict.FAILED, f"'{path}' cannot be read: {reason}.")
        return
    yield from run_text(content, path.name, load)


def run_text(content: str, file: str, load: Load = library.load) -> Iterator[CaseResult]:
    """Run every case in `content`; `file` is the name used in messages."""
    stage = stages(load)
    for case in read(content, file):
        if isinstance(case, Unreadable):
            yield CaseResult(case.id, file, Verdict.FAILED, case.message, case.line)
        else:
            yield run_case(case, stage)


def stages(load: Load = library.load) -> Callable[[Case], Stage]:
    """What makes the rules of a case ready, once for each variant and set of options."""
    known: dict[object, Stage] = {}

    def stage(case: Case) -> Stage:
        key = (case.variant, tuple(sorted(case.options.items())))
        if key not in known:
            known[key] = Stage(load(case.variant, case.options), load=load)
        return known[key]

    return stage


def run_case(case: Case, stage: Callable[[Case], Stage]) -> CaseResult:
    """Run one case; `stage` makes the rules it is played by ready."""

    def result(verdict: Verdict, message: str = "") -> CaseResult:
        return CaseResult(case.id, case.file, verdict, message, case.line)

    if case.skip:
        return result(Verdict.SKIPPED, case.skip)
    kind = KINDS.get(case.kind)
    if kind is None:
        return result(Verdict.FAILED, f"kind '{case.kind}' is not known; {hint(case.kind, KINDS)}")
    if kind.skip:
        return result(Verdict.SKIPPED, kind.skip)
    try:
        report = kind.run(case, stage(case))
    except PlenipoError as error:
        return result(Verdict.FAILED, str(error))
    except Exception as error:  # noqa: BLE001  # a fault of the program in one case must not hide the others
        return result(Verdict.FAILED, f"the program broke with {type(error).__name__}: {error}")
    if report.faults:
        return result(Verdict.FAILED, f"{'; '.join(report.faults)}.")
    return result(Verdict.PASSED)


def summary(results: Iterable[CaseResult]) -> str:
    """`N passed, N failed`, and `, N skipped` if any were.

    >>> summary([CaseResult("a", "f.yaml", Verdict.PASSED)])
    '1 passed, 0 failed'
    """
    verdicts = [result.outcome for result in results]
    skipped = verdicts.count(Verdict.SKIPPED)
    counted = f"{verdicts.count(Verdict.PASSED)} passed, {verdicts.count(Verdict.FAILED)} failed"
    return f"{counted}, {skipped} skipped" if skipped else counted
