"""The sentences about texts that cannot be read as orders, and about order sets, as kinds.

`piece` is the part of the text that is wrong, as the player wrote it; orders and codes are in canonical notation.
"""

from plenipo.engine.sentences import SentenceKind

# Names

PLACE_NAMED = SentenceKind("place-named", "{place} ({name})", note="A code and the name of its space: 'PAR (Paris)'.")
MAY_BE = SentenceKind("may-be", "'{piece}' may be {ways}; write one of them.")
NO_SPACE = SentenceKind("no-space", "'{piece}' is not a space of this board; a space is written by its code or name.")
NO_SPACE_EXAMPLE = SentenceKind(
    "no-space-example",
    "'{piece}' is not a space of this board; a space is written by its code or name, such as {example}.",
)
NO_SPACE_NEAREST = SentenceKind(
    "no-space-nearest",
    "'{piece}' is not a space of this board; the nearest is {nearest}.",
    "'{piece}' is not a space of this board; the nearest are {nearest}.",
    count="nearest",
)
NO_MEETING = SentenceKind("no-meeting", "'{piece}' is not a space of this board, which has no such meeting of areas.")
SPACE_SHOULD_FOLLOW = SentenceKind("space-should-follow", "'{piece}' ends where the name of a space should follow.")
NAMES_NO_SPACE = SentenceKind("names-no-space", "'{piece}' names no space.")
NAME_WITHOUT_END = SentenceKind("name-without-end", "'{piece}' has no end; write ')' after the name.")
COAST_WITHOUT_SPACE = SentenceKind(
    "coast-without-space", "'{piece}' is a coast; write its space before it, as in 'STP/NC'."
)
NOT_A_COAST = SentenceKind("not-a-coast", "'{piece}' is not a coast; write NC, SC, EC or WC.")
UNIT_WITHOUT_SPACE = SentenceKind("unit-without-space", "'{piece}' is a unit without a space; write it as in 'A PAR'.")
NO_POWER_ONE_OF = SentenceKind("no-power-one-of", "'{piece}' is not a power of this game; the powers are {powers}.")
NO_POWER = SentenceKind("no-power", "'{piece}' is not a power of this game; leave it out.")

# Orders

NO_ORDER = SentenceKind("no-order-such-as", "'{piece}' is not an order; write one such as 'A PAR H'.")
NOT_AN_ORDER = SentenceKind("not-an-order", "'{piece}' is not an order.")
UNIT_WITHOUT_ORDER = SentenceKind(
    "unit-without-order", "'{piece}' is a unit without an order; write {choices} after it."
)
NO_VERB = SentenceKind("no-verb", "'{piece}' is not an order; after a unit write {choices}.")
VERB_WITHOUT_UNIT = SentenceKind(
    "verb-without-unit", "'{piece}' has no unit before it; write an order such as 'A PAR H'."
)
BEGUN_AS = SentenceKind("begun-as", "'{piece}' begins as '{word}' and continues as '{order}'; write one.")
BEGUN_AS_HOLD_SUPPORT = SentenceKind(
    "begun-as-hold-support", "'{piece}' begins as a support to hold and continues as '{order}'; write one."
)
BEGUN_AS_MOVE_SUPPORT = SentenceKind(
    "begun-as-move-support", "'{piece}' begins as a support of a move and continues as '{order}'; write one."
)
NOT_CLEAR = SentenceKind("not-clear", "'{piece}' is not clear after {unit}; write '{one}' or '{other}'.")
RETREAT_OF_STEPS = SentenceKind(
    "retreat-of-steps", "'{piece}' is more than one step, and a retreat is one; write where to."
)
NO_NUMBER_TO_WAIVE = SentenceKind(
    "no-number-to-waive", "'{piece}' is not a number of builds to waive; write 1 or more."
)
WHICH_UNIT_GOES = SentenceKind(
    "which-unit-goes", "'{piece}' does not say which unit goes there; write the unit before it."
)
WHICH_UNIT_HELPED = SentenceKind(
    "which-unit-helped", "'{piece}' does not say which unit it helps; name that unit at the end."
)
CONVOY_WITHOUT_END = SentenceKind(
    "convoy-without-end", "'{piece}' is a convoy without a destination; write it as in 'F NTH C A YOR - NWY'."
)
WAY_WITHOUT_END = SentenceKind(
    "way-without-end", "'{piece}' names a way but no destination; write '-' and a space after it."
)
SEVERAL_STEPS = SentenceKind("several-steps", "'{piece}' names more than one step, and {reason}; write {ways}.")
TYPE_NOT_CONVOYED = SentenceKind("type-not-convoyed", "{type} is not convoyed")
NONE_CONVOYED = SentenceKind("none-convoyed", "nothing is convoyed")()
CARRIES_NO_CONVOY = SentenceKind("carries-no-convoy", "{place} carries no convoy")
ORDER_TEXT = SentenceKind("order-text", "'{order}'", note="An order in quotation marks.")
MORE_THAN_SPACE = SentenceKind("more-than-space", "'{piece}' is more than the name of a space needs; leave it out.")
MORE_THAN_UNIT = SentenceKind("more-than-unit", "'{piece}' is more than the name of a unit needs; leave it out.")
MORE_THAN_ORDER = SentenceKind("more-than-order", "'{piece}' is more than the order '{order}' needs; leave it out.")

