"""Measure how the project writes: `python scripts/language.py [--where]`.

Prints a table of counts with their ceilings, and with `--where` each place that counts. The terms to avoid stand in
`docs/glossary.md`, beside the terms to use. `tests/test_language.py` holds the ceilings.
"""

import argparse
import ast
import io
import re
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "plenipo"

EXEMPT = "english: ok"
"""A line that contains this is not counted: it quotes a rulebook or uses a word in another sense."""

QUESTION_WORDS = frozenset("What Who Whose Whom Whether How Where When Why Of".split())
"""Words with which no docstring should begin; it names a thing or says what is done."""

INDEFINITE = re.compile(r"\b(somebody|anybody|everybody|nobody|whoever)\b", re.IGNORECASE)
MASCULINE = re.compile(r"\b(he|him|his|himself)\b", re.IGNORECASE)
PRONOUNS = re.compile(f"{INDEFINITE.pattern}|{MASCULINE.pattern}", re.IGNORECASE)

IRREGULAR = frozenset(
    "begun bid bound bought brought built cast caught chosen cut dealt done drawn driven fallen felt found forgotten "
    "given gone grown heard held hidden hit kept known laid led left lent lost made meant met paid put ridden risen "
    "run said seen sent set shown shut slain sold spent split spread stood struck "  # english: ok
    "sunk taken taught thought thrown "
    "told torn understood undone won worn written".split()
)
"""Past participles that do not end in -ed."""

VERBS_IN_ED = frozenset("bed embed exceed feed heed need proceed seed shed speed succeed weed".split())
"""Words in -ed that are no participles."""

VERBS_LIKE_PARTICIPLES = frozenset("bid bind cast cut hit put run set shut split spread".split())
"""Participles that are the imperative as well."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of prose in a file, and its line, from 1."""

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.text.strip()[:120]}"


@dataclass(frozen=True, slots=True)
class Measure:
    """A count of the language, its ceiling, its unit, and the places that are counted."""

    name: str
    value: float
    ceiling: float
    places: tuple[str, ...]

    @property
    def is_met(self) -> bool:
        """Tell whether the count is at most its ceiling."""
        return self.value <= self.ceiling


CEILINGS = {
    "docstrings that begin with a question word, %": 0.1,
    "comments that begin with a question word: package": 0.0,
    "comments that begin with a question word: pages": 0.0,
    "comments and docstrings that begin with a question word: tests and scripts": 0.0,
    "indefinite pronouns per 1,000 words: docs": 0.1,
    "indefinite pronouns per 1,000 words: docstrings": 0.2,
    "indefinite pronouns per 1,000 words: pages": 0.1,
    "indefinite pronouns per 1,000 words: variants": 0.1,
    "indefinite and masculine pronouns in comments: package": 0.0,
    "indefinite and masculine pronouns in comments: pages": 0.0,
    "indefinite and masculine pronouns in comments and docstrings: tests and scripts": 0.0,
    "generic he and his": 6.0,  # english: ok
    "functions named by a participle": 4.0,
    "type names defined more than once": 15.0,
    "terms the glossary replaces": 91.0,
}
"""The most that each count may be. Lower a ceiling when a count falls; never raise one."""


@cache
def modules() -> tuple[tuple[Path, ast.Module], ...]:
    """Return the Python modules of the package with their syntax trees."""
    files = sorted(path for path in SOURCE.rglob("*.py") if "migrations" not in path.parts)
    return tuple((path, ast.parse(path.read_text(encoding="utf-8"))) for path in files)


@cache
def development_modules() -> tuple[tuple[Path, ast.Module], ...]:
    """Return the modules of tests, scripts and examples with their syntax trees."""
    folders = (ROOT / name for name in ("tests", "scripts", "examples"))
    files = sorted(path for folder in folders for path in folder.rglob("*.py"))
    return tuple((path, ast.parse(path.read_text(encoding="utf-8"))) for path in files)


@cache
def nodes() -> tuple[tuple[Path, ast.AST], ...]:
    """Return every node of the syntax trees, with the file of each."""
    return tuple((path, node) for path, tree in modules() for node in ast.walk(tree))


@cache
def docstrings() -> tuple[tuple[Path, ast.Constant], ...]:
    """Return every docstring of the package, those of attributes and constants among them."""
    return tuple(find_docstrings(nodes()))


def find_docstrings(found: Iterable[tuple[Path, ast.AST]]) -> Iterator[tuple[Path, ast.Constant]]:
    """Yield the docstrings among some nodes, those of attributes and constants included."""
    for path, node in found:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in node.body:
                if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                    yield path, statement.value


def list_docstrings(found: Iterable[tuple[Path, ast.Constant]] | None = None) -> Iterator[Passage]:
    """Yield the text of every docstring, by default of the package."""
    for path, node in docstrings() if found is None else found:
        if isinstance(node.value, str):
            yield Passage(path, node.lineno, node.value)


