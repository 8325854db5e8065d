"""Cases of the kind `turn_sequence`: real turns, every key of which is compared and can fail."""

import pytest

from plenipo.cases.run import CaseResult, Verdict, run_text

FIRST = "owned_before: [BUD, TRI, VIE], pieces: 3"


def played(*steps: str, variant: str = "standard", options: str = "") -> CaseResult:
    """The turns of Austria, each as the inside of a mapping."""
    head = f"id: a, variant: {variant}, kind: turn_sequence, power: Austria, options: {{{options}}}"
    (result,) = run_text(f"- {{{head}, steps: [{', '.join(f'{{{step}}}' for step in steps)}]}}", "f.yaml")
    return result


def test_a_true_sequence_passes() -> None:
    result = played(
        f"turn: 1, season: Fall 1901, {FIRST}, captures: [SER], expect: {{owned: [BUD, SER, TRI, VIE], builds_due: 1}}",
        "turn: 2, season: Fall 1902, pieces: 4, loses: [VIE, TRI], expect: {removals_due: 2}",
        "turn: 3, expect: {removals_due: 0, pieces_allowed_before_removal: 2}",
    )
    assert result.outcome is Verdict.PASSED, result.message


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("owned: [BUD]", "turn 1, owned: expected BUD, came BUD, SER, TRI, VIE."),
        ("builds_due: 0", "turn 1, builds due to Austria: expected 0, came 1."),
        ("removals_due: 1", "turn 1, removals_due: expected 1, came 0."),
        ("pieces_allowed_for_builds: 3", "turn 1, pieces_allowed_for_builds: expected 3, came 4."),
        ("pieces_allowed_before_removal: 3", "turn 1, pieces_allowed_before_removal: expected 3, came 4."),
    ],
)
def test_a_wrong_expectation_is_reported(expect: str, message: str) -> None:
    result = played(f"{FIRST}, captures: [SER], expect: {{{expect}}}")
    assert (result.outcome, result.message) == (Verdict.FAILED, message)


NEW = f"{FIRST}, captures: [SER]"
LEFT = "unit_leaves: SER, nobody_enters: SER"


@pytest.mark.parametrize(
    ("options", "second", "builds", "owned"),
    [
        ("", "", 4, "BUD, SER, TRI, VIE"),
        ("", LEFT, 4, "BUD, SER, TRI, VIE"),
        ("hold_meaning: occupy", "", 4, "BUD, SER, TRI, VIE"),
        ("hold_meaning: occupy", LEFT, 3, "BUD, SER, TRI, VIE"),
        ("ownership_delay: one_turn", "", 3, "BUD, SER, TRI, VIE"),
        ("ownership_delay: one_turn", LEFT, 3, "BUD, TRI, VIE"),
        ("ownership_delay: one_turn", "loses: [VIE]", 3, "BUD, SER, TRI, VIE"),
    ],
)
def test_what_the_rule_modules_remember_goes_on_from_turn_to_turn(
    options: str, second: str, builds: int, owned: str
) -> None:
    step = f"{second}, " if second else ""
    expect = f"expect: {{owned: [{owned}], pieces_allowed_for_builds: {builds}}}"
    result = played(f"{NEW}, expect: {{builds_due: 0}}", f"{step}{expect}", variant="napoleonic", options=options)
    assert result.outcome is Verdict.PASSED, result.message
    wrong = expect.replace(f"builds: {builds}", f"builds: {builds + 1}")
    assert played(f"{NEW}, expect: {{builds_due: 0}}", f"{step}{wrong}", variant="napoleonic", options=options).message


def test_turns_that_are_not_named_pass_all_the_same() -> None:
    third = "turn: 3, season: Summer 1802, expect: {builds_due: 1}"
    assert played(f"turn: 1, {NEW}, expect: {{builds_due: 0}}", third, variant="napoleonic").outcome is Verdict.PASSED


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (["captures: [SER]"], "key 'steps': the first step says 'owned_before' and 'pieces'."),
        ([f"{FIRST}, moves: 3"], "key 'moves' is not known in a step of a turn sequence"),
        ([f"{FIRST}, expect: {{owns: [BUD]}}"], "key 'owns' is not known in the 'expect' of a step"),
        ([f"{FIRST}, captures: [GAL]"], "key 'captures' has GAL, which is no centre."),
        ([f"{FIRST}, loses: [SER]"], "key 'loses' has SER, which Austria does not own."),
        ([f"{FIRST}, captures: [SER], loses: [SER]"], "key 'loses' has SER, which it captures in the same turn."),
        ([f"{FIRST}, unit_leaves: SER"], "key 'unit_leaves' has SER, which Austria has no unit that came there."),
        ([f"{FIRST}, captures: [SER], nobody_enters: true"], "key 'nobody_enters' has SER, which somebody enters"),
        ([f"{FIRST}, loses_pieces: 3, captures: [SER]"], "key 'captures': Austria stands in SER, but has 0 pieces."),
        (
            [f"{FIRST}", "pieces: 4"],
            "key 'pieces': Austria had 3 after turn 1 and could build 0, and so cannot have 4.",
        ),
        ([f"turn: 2, {FIRST}", "turn: 2"], "key 'turn': turn 2 comes after turn 2; turns are counted upwards."),
        ([f"{FIRST}, season: Fall 1901", "season: Fall 1901"], "key 'season': turn 2 is Fall 1902, not Fall 1901."),
        ([f"{FIRST}", "owned_before: [BUD]"], "key 'owned_before': before turn 2 Austria owns BUD, TRI, VIE."),
        ([f"{FIRST}, pieces: 99"], "key 'pieces' stands twice"),
        (["owned_before: [BUD], pieces: 90"], "key 'pieces': 90 are more than there are provinces to stand in."),
        ([FIRST], "key 'expect' says nothing, so the case could not fail."),
    ],
)
def test_what_cannot_be_is_refused(steps: list[str], message: str) -> None:
    result = played(*steps)
    assert result.outcome is Verdict.FAILED
    assert message in result.message


def test_a_sequence_ends_when_somebody_has_won() -> None:
    owned = "BUD, TRI, VIE, SER, GRE, BUL, RUM, CON, ANK, SMY, SEV, MOS, WAR, VEN, ROM, NAP, TUN"
    result = played(f"owned_before: [{owned}], pieces: 17, captures: [MUN], expect: {{builds_due: 0}}")
    assert result.message == "key 'steps': in turn 1 Austria won the game."


def test_a_case_without_turns_is_refused() -> None:
    assert played().message == "key 'steps' is missing; it has a mapping for each turn."
