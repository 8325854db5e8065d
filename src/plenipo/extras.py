"""The extras of the package: what each brings, whether it is there, and the command that installs it.

Everything that can be left out is imported through here, so that one who lacks it reads in one sentence what to do.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from plenipo.engine.sentences import say
from plenipo.errors import MissingExtra

__all__ = ["EXTRAS", "check", "command", "explain", "missing", "require"]

EXTRAS: Mapping[str, tuple[str, ...]] = {
    "maps": ("networkx", "numpy", "shapely"),
    "fast": ("llvmlite", "msgspec", "numba", "numpy"),
    "match": ("openskill", "psutil"),
    "selfplay": ("gymnasium", "pettingzoo", "pyarrow"),
    "ray": ("ray",),
    "png": ("PIL", "resvg_py"),
    "poster": ("typst",),
    "server": (
        *(
            "alembic",
            "authlib",
            "cachetools",
            "confusable_homoglyphs",
            "cryptography",
            "fastapi",
            "httptools",
            "httpx2",
            "icalendar",
            "jinja2",
            "joserfc",
        ),
        *("linkify_it", "markdown_it", "mnemonic", "openskill", "nh3", "munkres", "packaging", "prometheus_client"),
        *("markupsafe", "platformdirs", "segno", "sqlalchemy", "starlette", "tzdata", "uvicorn", "webauthn"),
        *(["uvloop"] if sys.platform != "win32" else []),
    ),
    "postgres": ("pg8000",),
    "import": ("defusedxml", "PIL", "shapely", "svgelements"),
}
"""The modules that each extra brings, without those of the extras it includes."""

INCLUDED: Mapping[str, tuple[str, ...]] = {
    "selfplay": ("fast",),
    "ray": ("selfplay", "fast"),
    "png": ("maps",),
    "poster": ("png", "maps"),
    "server": ("maps",),
    "postgres": ("server", "maps"),
    "import": ("maps",),
}
"""The extras that an extra includes."""

TOOLS = (
    ("pipx_metadata.json", "pipx install --force"),
    ("uv-receipt.toml", "uv tool install"),
)
"""Files at the top of environments that a tool keeps for one program, and its command, which has to name all extras."""


_THIS = say("This")


def missing(extra: str, *modules: str, what: str = _THIS) -> str:
    """Return a sentence with the command that installs an extra; empty if its `modules` (by default all) are there."""
    if all(map(_is_there, modules or EXTRAS[extra])):
        return ""
    return _needs(extra, what)


def check(extra: str, *modules: str, what: str = _THIS) -> None:
    """Raise `MissingExtra` if an extra, or the `modules` of it that are named, is not installed."""
    why = missing(extra, *modules, what=what)
    if why:
        raise MissingExtra(why)


@contextmanager
def require(extra: str, what: str = _THIS) -> Iterator[None]:
    """Import what an extra brings inside of this: `MissingExtra` is raised in the place of an `ImportError`."""
    try:
        yield
    except ImportError as fault:
        owner = _owner(fault, (extra, *INCLUDED.get(extra, ())))
        if isinstance(fault, MissingExtra) or not owner:
            raise
        if owner not in (extra, *INCLUDED.get(extra, ())):
            extra, what = owner, _THIS
        raise MissingExtra(_needs(extra, what)) from fault


def explain(fault: ImportError) -> str:
    """Which extra would have brought what could not be imported, a sentence; else the fault in its own words."""
    extra = _owner(fault)
    return _needs(extra, _THIS) if extra else str(fault)


def _needs(extra: str, what: str) -> str:
    return say(
        "{what} needs the extra '{extra}'; install it with: {command}.", what=what, extra=extra, command=command(extra)
    )


def command(extra: str) -> str:
    """Return the command that installs an extra into the environment of this process, with the tool that made it."""
    there = [name for name, modules in EXTRAS.items() if all(map(_is_there, modules))]
    package = f"'plenipo[{','.join([*there, extra])}]'"
    runner = _runner()
    if runner:
        return f"{runner} {package} plenipo"
    for file, tool in TOOLS:
        if (Path(sys.prefix) / file).is_file():
            return f"{tool} {package}"
    return f"{'uv ' if not _is_there('pip') and _made_by_uv() else ''}pip install 'plenipo[{extra}]'"


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # a parent package is missing or broken
        return False


def _runner() -> str:
    """Return the command that made this environment for one run and installs nothing for good; empty if none did."""
    prefix = Path(sys.prefix)
    if prefix.parent.name.startswith("archive-v") and _made_by_uv():
        return "uvx --from"
    if (prefix / "pipx_metadata.json").is_file() and (prefix.parent / "CACHEDIR.TAG").is_file():
        return "pipx run --spec"
    return ""


def _made_by_uv() -> bool:
    settings = Path(sys.prefix) / "pyvenv.cfg"
    return settings.is_file() and any(line.startswith("uv ") for line in settings.read_text("utf-8").splitlines())


def _owner(fault: ImportError, likely: Sequence[str] = ()) -> str:
    """Return the first extra that brings the missing module, the `likely` ones before others; empty if none does."""
    module = (fault.name or "").partition(".")[0]
    return next((extra for extra in (*likely, *EXTRAS) if module in EXTRAS[extra]), "")
