"""Formats of files that hold games, one module each: in and out."""

from collections.abc import Mapping
from types import MappingProxyType

from plenipo.formats.base import Format, LoadRules
from plenipo.formats.diplomacy_package import DIPLOMACY
from plenipo.formats.plenipo_record import RECORD

__all__ = ["FORMATS", "Format", "LoadRules"]

FORMATS: Mapping[str, Format] = MappingProxyType({form.name: form for form in (RECORD, DIPLOMACY)})
"""Every format by its name, Plenipo's own first."""
