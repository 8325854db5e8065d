"""Reading files of cases: steps and alternatives, and a sentence for whatever cannot be read."""

from textwrap import dedent

import pytest

from plenipo.cases.format import Case, Unreadable, read

GOOD = """
cases:
- id: one
  units: {France: [A PAR]}
  orders: {France: [A PAR - BUR]}
  expect:
    results: {A PAR: moves}
"""


def cases(content: str) -> list[Case]:
    """Read cases that have no fault."""
    every = list(read(dedent(content), "f.yaml"))
    assert all(isinstance(case, Case) for case in every), every
    return [case for case in every if isinstance(case, Case)]


def faults(content: str) -> list[tuple[str, str]]:
    """The names and sentences of what cannot be read."""
    return [(case.id, case.message) for case in read(dedent(content), "f.yaml") if isinstance(case, Unreadable)]


def test_a_case_is_read_with_its_place_in_the_file() -> None:
    (case,) = cases(GOOD)
    assert (case.id, case.file, case.line, case.variant) == ("one", "f.yaml", 3, "standard")
    (step,) = case.steps
    assert step.position == {"units": {"France": ["A PAR"]}}
    assert step.orders == ({"France": ["A PAR - BUR"]},)
    assert step.expect == {"results": {"A PAR": "moves"}}
    assert step.played


def test_only_true_false_null_and_whole_numbers_are_more_than_text() -> None:
    (case,) = cases("- {id: 6.10, note: no, options: {a: off, b: 1971, c: true}, before: {n: 1, t: ~, f: 1_0}}")
    assert case.id == "6.10"
    assert case.options == {"a": "off", "b": "1971", "c": "true"}
    assert case.notes == {"note": "no"}
    assert case.steps[0].before == {"n": 1, "t": None, "f": "1_0"}


def test_steps_go_on_from_the_case_and_orders_may_come_one_after_the_other() -> None:
    (case,) = cases(
        """
        - id: a
          orders: [{France: A PAR H, Italy: [A ROM H]}, {France: [A PAR - BUR]}]
          steps:
          - {phase: Fall 1901 movement, expect: {units: {France: []}}}
          - {before: {unowned: []}}
        """
    )
    assert case.steps[0].orders == ({"France": ["A PAR H"], "Italy": ["A ROM H"]}, {"France": ["A PAR - BUR"]})
    assert [step.played for step in case.steps] == [True, True, False]
    assert case.steps[1].position == {"phase": "Fall 1901 movement"}


def test_an_alternative_becomes_a_case_of_its_own_for_each_set_of_options() -> None:
    every = cases(
        """
        - id: a
          edition: 1982
          options: {4.A.5: allowed}
          units: {France: [A PAR]}
          expect: {results: {A PAR: holds}}
          steps: [{expect: {winners: []}}]
          alternatives:
          - options: [{4.A.1: any, 4.A.2: "1971"}, {rulebook: 2000}]
            expect: {results: {A PAR: fails}}
          - units: {Italy: [A ROM]}
            expect: {results: {A ROM: holds}}
        """
    )
    assert [case.id for case in every] == ["a", "a (4.A.1=any, 4.A.2=1971)", "a (rulebook=2000)", "a (alternative 2)"]
    assert [case.alternative for case in every] == [False, True, True, True]
    assert every[1].options == {"rulebook": "1982", "4.A.5": "allowed", "4.A.1": "any", "4.A.2": "1971"}
    assert every[2].options["rulebook"] == "2000"
    assert [len(case.steps) for case in every] == [2, 1, 1, 1]
    assert every[2].steps[0].position == {"units": {"France": ["A PAR"]}}
    assert every[3].steps[0].position == {"units": {"Italy": ["A ROM"]}}


def test_a_reason_to_skip_is_kept_for_the_case_and_its_alternatives() -> None:
    every = cases("- {id: a, skip: later, alternatives: [{options: {4.A.1: any}}]}")
    assert [case.skip for case in every] == ["later", "later"]


