"""Boards of other programs: a reader for each format, and all of them yield one neutral value."""

from collections.abc import Mapping
from types import MappingProxyType

from plenipo.boards_in import daide, diplicity, godip, jdip, judge_maps, njudge, tables, wdiplomacy
from plenipo.boards_in.pictures.answers import add_answer
from plenipo.boards_in.pictures.reader import PICTURES
from plenipo.boards_in.source_files import SourceFiles, open_source
from plenipo.boards_in.values import (
    BoardFormat,
    BoardSource,
    BoardSpot,
    DeclaredContact,
    ImportChoices,
    ImportedBoard,
    ImportedPower,
    ImportedSpace,
    OpenQuestion,
)
from plenipo.boards_in.variant_files import ANSWERS, folder_name, variant_files

__all__ = [
    "ANSWERS",
    "READERS",
    "BoardFormat",
    "BoardSource",
    "BoardSpot",
    "DeclaredContact",
    "ImportChoices",
    "ImportedBoard",
    "ImportedPower",
    "ImportedSpace",
    "OpenQuestion",
    "SourceFiles",
    "add_answer",
    "folder_name",
    "open_source",
    "variant_files",
]

READERS: Mapping[str, BoardFormat] = MappingProxyType(
    {
        reader.name: reader
        for reader in (
            judge_maps.READER,
            njudge.READER,
            jdip.READER,
            wdiplomacy.READER,
            godip.READER,
            diplicity.READER,
            daide.READER,
            tables.READER,
            *PICTURES.values(),
        )
    }
)
"""Every reader by its name, in the order in which a source is searched."""
