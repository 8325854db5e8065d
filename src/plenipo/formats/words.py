"""Words about the result of an order, and the codes of the field, for several formats."""

from collections.abc import Mapping

from plenipo.engine.outcome import Outcome, Reason, Result

__all__ = ["FIELD_CODES", "list_words"]

FIELD_CODES: Mapping[str, str] = {
    "GOL": "LYO",
    "MID": "MAO",
    "NAT": "NAO",
    "NRG": "NWG",
    "TYN": "TYS",
    "TYO": "TYR",
}
"""The codes of the standard board that differ: here, and with jDip, webDiplomacy and the package `diplomacy`."""

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
