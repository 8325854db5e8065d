"""The words about the result of an order that several formats share, as judges and the package `diplomacy` use them."""

from plenipo.engine.outcome import Outcome, Reason, Result

__all__ = ["list_words"]

_FAILURES = {Reason.NO_CONVOY: "no convoy", Reason.CONVOY_BROKEN: "disrupted", Reason.PARADOX: "disrupted"}
_WORDS = {
    Result.CUT: "cut",
    Result.DISRUPTED: "disrupted",
    Result.VOID: "void",
    Result.DISBANDED: "disband",
}


def list_words(outcome: Outcome) -> list[str]:
    """Return the words about an order: none if it succeeded, else why not, and that its unit was dislodged."""
    word = _WORDS.get(outcome.result, "")
    if outcome.result is Result.FAILS:
        word = _FAILURES.get(outcome.cause.reason, "bounce")
    return [*([word] if word else ()), *(["dislodged"] if outcome.dislodged_by is not None else ())]