def list_comments(paths: Iterable[Path]) -> Iterator[Passage]:
    """Yield the comments of Python modules."""
    for path in paths:
        for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
            if token.type == tokenize.COMMENT:
                yield Passage(path, token.start[0], token.string.lstrip("#"))


COMMENTS = {
    ".js": re.compile(r"/\*+(.*?)\*/|(?:^|(?<=\s))// ([^\n]*)", re.DOTALL | re.MULTILINE),
    ".css": re.compile(r"/\*+(.*?)\*/", re.DOTALL),
    ".html": re.compile(r"\{#(.*?)#\}", re.DOTALL),
}


def list_page_comments() -> Iterator[Passage]:
    """Yield the comments of page scripts, style sheets and templates."""
    for path in sorted((SOURCE / "server" / "web").glob("*/*")):
        if (pattern := COMMENTS.get(path.suffix)) is not None:
            yield from find_comments(path, path.read_text(encoding="utf-8"), pattern)


def find_comments(path: Path, source: str, pattern: re.Pattern[str]) -> Iterator[Passage]:
    """Yield the comments of a text file that match a pattern, whose groups have their text."""
    for match in pattern.finditer(source):
        yield Passage(path, source.count("\n", 0, match.start()) + 1, "".join(filter(None, match.groups())))


def list_development_texts() -> Iterator[Passage]:
    """Yield the docstrings and comments of tests, scripts and examples."""
    found = ((path, node) for path, tree in development_modules() for node in ast.walk(tree))
    yield from list_docstrings(find_docstrings(found))
    yield from list_comments(path for path, _ in development_modules())


def is_question(passage: Passage) -> bool:
    """Tell whether a comment or docstring begins with a question word and is no question."""
    words = passage.text.split()
    return bool(words) and words[0].strip("`*,.:").capitalize() in QUESTION_WORDS and EXEMPT not in passage.text


def list_lines(paths: Iterable[Path]) -> Iterator[Passage]:
    """Yield the lines of text files that are prose: no fenced blocks, no exempt lines."""
    for path in paths:
        fenced = False
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("```"):
                fenced = not fenced
            elif not fenced and EXEMPT not in line:
                yield Passage(path, number, line)


def list_docs() -> Iterator[Passage]:
    """Yield the prose of the documents."""
    return list_lines([*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))])


def list_variant_pages() -> Iterator[Passage]:
    """Yield the prose of the English pages of the variants."""
    return list_lines(sorted((SOURCE / "variants").rglob("README.md")))


class _TextOfPage(HTMLParser):
    """Collect what a template shows: its text and the attributes that people read."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in {"script", "style"}
        readable = {"title", "placeholder", "aria-label", "alt"}
        self.found += [(self.getpos()[0], value) for name, value in attrs if name in readable and value]

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in {"script", "style"}

    def handle_data(self, data: str) -> None:
        if not self.silent and data.strip():
            self.found.append((self.getpos()[0], data))


JAVASCRIPT_TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')


TEMPLATE_TEXT = re.compile(r"""'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)\"""")


def list_marked_texts(path: Path) -> Iterator[Passage]:
    """Yield the texts of a template that stand in its expressions and statements: literals with a space."""
    source = path.read_text(encoding="utf-8")
    for part in re.finditer(r"\{[{%].*?[}%]\}", source, flags=re.DOTALL):
        line = source.count("\n", 0, part.start()) + 1
        for match in TEMPLATE_TEXT.finditer(part[0]):
            text = re.sub(r"<[^>]*>|%\(\w+\)s", " ", match[1] or match[2] or "")
            if " " in text:
                yield Passage(path, line, text)


def list_page_texts() -> Iterator[Passage]:
    """Yield what the pages show: the text of templates, and the strings with a space in page scripts."""
    web = SOURCE / "server" / "web"
    for path in sorted((web / "templates").glob("*.html")):
        source = re.sub(
            r"\{[{%#].*?[}%#]\}", lambda match: "\n" * match[0].count("\n"), path.read_text("utf-8"), flags=re.DOTALL
        )
        parser = _TextOfPage()
        parser.feed(source)
        for line, text in parser.found:
            yield Passage(path, line, text)
        yield from list_marked_texts(path)
    for path in sorted((web / "static").glob("*.js")):
        for number, code in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for match in JAVASCRIPT_TEXT.finditer(code):
                text = match[1] or match[2] or ""
                if " " in text:
                    yield Passage(path, number, text)


def list_strings() -> Iterator[Passage]:
    """Yield the strings of the package that are sentences or parts of one: those with a space, docstrings apart."""
    documented = {id(node) for _, node in docstrings()}
    for path, node in nodes():
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and " " in text and id(node) not in documented:
            yield Passage(path, getattr(node, "lineno", 1), text)


def count_words(passages: Iterable[Passage]) -> int:
    """Count the words of some passages."""
    return sum(len(re.findall(r"[A-Za-z][\w']*", passage.text)) for passage in passages)


def list_functions() -> Iterator[tuple[Path, int, str]]:
    """Yield every function of the package: its file, its line and its name."""
    for path, node in nodes():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield path, node.lineno, node.name


