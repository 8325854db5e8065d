"""The words of written orders: verbs, prepositions and other words between names."""

from collections.abc import Mapping
from enum import Enum

__all__ = [
    "BY_SEA",
    "COURTESIES",
    "DAIDE_UNITS",
    "ENDS_OF_NAMES",
    "FILLERS",
    "GREETINGS",
    "HEADINGS",
    "LEFT_OUT",
    "NUMBERS",
    "OUTCOMES",
    "PHRASES",
    "PHRASE_ENDS",
    "PHRASE_STARTS",
    "PREAMBLES",
    "STILL",
    "TO",
    "TOWARDS",
    "UNIT_WORDS",
    "VERBS",
    "VERB_WORDS",
    "Verb",
]


class Verb(Enum):
    """A verb of an order; the words are those of players, adjudicators and DAIDE (`HLD`, `MTO`, `CVY`)."""

    HOLD = (
        "h hol hold holds holding hld held stand stands standing std stay stays staying remain remains remaining "
        "sit sits sitting defend defends defending stet hodl hodls "
        "halt halts wait waits"
    )
    MOVE = (
        "m mv mov move moves moved moving mto cto go goes going attack attacks attacking enter enters entering "
        "march marches marching advance advances advancing invade invades invading sail sails sailing "
        "walk walks walking occupy occupies take takes taking capture captures att atk "
        "send sends sending head heads heading travel travels travelling traveling proceed proceeds proceeding"
    )
    SUPPORT = (
        "s sup supp suppt support supports supporting help helps helping aid aids aiding assist assists assisting "
        "back backs backing spt sh sm "
        "cover covers covering suport suports supprt supprts suppport suppports"
    )
    CONVOY = (
        "c cvy conv convoy convoys convoying transport transports transporting "
        "carry carries carrying bring brings bringing convy convys ferry ferries ferrying ship ships shipping"
    )
    CONVERT = "t turn turns turning convert converts converting transform transforms transforming trafo become becomes"
    RETREAT = (
        "r ret retr rto retreat retreats retreating withdraw withdraws withdrawing flee flees fleeing "
        "escape escapes escaping run runs running"
    )
    DISBAND = (
        "d dis disb dsb disband disbands disbanded disbanding disbandment disbandments rem remove removes removed "
        "removing removal removals drop drops dropped destroy destroys destroyed scrap scraps scrapped "
        "eliminate eliminates eliminated delete deletes deleted annihilate annihilated "
        "kill kills killed die dies otb"
    )
    BUILD = (
        "b bld build builds building built raise raises raised place places placed new "
        "recruit recruits recruiting create creates creating"
    )
    WAIVE = "w wve pass passes waive waives waived waiving postpone postpones postponed skip skips skipping"
    CHOOSE = "choose chooses choosing select selects selecting"


VERBS: Mapping[str, Verb] = {word: verb for verb in Verb for word in verb.value.split()}
VERB_WORDS = frozenset(VERBS)
"""Every word that is read as a verb."""

TO = frozenset(("-", ">", "to", "into"))
"""The words before a destination."""

TOWARDS = TO | {"onto", "toward", "towards", "on", "upon", "against", "for", "in"}
"""The words before a destination after a verb of movement."""

BY_SEA = frozenset(("convoy", "conv", "cvy", "sea", "boat", "ship", "water"))
"""The means of transport that mean a convoy."""

FILLERS = frozenset(("the", "in", "at", "of", "from", "own", "my", "our"))
"""Words round a unit that mean nothing."""

LEFT_OUT = frozenset(
    ("will", "shall", "must", "should", "is", "are", "gets", "get", "both", "all", "also", "to", "in", "its", "their")
)
"""Words between a unit and its verb that mean nothing."""

PREAMBLES = frozenset(
    (
        *("and", "then", "also", "please", "pls", "plz", "order", "my", "our", "have", "let", "use", "could", "can"),
        *("i", "id", "ill", "we", "you", "like", "want", "would", "will"),
        *("first", "second", "third", "next", "finally"),
    )
)
"""Words before an order that mean nothing."""

COURTESIES = frozenset(("please", "pls", "plz", "thanks", "thx", "ty", "cheers"))
"""Words after an order that mean nothing."""

GREETINGS = COURTESIES | {"hi", "hello", "hey", "dear", "greetings", "regards", "best", "sincerely", "thank", "bye"}
"""Words that begin a greeting."""

STILL = frozenset(("fast", "put", "pat", "firm", "still", "there", "position", "ground", "its", "place"))
"""Words after `holds` that repeat it: `stands fast`, `holds its position`."""

HEADINGS = frozenset(
    (
        "orders",
        "order",
        "my",
        "our",
        "here",
        "these",
        "s",
        "are",
        "the",
        "for",
        "spring",
        "summer",
        "fall",
        "autumn",
        "winter",
        "adjustments",
        "phase",
        "turn",
        "year",
        "season",
    )
)
"""Words of a heading that mean nothing, as numbers do."""

ENDS_OF_NAMES = frozenset(
    (*VERBS, "to", "into", "via", "by", "through", "from", "with", "using", "onto", "towards", "and")
)
"""Words that end the name of a space, unless they are part of a whole name."""

UNIT_WORDS: Mapping[str, tuple[str, ...]] = {"army": ("amy", "ar", "amry"), "fleet": ("flt", "fl", "fleat")}
"""The abbreviations of a unit type, by its name."""

PHRASES: Mapping[tuple[str, ...], str] = {
    tuple(phrase.split()): word
    for word, phrases in {
        "holds": "does not move, doesnt move, do not move, dont move, will not move, not moving, no move, "
        "does nothing, do nothing",
        "supports": "gives support, give support, giving support, lends support",
        "retreats": "falls back, fall back, falling back, goes back, go back",
        "remove": "take off, takes off, taken off",
        "otb": "off the board, off board, no retreat, no retreats, no place to retreat, "
        "retreats to nowhere, retreat to nowhere",
        "there": "where it is, where it stands, where they are",
        "hold": "stands by, stand by",
        "choose": "choice is",
        "goes": "goes out, goes over, moves out, moves over, moves on",
        "waive": "dont build, do not build, nothing to build",
        "": "via land, by land, over land, which is, that is",
    }.items()
    for phrase in phrases.split(", ")
}
"""Several words that mean one; '' if they mean nothing."""

PHRASE_STARTS = frozenset(phrase[0] for phrase in PHRASES)
PHRASE_ENDS = frozenset(phrase[-1] for phrase in PHRASES)

OUTCOMES = frozenset(
    (
        *("fail", "fails", "failed", "failing", "bounce", "bounces", "bounced", "bouncing", "cut", "cuts"),
        *("dislodged", "succeeds", "succeeded", "success", "void", "nso", "nmr", "unordered", "ok"),
        *("misordered", "impossible", "illegal", "invalid"),
    )
)
"""Words of results, which some write behind or beside an order, and which mean nothing."""

DAIDE_UNITS = frozenset(("amy", "flt", "wve"))
"""Words that only the language of computer players (DAIDE) has; its parentheses mean nothing beside them."""

NUMBERS: Mapping[str, int] = {
    word: number
    for number, words in enumerate(("a an the my one", "both two", "three", "four", "five", "six"), 1)
    for word in words.split()
}
"""The number that a word means."""