@pytest.mark.parametrize(
    ("item", "sentence"),
    [
        ("{expect: {a: 1}}", "key 'id' is missing; every case has a name of its own."),
        ("{id: a}", "key 'expect' says nothing, so the case could not fail."),
        ("{id: a, expect: {}, steps: [{orders: {}}]}", "key 'expect' says nothing, so the case could not fail."),
        ("text", "key 'cases': 'text' must be a mapping."),
        ("{id: [a], expect: {a: 1}}", "key 'id': ['a'] must be text."),
        ("{id: a, expect: [b]}", "key 'expect': ['b'] must be a mapping."),
        ("{id: a, expct: {}}", "key 'expct' is not known in 'cases'; did you mean expect?"),
        ("{id: a, steps: [{order: {}}]}", "key 'order' is not known in 'steps'; did you mean orders?"),
        ("{id: a, id: b}", "key 'id' stands twice; write each key once."),
        ("{id: a, expect: {b: {c: 1, c: 2}}}", "key 'c' stands twice; write each key once."),
        ("{id: a, skip: ' '}", "key 'skip' must say why the case is not run."),
        ("{id: a, expect: {a: 1}, options: {4.A.1: [any]}}", "key 'options, 4.A.1': ['any'] must be text."),
        ("{id: a, expect: {a: 1}, orders: {France: [[a]]}}", "key 'France': ['a'] must be text."),
        ("{id: a, expect: {a: 1}, alternatives: {}}", "key 'alternatives': {} must be a list."),
    ],
)
def test_a_faulty_case_is_said_in_a_sentence_and_the_next_goes_on(item: str, sentence: str) -> None:
    every = list(read(f"- {item}\n- {{id: good, expect: {{a: 1}}}}", "f.yaml"))
    assert isinstance(every[-1], Case)
    bad = next(case for case in every if isinstance(case, Unreadable))
    assert bad.message == sentence
    assert (bad.line, every[-1].line) == (1, 2)


@pytest.mark.parametrize(
    ("alternative", "sentence"),
    [
        ("{options: {4.A.1: any}}", "key 'expect' says nothing, so the case could not fail."),
        ("{result: {}}", "key 'result' is not known in 'alternatives'; there are "),
        ("[]", "key 'alternatives': [] must be a mapping."),
    ],
)
def test_a_faulty_alternative_is_a_fault_of_its_own(alternative: str, sentence: str) -> None:
    content = f"- {{id: a, expect: {{a: 1}}, alternatives: [{alternative}]}}"
    assert [type(case) for case in read(content, "f.yaml")] == [Case, Unreadable]
    ((name, message),) = faults(content)
    assert name == "a (alternative 1)"
    assert message.startswith(sentence)


def test_a_name_used_twice_is_a_fault_of_the_second() -> None:
    assert faults("- {id: a, expect: {a: 1}}\n- {id: a, expect: {a: 1}}") == [
        ("a", "key 'id' stands in the file already; an id names one case.")
    ]


def test_a_key_of_another_format_of_cases_is_a_fault_that_lists_the_known_ones() -> None:
    ((name, message),) = faults("- {id: a, kind: movement}")
    assert name == "a"
    assert message.startswith("key 'kind' is not known in 'cases'")


def test_text_that_is_not_yaml_loses_only_the_case_it_stands_in() -> None:
    broken = GOOD + "- id: two\n  units: [A PAR\n" + "- id: three\n  expect: {a: 1}\n"
    every = list(read(broken, "f.yaml"))
    assert [(case.id, type(case), case.line) for case in every] == [
        ("one", Case, 3),
        ("two", Unreadable, 8),
        ("three", Case, 10),
    ]
    assert isinstance(every[1], Unreadable)
    assert every[1].message.startswith("this is not YAML: while parsing a flow sequence")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "there is no list 'cases'; a file of cases is a list of mappings under that key."),
        ("cases: 3", "there is no list 'cases'; a file of cases is a list of mappings under that key."),
        ("cases: []", "the list 'cases' is empty, so nothing would be tested."),
        ("cases: [{id: a}]\ncases: [{id: b}]", "key 'cases' stands twice at the top; a file has the keys "),
        ("casses: []", "key 'casses' is not known at the top; a file has the keys "),
        ("{", "this is not YAML: while parsing a flow "),
        ("- &x [*y]", "this is not YAML: found undefined alias"),
        ("[" * 2_000, "this is not YAML: it is nested too deeply; a case needs no more than 40 levels."),
        ("- " * 2_000, "this is not YAML: it is nested too deeply; a case needs no more than 40 levels."),
        ("cases: " + "[" * 60 + "]" * 60, "this is not YAML: it is nested too deeply; a case needs no more than 40"),
        ("a" * 4_000_001, "this file has 4,000,001 characters; one of cases has at most 4,000,000."),
    ],
    ids=str,
)
def test_a_file_without_cases_is_one_fault(content: str, sentence: str) -> None:
    ((_, message),) = faults(content)
    assert message.startswith(sentence)


def test_aliases_stand_for_a_few_things_and_never_for_millions() -> None:
    (case, other) = cases("- &a {id: a, before: &b {x: 1}}\n- {id: b, before: *b}")
    assert case.steps == other.steps
    bomb = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    ((_, message),) = faults(bomb + "cases:\n- {id: a, before: {x: *a11}}\n")
    assert message == "this is not YAML: it has too many aliases (`*`); write out what they stand for, or use 20."


def test_a_value_that_yaml_cannot_build_is_a_fault_of_its_case() -> None:
    every = list(read("- {id: a, note: !!python/object:os.system x}\n- {id: b, expect: {a: 1}}", "f.yaml"))
    assert isinstance(every[0], Unreadable)
    assert every[0].message.startswith("this cannot be read: could not determine a constructor")
    assert isinstance(every[1], Case)
