"""Formats of files that hold games, one module each: in and out."""

from collections.abc import Mapping
from types import MappingProxyType

from plenipo.formats.ai_diplomacy import AI_DIPLOMACY
from plenipo.formats.backstabbr import BACKSTABBR
from plenipo.formats.base import Format, GamePart, LoadRules
from plenipo.formats.daide import DAIDE
from plenipo.formats.diplomacy_package import DIPLOMACY
from plenipo.formats.droidippy import DROIDIPPY
from plenipo.formats.jdip import JDIP
from plenipo.formats.judge import JUDGE
from plenipo.formats.plain_text import PLAIN_TEXT
from plenipo.formats.plenipo_record import RECORD
from plenipo.formats.webdiplomacy import WEBDIPLOMACY

__all__ = ["FORMATS", "Format", "GamePart", "LoadRules"]

_ALL = (
    RECORD,
    WEBDIPLOMACY,
    DIPLOMACY,
    AI_DIPLOMACY,
    PLAIN_TEXT,
    DROIDIPPY,
    DAIDE,
    JDIP,
    JUDGE,
    BACKSTABBR,
)

FORMATS: Mapping[str, Format] = MappingProxyType({form.name: form for form in _ALL})
"""Every format by its name, Plenipo's own first."""
