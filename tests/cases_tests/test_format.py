"""Reading files of cases: one form out of several, and a sentence for whatever cannot be read."""

from textwrap import dedent

import pytest

from plenipo.cases.format import Case, Unreadable, read

GOOD = """
cases:
- id: one
  kind: movement
  units: {France: [A PAR]}
  orders: {France: [A PAR - BUR]}
  expect:
    results: {A PAR: moves}
"""


def cases(content: str) -> list[Case]:
    """What is read without a fault."""
    found = list(read(dedent(content), "f.yaml"))
    assert all(isinstance(case, Case) for case in found), found
    return [case for case in found if isinstance(case, Case)]


def faults(content: str) -> list[tuple[str, str]]:
    """The names and sentences of what cannot be read."""
    return [(case.id, case.message) for case in read(dedent(content), "f.yaml") if isinstance(case, Unreadable)]


def test_a_case_is_read_with_its_place_in_the_file() -> None:
    (case,) = cases(GOOD)
    assert (case.id, case.file, case.line, case.variant, case.kind) == ("one", "f.yaml", 3, "standard", "movement")
    assert case.given == {"units": {"France": ["A PAR"]}, "orders": {"France": ["A PAR - BUR"]}}
    assert case.expect == {"results": {"A PAR": "moves"}}


def test_other_spellings_of_keys_give_the_same_case() -> None:
    usual = "- {id: a, kind: adjustment, centres: {}, options: {rulebook: '1971'}, expect: {}}"
    other = "cases:\n- {id: a, phase: adjustment, centers: {}, edition: 1971, expect: {}}"
    assert cases(usual)[0].given == cases(other)[0].given
    assert cases(usual)[0].options == cases(other)[0].options == {"rulebook": "1971"}


def test_only_true_false_null_and_whole_numbers_are_more_than_text() -> None:
    (case,) = cases("- {id: 6.10, kind: x, note: no, options: {a: off, b: 1971, c: true}, given: {n: 1, t: ~, f: 1_0}}")
    assert case.id == "6.10"
    assert case.options == {"a": "off", "b": "1971", "c": "true"}
    assert case.given["note"] == "no"
    assert case.given["given"] == {"n": 1, "t": None, "f": "1_0"}


def test_an_alternative_becomes_a_case_of_its_own_for_each_set_of_options() -> None:
    found = cases(
        """
        - id: a
          kind: movement+retreat
          options: {4.A.5: allowed}
          retreat: {orders: []}
          expect: {results: {A PAR: moves}}
          alternatives:
          - options: [{4.A.1: any, 4.A.2: "1971"}, {rulebook: 1982}]
            results: {A PAR: fails}
          - when: 4.A.1 choice a (1971)
            expect: {results: {A PAR: void}}
        """
    )
    assert [case.id for case in found] == ["a", "a (4.A.1=any, 4.A.2=1971)", "a (rulebook=1982)", "a (4.A.1=any)"]
    assert [case.alternative for case in found] == [False, True, True, True]
    assert found[1].options == {"4.A.5": "allowed", "4.A.1": "any", "4.A.2": "1971"}
    assert found[1].expect == {"results": {"A PAR": "fails"}}
    assert found[3].expect == {"results": {"A PAR": "void"}}
    assert found[1].kind == "movement"
    assert "retreat" not in found[1].given


def test_a_reason_to_skip_is_kept_for_the_case_and_its_alternatives() -> None:
    found = cases("- {id: a, kind: map, skip: later, alternatives: [{options: {4.A.1: any}}]}")
    assert [case.skip for case in found] == ["later", "later"]
    (_, other) = cases("- {id: a, kind: map, alternatives: [{options: {4.A.1: any}, skip: not yet}]}")
    assert other.skip == "not yet"


