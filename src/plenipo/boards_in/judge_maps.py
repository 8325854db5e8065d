"""Boards of DPjudge and of the package `diplomacy`: `.map` files, which name one another with `USE` and `MAP`.

A line defines a place with its terrain and neighbours (`COAST VEN ABUTS ...`), a name with its code (`Venice = ven`),
a power with its homes, or what it begins with. Upper case among the neighbours is for all units, lower case for armies,
a capital for fleets. `AMEND` and `DROP` change what an earlier file says, `OLD -> New = new` renames.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from plenipo.boards_in.drafts import BoardDraft, DraftPower, DraftSpace, coast_of, power_name
from plenipo.boards_in.source_files import SourceFiles, fault_at, shorten
from plenipo.boards_in.values import BoardFormat, BoardSource, BoardSpot, ImportedBoard
from plenipo.engine.sentences import Sentence, say
from plenipo.errors import InvalidBoardFile

__all__ = ["READER"]

TERRAINS = {"WATER": "sea", "COAST": "coast", "PORT": "coast", "LAND": "inland", "SHUT": "inland"}
"""The kinds of terrain of a file, each with Plenipo's name for it."""

DEEPEST = 8
"""The largest depth to which files may name one another."""

MOST_LINES = 20_000
"""The most lines of a file and of all that it names."""

IGNORED = {"FLOW", "FLAG", "FLAGS", "NOTIFY", "TEXTONLY", "SIZE", "TEAM", "TEAMS"}
"""Words of lines about pages, pictures and people."""

RULE_WORDS = {"ROTATE", "NEWHOMES", "RESERVES", "MILITIA", "CONTROL", "LEAGUE", "FACTORY", "PARTISAN"}
"""Words of lines about rules that no module of a variant is made of."""

KEPT_RULES = {"BUILD_ANY", "REMOTE_BUILDS"}
"""Rules that let a power build in any centre it owns."""

PRESS_RULES = {"FTF_PRESS", "NO_DRAW", "LIMIT_OFFERS", "NO_PRESS", "PUBLIC_PRESS"}
"""Rules about messages and offers, which a host chooses."""


@dataclass
class _Place:
    """A place or a coast of one as its line says it; `lower` if no fleet stands there."""

    terrain: str
    lower: bool
    beside: list[str]
    line: int


@dataclass
class _Power:
    name: str
    adjective: str = ""
    homes: list[str] = field(default_factory=list)
    owned: list[str] | None = None
    units: dict[str, tuple[str, str]] = field(default_factory=dict)
    dummy: bool = False