# Names of orders, and of the words that may follow a unit, by the kind of the phase

A_HOLD = SentenceKind("a-hold", "a hold")()
A_MOVE = SentenceKind("a-move", "a move")()
A_SUPPORT = SentenceKind("a-support", "a support")()
A_CONVOY = SentenceKind("a-convoy", "a convoy")()
A_RETREAT = SentenceKind("a-retreat", "a retreat")()
A_DISBANDMENT = SentenceKind("a-disbandment", "a disbandment")()
A_BUILD = SentenceKind("a-build", "a build")()
A_WAIVED_BUILD = SentenceKind("a-waived-build", "a waived build")()
A_CONVERSION = SentenceKind("a-conversion", "a conversion")()
A_CHOICE = SentenceKind("a-choice", "a choice")()
NEXT_IN_MOVEMENT = SentenceKind("next-in-movement", "-, S, C or H")()
NEXT_IN_RETREATS = SentenceKind("next-in-retreats", "- or D")()
NEXT_IN_ADJUSTMENTS = SentenceKind("next-in-adjustments", "B or D")()
NEXT_IN_CHOICE = SentenceKind("next-in-choice", "nothing")()
OTHER_PHASE = SentenceKind(
    "order-of-other-phase", "'{piece}' is {noun}, which is ordered in {phases}; this is {phase}."
)
NOTHING_ORDERED_NOW = SentenceKind("nothing-ordered-now", "'{piece}' cannot be ordered now; {kind} asks for no orders.")
RETREAT_BY_CONVOY = SentenceKind(
    "retreat-by-convoy", "'{piece}' goes by convoy, but a retreat never does; write '{order}'."
)
TOO_LONG = SentenceKind("too-long", "'{piece}' is too long; write at most {number} characters.")
ORDER_TOO_LONG = SentenceKind("order-too-long", "'{piece}' is too long; an order has at most {number} characters.")
TOO_MANY_ORDERS = SentenceKind(
    "too-many-orders", "'{piece}' and what follows is not read; an order set has at most {number} orders."
)

# Order sets

FOR_OTHER_POWER = SentenceKind(
    "for-other-power", "'{order}' is written for {power}, and this is the order set of {own}."
)
TOO_MANY_PROMISES = SentenceKind(
    "too-many-promises", "'{order}' is one too many: an order set has at most {number} promises."
)
TOO_MUCH = SentenceKind("too-much", "'{order}' is too much: {power} has {number} and used them.")
MAY_BUILD = SentenceKind("may-build", "may build {number} in {sites}")
MUST_REMOVE = SentenceKind("must-remove", "must remove {number}")
MAY_CHOOSE_TASK = SentenceKind("may-choose-task", "may choose {choices}")
HAS_CHOICE = SentenceKind("has-choice", "has {choice}")
MUST_RETREAT = SentenceKind("must-retreat", "must retreat or disband {units}")
BUILDS_WAIVED = SentenceKind("builds-waived", "{number} build will be waived.", "{number} builds will be waived.")
UNITS_REMOVED = SentenceKind(
    "units-removed",
    "{number} unit will be removed by the rule of civil disorder.",
    "{number} units will be removed by the rule of civil disorder.",
)
WILL_BE_DISBANDED = SentenceKind(
    "will-be-disbanded",
    "{units} has no order and will be disbanded.",
    "{units} have no order and will be disbanded.",
    count="units",
)
WILL_HOLD = SentenceKind(
    "will-hold", "{units} has no order and will hold.", "{units} have no order and will hold.", count="units"
)
