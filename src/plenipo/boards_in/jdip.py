"""Boards of jDip: `variants.xml`, and for each variant a file with its provinces and adjacencies.

`mv` is for armies, `xc` for fleets of a space with one coast, `nc` … for those of a named one. A `BORDER` closes a way
to some units, orders or seasons; of them only closed ways without other conditions are kept.
"""

import re
from typing import TYPE_CHECKING

from plenipo import extras
from plenipo.boards_in.drafts import BoardDraft, DraftPower, DraftSpace, coast_of, power_name
from plenipo.boards_in.source_files import SourceFiles, fault_at, shorten
from plenipo.boards_in.values import BoardFormat, BoardSource, BoardSpot, ImportedBoard
from plenipo.engine.sentences import say
from plenipo.errors import InvalidBoardFile

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = ["READER"]

ANY_CENTRE = "VALUE_BUILDS_ANY_OWNED"


def _xml(files: SourceFiles, path: str) -> "Element":
    """Return the root of an XML file; declarations of entities, and all that leads out of the file, are refused.

    jDip's files declare their elements in a DTD of their own, which no part of is used.
    """
    with extras.require("import", say("Reading XML")):
        from defusedxml import ElementTree  # noqa: PLC0415  # an extra
        from defusedxml.common import DefusedXmlException  # noqa: PLC0415
    try:
        root: Element = ElementTree.fromstring(files.text(path), forbid_dtd=False)
    except ElementTree.ParseError as fault:
        raise fault_at(path, fault.position[0], say("this is not XML.")) from fault
    except (DefusedXmlException, ValueError, LookupError) as fault:
        raise fault_at(path, 0, say("its XML declares entities or names other files.")) from fault
    return root


def find(files: SourceFiles) -> list[str]:
    """Return each variant in every `variants.xml`, as `path#name`."""
    found = []
    for path in files.find("*.xml"):
        try:
            if "<VARIANTS" not in files.text(path):
                continue
            found += [f"{path}#{variant.get('name', '')}" for variant in _xml(files, path).iter("VARIANT")]
        except InvalidBoardFile:
            if files.only or path.endswith("variants.xml"):
                found.append(path)
    return found


def _spellings(draft: BoardDraft) -> dict[str, str]:
    """Return the key of each space by every spelling of it."""
    spelt = {key: key for key in draft.spaces}
    for key, space in draft.spaces.items():
        for text in (space.name, *space.aliases):
            spelt.setdefault(text.strip().lower(), key)
    return spelt


def _split(text: str, spelt: dict[str, str]) -> tuple[str, str]:
    """Return a province and the coast of it that a text such as `stp-nc`, `stp/nc` or `stp(nc)` names."""
    word = text.strip().lower()
    match = re.fullmatch(r"(.+?)[-/(](nc|sc|ec|wc|xc|mv)\)?", word)
    name, coast = (match[1], coast_of(match[2])) if match and word not in spelt else (word, "")
    return spelt.get(name, name), coast


def _read_spaces(draft: BoardDraft, root: "Element") -> None:
    for province in root.iter("PROVINCE"):
        key = province.get("shortname", "").strip().lower()
        names = tuple(name.get("name", "") for name in province.iter("UNIQUENAME"))
        draft.add_space(key, DraftSpace(province.get("fullname", key), aliases=names))
        draft.spaces[key].port = province.get("isConvoyableCoast") == "true"
        if province.get("borders"):
            draft.leave_out(say("not kept: {what}.", what=say("a border with conditions")))
    spelt = _spellings(draft)
    for province in root.iter("PROVINCE"):
        key = province.get("shortname", "").strip().lower()
        for adjacency in province.iter("ADJACENCY"):
            way = adjacency.get("type", "mv")
            for word in adjacency.get("refs", "").split():
                to, coast = _split(word, spelt)
                draft.space(to)
                if to == key:
                    continue
                if way == "mv":
                    draft.armies.add((key, to))
                else:
                    draft.fleets.add((BoardSpot(key, coast_of(way)), BoardSpot(to, coast)))