class _MapReader:
    """The lines of a file and of those it names, read one after the other."""

    def __init__(self, files: SourceFiles, file: str) -> None:
        self.files, self.file = files, file
        self.names: dict[str, tuple[str, list[str]]] = {}
        self.places: dict[str, _Place] = {}
        self.powers: dict[str, _Power] = {}
        self.centres: dict[str, None] = {}
        self.rules: dict[str, None] = {}
        self.current: str | None = None
        self.begin: tuple[str, int, str] = ("SPRING", 1901, "MOVEMENT")
        self.victory = 0
        self.lines = 0
        self.notes: dict[Sentence, None] = {}
        self.skipping = False
        self.comment: list[str] = []

    def read(self, file: str, open_files: tuple[str, ...] = ()) -> None:
        """Read a file; raise `InvalidBoardFile` with the line that cannot be read."""
        if file in open_files:
            raise fault_at(file, 0, say("it names itself, over {files}.", files=open_files[-1]))
        if len(open_files) >= DEEPEST:
            raise fault_at(file, 0, say("the files name one another too deeply."))
        self.skipping = False
        for number, line in enumerate(self.files.text(file).split("\n"), 1):
            words = line.split()
            self.lines += 1
            if self.lines > MOST_LINES:
                raise fault_at(file, number, say("the map has too many lines."))
            if not words or words[0].startswith("#"):
                continue
            try:
                self._read_line(file, number, line, words, (*open_files, file))
            except (ValueError, IndexError) as fault:
                if isinstance(fault, InvalidBoardFile):
                    raise
                why = say("'{line}' is not a line of a map.", line=shorten(line.strip()))
                raise fault_at(file, number, why) from fault

    def _read_line(self, file: str, number: int, line: str, words: Sequence[str], open_files: tuple[str, ...]) -> None:
        head, rest = words[0].upper(), list(words[1:])
        if words[-1].upper() in ("DIRECTIVE", "DIRECTIVES"):
            self.skipping = head != "END"
            return
        if self.skipping or (head in ("IN", "FROM") and "=" not in line):
            self.notes[say("what changes at a date or in a variant of the judge")] = None
            self.skipping = self.skipping or (head in ("IN", "FROM") and ":" not in line)
        elif "=" in line:
            self._read_name(line)
        elif head in ("USE", "USES", "MAP"):
            for name in rest:
                wanted = name if "." in name else f"{name}.map"
                beside = self.files.beside(file, wanted) or next(iter(self.files.under("", f"/{wanted}")), "")
                if not beside:
                    why = say("'{name}' is not beside it.", name=shorten(name))
                    raise fault_at(file, number, why)
                self.read(beside, open_files)
        elif head == "BEGIN":
            year = int(next((word for word in rest if word.isdecimal()), rest[-1])[:6])
            season = next((word.upper() for word in rest if word.upper() in ("SPRING", "FALL", "WINTER")), "SPRING")
            self.begin = (season, -year if "B.C." in map(str.upper, rest) else year, rest[-1].upper())
        elif head == "VICTORY":
            self.victory = int(rest[-1])
        elif head in ("RULE", "RULES"):
            for rule in map(str.upper, rest):
                self.rules.pop(rule.lstrip("!"), None)
                self.rules |= {} if rule.startswith("!") else {rule: None}
        elif head in IGNORED:
            pass
        elif head in RULE_WORDS:
            self.notes[say("the rule {rule}", rule=head)] = None
        elif head in (*TERRAINS, "AMEND") and rest:
            self._read_place(head, rest, number)
        elif head == "DROP":
            for code in map(str.upper, rest):
                self._drop(code)
        else:
            self._read_power_line(head, rest)

    def _read_power_line(self, head: str, rest: list[str]) -> None:
        power = self.powers.get(self.current or "")
        if head in ("DUMMY", "DUMMIES", "UNPLAYED"):
            for name in self._names_in(rest):
                if head == "UNPLAYED":
                    self.powers.pop(name, None)
                else:
                    self.powers[name].dummy = True
        elif head in ("A", "F", "W") and len(rest) == 1:
            if power is None:
                raise ValueError(head)
            code, _, coast = rest[0].upper().partition("/")
            for other in self.powers.values():
                other.units.pop(code, None)
            power.units[code] = (head, coast)
        elif head == "UNITS" and power is not None:
            power.units = {}
        elif head in ("OWNS", "CENTERS") and power is not None:
            codes = [word.upper() for word in rest]
            power.owned = [*(power.owned or () if head == "OWNS" else ()), *codes]
            self.centres.update(dict.fromkeys(codes))
        elif head in ("INHABITS", "HOME", "HOMES") and power is not None:
            codes = [word.upper() for word in rest]
            power.homes = [*(power.homes if head == "INHABITS" else ()), *codes]
            self.centres.update(dict.fromkeys(codes))
        else:
            self._read_power(head, rest)

    def _read_name(self, line: str) -> None:
        left, _, said = line.partition("=")
        code, *aliases = said.split()
        old, arrow, name = left.partition("->")
        if not arrow:
            name = left
        elif old.strip():
            self._rename(old.strip().upper(), code.upper())
        kept = [alias.rstrip("?").replace("+", " ") for alias in aliases if "/" not in alias and "(" not in alias]
        self.names[code.upper()] = (name.strip(), kept)

    def _rename(self, old: str, new: str) -> None:
        def fresh(word: str) -> str:
            lead = word[: len(word) - len(word.lstrip("-*~"))]
            core = word[len(lead) :]
            if core.upper().partition("/")[0] != old.partition("/")[0] or "/" in old:
                return word
            renamed = new + core[len(old) :]
            return lead + (renamed.lower() if core.islower() else renamed.title() if core.istitle() else renamed)

        self.names = {fresh(code): named for code, named in self.names.items()}
        self.places = {fresh(code): place for code, place in self.places.items()}
        for place in self.places.values():
            place.beside = [fresh(word) for word in place.beside]
        self.centres = {fresh(code): None for code in self.centres}
        for power in self.powers.values():
            power.homes = [fresh(code) for code in power.homes]
            power.owned = None if power.owned is None else [fresh(code) for code in power.owned]
            power.units = {fresh(code): unit for code, unit in power.units.items()}

    def _read_place(self, head: str, rest: list[str], number: int) -> None:
        code, beside = rest[0], rest[2:]
        if len(rest) > 1 and rest[1].upper() != "ABUTS":
            raise ValueError(rest[1])
        known = self.places.get(code.upper())
        if code.isupper() and known is not None and known.lower:
            for other in [key for key in self.places if key.startswith(f"{code}/")]:
                del self.places[other]
        if head == "AMEND":
            if known is None:
                raise ValueError(code)
            known.lower = code.islower()
            for word in beside:
                if word.startswith("-"):
                    gone = word[1:].upper()
                    known.beside = [other for other in known.beside if not other.upper().startswith(gone)]
                else:
                    known.beside.append(word)
            return
        kept = known.beside if known is not None and len(rest) == 1 else beside
        self.places[code.upper()] = _Place(head, code.islower(), list(kept), number)

    def _read_power(self, head: str, rest: list[str]) -> None:
        if len(rest) > 1 and rest[0] == "->":
            new, old = rest[1].upper(), _power_key(head)
            if old in self.powers:
                self.powers[old].dummy |= new.startswith("_")
            self.powers = {_power_key(new) if key == old else key: power for key, power in self.powers.items()}
            head, rest = new, rest[2:]
            if _power_key(head) in self.powers:
                self.powers[_power_key(head)].name = power_name(head)
        words = [word for word in rest if not word.startswith(("(", "&", "@"))]
        if any(word.startswith(("&", "@")) for word in rest):
            self.notes[say("places where partisans and factories raise units")] = None
        codes = [word.upper() for word in words if not word.startswith("-")]
        taken = [word[1:].upper() for word in words if word.startswith("-")]
        if any(not re.fullmatch(r"-?[*+?@&]*\w+[*+?]*", word) for word in words):
            raise ValueError(head)
        codes = [code.strip("*+?") for code in codes]
        if head in ("UNOWNED", "NEUTRAL", "CENTERS"):
            self.current = None
            self.centres.update(dict.fromkeys(codes))
            for code in taken:
                self.centres.pop(code, None)
            return
        if not re.fullmatch(r"[A-Z0-9_][\w+.'&-]*", head):
            raise ValueError(head)
        self.current = _power_key(head)
        power = self.powers.setdefault(self.current, _Power(power_name(head), dummy=head.startswith("_")))
        word = next((word[1:].rstrip(")").partition(":")[0] for word in rest if word.startswith("(")), "")
        power.adjective = power_name(word) or power.adjective
        power.homes = [home for home in power.homes if home not in taken and home not in codes] + codes
        self.centres.update(dict.fromkeys((*codes, *taken)))

    def _names_in(self, words: Iterable[str]) -> list[str]:
        names = [_power_key(word.upper().strip(",")) for word in words]
        if not names:
            return [self.current] if self.current in self.powers and self.current else []
        if names[0] != "ALL":
            return [name for name in names if name in self.powers]
        return [name for name in self.powers if name not in names[2:]]

    def _drop(self, code: str) -> None:
        self.places = {key: place for key, place in self.places.items() if not key.startswith(code)}
        for place in self.places.values():
            place.beside = [word for word in place.beside if not word.upper().startswith(code)]
        self.names = {key: name for key, name in self.names.items() if not key.startswith(code)}
        self.centres.pop(code, None)
        for power in self.powers.values():
            power.homes = [home for home in power.homes if home != code]
            power.owned = None if power.owned is None else [home for home in power.owned if home != code]
            power.units.pop(code, None)

    def draft(self) -> BoardDraft:
        """Return the draft of all that was read."""
        stem = self.file.rpartition("/")[2].removesuffix(".map")
        draft = BoardDraft(stem, power_name(stem), BoardSource("DPjudge or the package diplomacy", self.file))
        draft.year, draft.victory = self.begin[1], self.victory
        draft.first_phase = (self.begin[0].capitalize(), self.begin[2].lower())
        for code, place in self.places.items():
            if "/" in code:
                continue
            name, aliases = self.names.get(code, (code, []))
            space = DraftSpace(name, TERRAINS[place.terrain], code in self.centres, tuple(aliases))
            space.impassable, space.port = place.terrain == "SHUT", place.terrain == "PORT"
            draft.add_space(code, space, place.line)
        for code, place in self.places.items():
            for word in place.beside:
                self._add_step(draft, code, place, word)
        for name, power in self.powers.items():
            known = [home for home in power.homes if draft.space(home)]
            made = DraftPower(power.name, power.adjective, homes=known, owned=power.owned, played=not power.dummy)
            for code, (kind, coast) in power.units.items():
                draft.space(code)
                made.units.append((kind, code, coast))
            draft.powers[name] = made
        for code in self.centres:
            draft.space(code).centre = True
        self._add_rules(draft)
        return draft

    def _add_step(self, draft: BoardDraft, code: str, place: _Place, word: str) -> None:
        text = word
        if ":" in text or "(" in text or text.endswith(("*", "~")) or not text[0].isalnum():
            draft.leave_out(say("not kept: the condition on the contact {one} - {other}.", one=code, other=word))
            text = text.partition(":")[2] or text
            text = text.partition("(")[0].strip("*~+?=<>!&^%$#@")
        if not text:
            return
        key, _, coast = text.upper().partition("/")
        other = self.places.get(text.upper()) or self.places.get(key)
        if other is None:
            draft.space(key, place.line)
            return
        start, _, start_coast = code.partition("/")
        mixed = len(text.partition("/")[0]) > 1 and text[0].isupper() and text[1:].islower()
        dry, wet = ("WATER", "SHUT"), ("LAND", "SHUT")
        # a neighbour by its coast is one for armies too: COAST FIN ABUTS STP/SC
        if not start_coast and place.terrain not in dry and other.terrain not in dry and not mixed:
            draft.armies.add((start, key))
        blocked = place.lower or (self.places.get(text.upper(), other).lower and not coast)
        if place.terrain not in wet and other.terrain not in wet and not blocked and text[0].isupper():
            draft.fleets.add((BoardSpot(start, start_coast), BoardSpot(key, coast_of(coast) or coast)))

    def _add_rules(self, draft: BoardDraft) -> None:
        for rule in self.rules:
            if rule in KEPT_RULES:
                draft.build = "owned"
            elif rule not in PRESS_RULES and rule != "HOME_BUILDS":
                draft.leave_out(say("not kept: {what}.", what=say("the rule {rule}", rule=rule)))
        for note in self.notes:
            draft.leave_out(say("not kept: {what}.", what=note))


def _power_key(name: str) -> str:
    """Return the name of a power as lines about it may spell it, with or without joints."""
    return name.translate({ord(sign): None for sign in "+-_"})


def find(files: SourceFiles) -> list[str]:
    """Return the `.map` files that say where units stand or name others that do."""
    return [path for path in files.find("*.map") if _looks_right(files, path)]


def _looks_right(files: SourceFiles, path: str) -> bool:
    try:
        text = files.text(path)
    except InvalidBoardFile:
        return bool(files.only)
    return bool(files.only or re.search(r"(?mi)^\s*(USES?|MAP|(WATER|COAST|LAND|PORT)\s+\S+\s+ABUTS)\s", text))


def read(files: SourceFiles, key: str) -> ImportedBoard:
    """Return the board of a `.map` file; raise `InvalidBoardFile`."""
    reader = _MapReader(files, key)
    reader.read(key)
    return reader.draft().board()


READER = BoardFormat("judge_map", "DPjudge and the package diplomacy (.map)", find, read)
"""The reader of `.map` files."""
