"""Message catalogues: reading `.po` files, plural rules, and the faults of translations."""

from pathlib import Path

import pytest

from plenipo.languages import (
    CatalogueError,
    available,
    catalogue,
    check_catalogue,
    gettext,
    native_name,
    ngettext,
    pgettext,
)
from plenipo.languages.plurals import parse_plural_forms

HEAD = 'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n"X-Native-Name: Deutsch\\n"\n'


def write(folder: Path, body: str, head: str = HEAD, domain: str = "pages") -> Path:
    """Write a German catalogue into a folder of languages."""
    file = folder / "de" / f"{domain}.po"
    file.parent.mkdir(exist_ok=True)
    file.write_text(head + body, encoding="utf-8")
    return file


def test_messages_plurals_and_contexts_are_translated(tmp_path: Path) -> None:
    write(
        tmp_path,
        'msgid "Log in"\nmsgstr "Anmelden"\n\n'
        'msgctxt "verb"\nmsgid "hold"\nmsgstr "halten"\n\n'
        '#, python-brace-format\nmsgid "{n} centre"\nmsgid_plural "{n} centres"\n'
        'msgstr[0] "{n} Zentrum"\nmsgstr[1] ""\n"{n} Zentren"\n\n'
        '#~ msgid "gone"\n#~ msgstr "weg"\n',
    )
    de = catalogue("de", "pages", tmp_path)
    assert available(tmp_path) == ("en", "de")
    assert native_name("de", tmp_path) == "Deutsch"
    assert de.gettext("Log in") == "Anmelden"
    assert (de.pgettext("verb", "hold"), de.gettext("hold")) == ("halten", "hold")
    assert [de.ngettext("{n} centre", "{n} centres", n) for n in (0, 1, 2)] == [
        "{n} Zentren",
        "{n} Zentrum",
        "{n} Zentren",
    ]
    assert de.ngettext("{n} unit", "{n} units", 1) == "{n} unit"


def test_english_needs_no_catalogue() -> None:
    assert gettext("en", "Log in") == "Log in"
    assert ngettext("EN", "one", "several", 2) == "several"
    assert pgettext("en", "verb", "hold") == "hold"


def test_a_fuzzy_or_empty_translation_appears_in_english(tmp_path: Path) -> None:
    write(tmp_path, '#, fuzzy\nmsgid "a"\nmsgstr "A?"\n\nmsgid "b"\nmsgstr ""\n')
    de = catalogue("de", "pages", tmp_path)
    assert (de.gettext("a"), de.gettext("b"), len(de)) == ("a", "b", 0)


@pytest.mark.parametrize(
    ("body", "line", "fault"),
    [
        ('msgid "{a} of {b}"\nmsgstr "{a}"\n', 5, "lacks the placeholder b"),
        ('msgid "%(a)s of b"\nmsgstr "von b"\n', 5, "lacks the placeholder a"),
        ('msgid "{a}"\nmsgstr "{a} {c}"\n', 5, "has the unknown placeholder c"),
        ('msgid "{a}"\nmsgstr "{a} {b"\n', 5, "has a broken placeholder"),
        ('msgid "{n} a"\nmsgid_plural "{n} as"\nmsgstr[0] "{n}"\n', 5, "has 1 plural forms instead of 2"),
        ('msgid "a"\nmsgid "b"\nmsgstr "c"\n', 5, "has no msgstr"),
        ('msgid "a"\nmsgstr "b\n', 6, "cannot read"),
        ('msgid "a"\nmsgstr "b"\nmsgid_plural "c"\n', 7, "'msgid_plural' cannot follow 'msgstr'"),
        ('msgid "a"\nmsgstr "\\q"\n', 6, "unknown escape"),
        ('msgid "a"\nmsgstr "b"\nmsgid "a"\nmsgstr "c"\n', 7, "stands already in line 5"),
    ],
)
def test_a_fault_is_named_with_its_line_and_the_text_appears_in_english(
    tmp_path: Path, body: str, line: int, fault: str
) -> None:
    file = write(tmp_path, body)
    (found,) = check_catalogue(file)
    assert found.startswith(f"{file}:{line}: ")
    assert fault in found
    assert found.endswith(".")
    assert catalogue("de", "pages", tmp_path).gettext("{a} of {b}") == "{a} of {b}"


def test_the_singular_may_leave_out_the_number_and_the_plural_rule_must_be_readable(tmp_path: Path) -> None:
    body = 'msgid "one centre"\nmsgid_plural "{n} centres"\nmsgstr[0] "ein Zentrum"\nmsgstr[1] "{n} Zentren"\n'
    assert check_catalogue(write(tmp_path, body)) == ()
    (fault,) = check_catalogue(
        write(tmp_path, body, 'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=__import__"\n')
    )
    assert "cannot be read: invalid token in plural form: __import__" in fault


def test_an_unknown_language_is_refused_with_those_there_are(tmp_path: Path) -> None:
    write(tmp_path, "")
    with pytest.raises(CatalogueError, match=r"Unknown language 'xx'\. There are en, de\."):
        catalogue("xx", "pages", tmp_path)


def test_a_plural_rule_is_an_expression_of_c() -> None:
    polish = parse_plural_forms(
        "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"
    )
    assert [polish(n) for n in (1, 2, 4, 5, 12, 22, 25)] == [0, 1, 1, 2, 2, 1, 2]


@pytest.mark.parametrize("header", ["", "nplurals=0; plural=0;", "nplurals=2; plural=(n", "nplurals=2; plural=n n;"])
def test_a_plural_rule_that_cannot_be_read_is_refused(header: str) -> None:
    with pytest.raises(ValueError, match="Plural-Forms"):
        parse_plural_forms(header)