def is_participle(name: str) -> bool:
    """Tell whether a function is named by a past participle alone, such as `seated` or `told`."""
    word = name.strip("_")
    if word in VERBS_IN_ED or word in VERBS_LIKE_PARTICIPLES:
        return False
    return word in IRREGULAR or (word.endswith("ed") and word.isalpha())


def list_types() -> Iterator[tuple[str, Path, int]]:
    """Yield every type the package defines at the top of a module: classes, new types and aliases."""
    for path, tree in modules():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                yield node.name, path, node.lineno
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                aliased = isinstance(node.value, ast.Subscript | ast.BinOp) or (
                    isinstance(node.value, ast.Call) and ast.unparse(node.value.func) in {"NewType", "TypeVar"}
                )
                if aliased and re.fullmatch(r"[A-Z][a-z]\w*", name):
                    yield name, path, node.lineno


@cache
def replaced_terms() -> re.Pattern[str]:
    """Return a pattern of the terms to avoid, which the last column of the glossary's tables lists."""
    terms = []
    for line in (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3 and not set(cells[0]) <= set("-: "):
            terms += re.findall(r"`([^`]+)`", cells[2])
    longest_first = sorted(terms, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})s?\b", re.IGNORECASE)


def list_replaced_terms(passages: Iterable[Passage]) -> Iterator[str]:
    """Yield each use of a term that the glossary replaces."""
    for passage in passages:
        if passage.path.name != "glossary.md" and EXEMPT not in passage.text:
            place = f"{passage.path.relative_to(ROOT)}:{passage.line}"
            for match in replaced_terms().finditer(passage.text):
                yield f"{place}: {match[0]!r} in {passage.text.strip()[:90]!r}"


@cache
def measure() -> tuple[Measure, ...]:
    """Measure the language of the package and its documents."""
    docs, documented = list(list_docs()), list(list_docstrings())
    pages, variants, strings = list(list_page_texts()), list(list_variant_pages()), list(list_strings())
    found: dict[str, tuple[float, Iterable[str]]] = {}
    questions = [str(one) for one in documented if (one.text.split() or [""])[0].strip("`*,.:") in QUESTION_WORDS]
    found["docstrings that begin with a question word, %"] = (100 * len(questions) / len(documented), questions)
    for name, passages in (("docs", docs), ("docstrings", documented), ("pages", pages), ("variants", variants)):
        hits = [str(one) for one in passages for _ in INDEFINITE.findall(one.text)]
        rate = 1000 * len(hits) / count_words(passages)
        found[f"indefinite pronouns per 1,000 words: {name}"] = (rate, hits)
    others = (
        ("comments", "package", list(list_comments(path for path, _ in modules()))),
        ("comments", "pages", list(list_page_comments())),
        ("comments and docstrings", "tests and scripts", list(list_development_texts())),
    )
    for what, where, passages in others:
        questions = [str(one) for one in passages if is_question(one)]
        found[f"{what} that begin with a question word: {where}"] = (len(questions), questions)
        hits = [str(one) for one in passages if EXEMPT not in one.text for _ in PRONOUNS.findall(one.text)]
        found[f"indefinite and masculine pronouns in {what}: {where}"] = (len(hits), hits)
    prose = [*docs, *documented, *pages, *variants, *strings]
    masculine = [str(one) for one in prose if EXEMPT not in one.text for _ in MASCULINE.findall(one.text)]
    found["generic he and his"] = (len(masculine), masculine)  # english: ok
    participles = [
        f"{path.relative_to(ROOT)}:{line}: {name}" for path, line, name in list_functions() if is_participle(name)
    ]
    found["functions named by a participle"] = (len(participles), participles)
    types: dict[str, list[str]] = defaultdict(list)
    for name, path, line in list_types():
        types[name].append(f"{path.relative_to(ROOT)}:{line}")
    repeated = [f"{name}: {', '.join(places)}" for name, places in sorted(types.items()) if len(places) > 1]
    found["type names defined more than once"] = (len(repeated), repeated)
    terms = list(list_replaced_terms(prose))
    found["terms the glossary replaces"] = (len(terms), terms)
    return tuple(Measure(name, value, CEILINGS[name], tuple(places)) for name, (value, places) in found.items())


def main() -> None:
    """Print the counts with their ceilings, and on request the places; exit with 1 above a ceiling."""
    parser = argparse.ArgumentParser(description="Measure how the project writes.")
    parser.add_argument(
        "--where", metavar="TEXT", nargs="?", const="", help="show the places of counts whose name has TEXT"
    )
    options = parser.parse_args()
    measures = measure()
    for one in measures:
        print(f"{one.value:9.2f}  at most {one.ceiling:7.2f}  {one.name}")
        if options.where is not None and options.where in one.name:
            for place in one.places:
                print(f"    {place}")
    sys.exit(not all(one.is_met for one in measures))


if __name__ == "__main__":
    main()