@pytest.mark.parametrize(
    ("item", "sentence"),
    [
        ("{kind: map}", "key 'id' is missing; every case has a name of its own."),
        ("{id: a}", "key 'kind' is missing; it says what sort of case this is, such as 'movement'."),
        ("text", "key 'cases': 'text' must be a mapping."),
        ("{id: [a], kind: map}", "key 'id': ['a'] must be text."),
        ("{id: a, kind: map, expect: [b]}", "key 'expect': ['b'] must be a mapping."),
        ("{id: a, kind: map, kind: map}", "key 'kind' stands twice; write each key once."),
        ("{id: a, kind: map, given: {b: {c: 1, c: 2}}}", "key 'c' stands twice; write each key once."),
        ("{id: a, kind: map, phase: map}", "key 'phase' says the same as another key of this case; write one of them."),
        ("{id: a, kind: map, skip: ' '}", "key 'skip' must say why the case is not run."),
        ("{id: a, kind: map, options: {4.A.1: [any]}}", "key 'options, 4.A.1': ['any'] must be text."),
        (
            "{id: a, kind: map, edition: 1971, options: {rulebook: 1982}}",
            "key 'edition' and the option 'rulebook' both name a rulebook; write one of them.",
        ),
        ("{id: a, kind: map, alternatives: {}}", "key 'alternatives': {} must be a list."),
    ],
)
def test_a_faulty_case_is_told_in_a_sentence_and_the_next_goes_on(item: str, sentence: str) -> None:
    content = f"- {item}\n- {{id: good, kind: map}}"
    found = list(read(content, "f.yaml"))
    assert [type(case) for case in found] == [Unreadable, Case]
    assert isinstance(found[0], Unreadable)
    assert found[0].message == sentence
    assert (found[0].line, found[1].line) == (1, 2)


@pytest.mark.parametrize(
    ("alternative", "sentence"),
    [
        ("{units: []}", "key 'options' is missing in an alternative; it says under which options it holds."),
        ("{options: {}}", "key 'options' of an alternative is empty; it must differ from the case."),
        ("{options: []}", "key 'options' of an alternative is empty; it must differ from the case."),
        ("{options: {4.A.1: any}, units: [], expect: {units: []}}", None),
        ("{when: if it rains}", None),
    ],
)
def test_a_faulty_alternative_is_a_fault_of_its_own(alternative: str, sentence: str | None) -> None:
    found = list(read(f"- {{id: a, kind: map, alternatives: [{alternative}]}}", "f.yaml"))
    assert isinstance(found[0], Case)
    assert isinstance(found[1], Unreadable)
    assert found[1].id == "a (alternative 1)"
    assert sentence is None or found[1].message == sentence


def test_a_condition_in_prose_that_is_not_understood_says_so() -> None:
    ((name, message),) = faults("- {id: a, kind: map, alternatives: [{when: 'if it rains: hold'}]}")
    assert name == "a (alternative 1)"
    assert message.startswith("key 'when': 'if it rains' in 'if it rains: hold' names no option; write 'options'")


def test_a_name_used_twice_is_a_fault_of_the_second() -> None:
    assert faults("- {id: a, kind: map}\n- {id: a, kind: map}") == [
        ("a", "key 'id' stands in the file already; an id names one case.")
    ]


def test_text_that_is_no_yaml_loses_only_the_case_it_stands_in() -> None:
    broken = GOOD + "- id: two\n  kind: [movement\n" + "- id: three\n  kind: map\n"
    found = list(read(broken, "f.yaml"))
    assert [(case.id, type(case), case.line) for case in found] == [
        ("one", Case, 3),
        ("two", Unreadable, 9),
        ("three", Case, 11),
    ]
    assert isinstance(found[1], Unreadable)
    assert found[1].message.startswith("this is no YAML: while parsing a flow sequence")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "there is no list 'cases'; a file of cases is a list of mappings under that key."),
        ("cases: 3", "there is no list 'cases'; a file of cases is a list of mappings under that key."),
        ("cases: []", "the list 'cases' is empty, so nothing would be tested."),
        ("cases: [{id: a}]\ncases: [{id: b}]", "key 'cases' stands twice at the top; a file has the keys "),
        ("casses: []", "key 'casses' is not known at the top; a file has the keys "),
        ("{", "this is no YAML: while parsing a flow "),
        ("- &x [*y]", "this is no YAML: found undefined alias"),
    ],
)
def test_a_file_without_cases_is_one_fault(content: str, sentence: str) -> None:
    ((_, message),) = faults(content)
    assert message.startswith(sentence)


def test_a_value_that_yaml_cannot_build_is_a_fault_of_its_case() -> None:
    content = "- {id: a, kind: !!python/object:os.system x}\n- {id: b, kind: map}"
    found = list(read(content, "f.yaml"))
    assert isinstance(found[0], Unreadable)
    assert found[0].message.startswith("this cannot be read: could not determine a constructor")
    assert isinstance(found[1], Case)