def _read_opening(draft: BoardDraft, variant: "Element") -> None:
    by_name: dict[str, str] = {}
    spelt = _spellings(draft)
    for power in variant.iter("POWER"):
        name = power.get("name", "").strip()
        made = DraftPower(name, power.get("adjective", ""), played=power.get("active", "true") != "false", owned=[])
        draft.powers[name.casefold()] = made
        for other in (name, *power.get("altnames", "").split(",")):
            by_name.setdefault(other.strip().casefold(), name.casefold())

    def power_of(name: str | None) -> DraftPower | None:
        text = (name or "none").strip().casefold()
        if text in ("none", "any"):
            return None
        if text not in by_name:
            raise fault_at(draft.origin.file, 0, say("'{name}' is not a power of this board.", name=shorten(text)))
        return draft.powers[by_name[text]]

    for centre in variant.iter("SUPPLYCENTER"):
        key = _split(centre.get("province", ""), spelt)[0]
        draft.space(key).centre = True
        home, owner = power_of(centre.get("homepower")), power_of(centre.get("owner"))
        if home is not None:
            home.homes.append(key)
        if owner is not None and owner.owned is not None:
            owner.owned.append(key)
    for state in variant.iter("INITIALSTATE"):
        owner = power_of(state.get("power"))
        key = _split(state.get("province", ""), spelt)[0]
        draft.space(key)
        kind = {"army": "A", "fleet": "F", "a": "A", "f": "F"}.get(state.get("unit", "").lower(), "W")
        unit = (kind, key, coast_of(state.get("unitcoast", "")))
        if owner is None:
            draft.neutral.append(unit)
        elif state.get("unit"):
            owner.units.append(unit)


def read(files: SourceFiles, key: str) -> ImportedBoard:
    """Return a variant by `path#name`; raise `InvalidBoardFile`."""
    path, _, name = key.partition("#")
    root = _xml(files, path)
    variant = next((one for one in root.iter("VARIANT") if one.get("name", "") == name), None)
    if variant is None:
        raise fault_at(path, 0, say("it has no variant '{name}'.", name=shorten(name)))
    description = " ".join(re.sub(r"<[^>]*>", " ", variant.findtext("DESCRIPTION", "")).split())
    author = re.search(r"(?:Author|Designed by|by)[:s]*\s+([A-Z][\w.'-]*(?: [A-Z][\w.'-]*){0,3})", description)
    source = BoardSource("jDip", path, author[1] if author else "", "", description[:400])
    draft = BoardDraft(name, power_name(name), source)
    where = next((element.get("adjacencyURI", "") for element in variant.iter("MAP")), "")
    adjacencies = files.beside(path, where) if where else ""
    if not adjacencies:
        raise fault_at(path, 0, say("'{name}' is not beside it.", name=shorten(where)))
    draft.origin = BoardSource("jDip", adjacencies)
    _read_spaces(draft, _xml(files, adjacencies))
    draft.origin = source
    _read_opening(draft, variant)
    for option in variant.iter("RULEOPTION"):
        value = option.get("value", "")
        if value == ANY_CENTRE:
            draft.build = "owned"
        elif value not in ("VALUE_BUILDS_HOME_ONLY", "VALUE_WINGS_DISABLED"):
            draft.leave_out(say("not kept: {what}.", what=say("the rule {rule}", rule=shorten(value))))
    for element in variant.iter("WINNING_SUPPLY_CENTERS"):
        draft.victory = int(element.get("value", "0")) if element.get("value", "").isdecimal() else 0
    for element in variant.iter("STARTINGTIME"):
        turn = element.get("turn", "")
        match = re.search(r"(Spring|Fall|Winter)[^\d]*(\d+)\s*(BC)?\W*(\w*)", turn, re.IGNORECASE)
        if match:
            draft.year = -int(match[2]) if match[3] else int(match[2])
            draft.first_phase = (match[1].capitalize(), "adjustments" if "adj" in turn.lower() else "movement")
    return draft.board()


READER = BoardFormat("jdip", "jDip (variants.xml)", find, read)
"""The reader of the files of jDip."""
