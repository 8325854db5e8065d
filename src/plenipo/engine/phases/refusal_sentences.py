"""The sentences of refused orders, as kinds: why an order that can be read is not legal in a position.

`plenipo.engine.phases.legality` and the modules beside it fill them in. A place is a part by its name, where the
sentence names one, and by its code and coast, where the order does. A type of unit is a part such as `an army`.
"""

from plenipo.engine.sentences import SentenceKind

# Units and phases

NO_UNIT = SentenceKind("no-unit", "there is no unit in {place}.")
NO_UNIT_TO_SUPPORT = SentenceKind("no-unit-to-support", "there is no unit in {place} to support.")
NO_UNIT_TO_CONVOY = SentenceKind("no-unit-to-convoy", "there is no unit in {place} to convoy.")
NONE_DISLODGED = SentenceKind("none-dislodged", "no unit was dislodged in {place}.")
ORDERED_BY_OTHERS = SentenceKind("ordered-by-others", "{unit} takes its orders from others.")
BELONGS_TO = SentenceKind("belongs-to", "{unit} belongs to {owner}, not to {power}.")
LETTER_MISSING = SentenceKind("letter-missing", "the order must say whether '{unit}' is {types}.")
OTHER_UNIT = SentenceKind("other-unit", "the unit in {place} is {unit}, not {written}.")
OTHER_PHASE = SentenceKind("other-phase", "'{order}' belongs to {kind}, and this is {phase}.")
NOT_ALLOWED = SentenceKind("not-allowed", "'{order}' is not allowed: {reason}")

# Notices

ONLY_MASTER_DRAWS = SentenceKind("only-master-draws", "only the game master ({master}) enters what was drawn.")
NO_PROMISES = SentenceKind("no-promises", "there are no promises in this game.")
NO_DRAWS_BY_HAND = SentenceKind("no-draws-by-hand", "this game has no draws that the game master enters.")
WORD_UNKNOWN = SentenceKind("word-unknown", "nobody writes {word} in this game.")

# Spaces and ways

NOT_ON_BOARD = SentenceKind("not-on-board", "{place} is not on the board.")
SPACE_SHUT = SentenceKind("space-shut", "{place} is {shut}.", note="{shut} is 'impassable' or another description.")
IMPASSABLE = SentenceKind("impassable", "impassable")()
CLOSED = SentenceKind("closed-to-all", "closed: nothing may enter")()
THERE_ALREADY = SentenceKind("there-already", "{unit} is in {place} already.")
NEVER_CONVOYED = SentenceKind("never-convoyed", "{type} cannot be convoyed.", note="{type} is 'an army' or the like.")
NO_CHAIN_TO = SentenceKind("no-chain-to", "no chain of fleets could convoy {unit} to {place}.")
NO_COAST_FOR = SentenceKind("no-coast-for", "{type} goes to {place}, not to a coast of it.")
CANNOT_ENTER = SentenceKind("cannot-enter", "{type} cannot enter {place}.")
OTHER_COAST_REACHES = SentenceKind(
    "other-coast-reaches", "{unit} does not reach {place}: only {type} on {coasts} does."
)
NOT_REACHED = SentenceKind("not-reached", "{unit} does not reach {place}.")
NOT_REACHED_BY_CONVOY = SentenceKind(
    "not-reached-by-convoy", "{unit} does not reach {place}, and no chain of fleets could convoy it there."
)
ONE_WAY = SentenceKind("one-way", "{unit} does not reach {place}: units pass from {place} to {here}, and not back.")
ONE_WAY_NO_CONVOY = SentenceKind(
    "one-way-no-convoy",
    "{unit} does not reach {place}, and no chain of fleets could convoy it there: units pass from {place} to {here}, "
    "and not back.",
)
COAST_NOT_REACHED = SentenceKind("coast-not-reached", "{unit} does not reach {coast}, only {reached}.")
COAST_MISSING = SentenceKind("coast-missing", "{unit} may go to {coasts}: the order must name the coast.")
NAME_THE_COAST = SentenceKind("name-the-coast", "the order must name the coast, {coasts}.")

# Combined units

CANNOT_LEAVE = SentenceKind("cannot-leave", "{part} cannot leave {unit}: {rest} cannot stand in {place} alone.")
PART_NOT_REACHED = SentenceKind("part-not-reached", "{part} of {unit} does not reach {place}.")

# Supports and convoys

SUPPORTS_ITSELF = SentenceKind("supports-itself", "a unit cannot support itself.")
SUPPORTS_TO_ITSELF = SentenceKind("supports-to-itself", "a unit cannot support a move to the space it is in.")
CANNOT_SUPPORT = SentenceKind("cannot-support", "{unit} could not move to {place} and so cannot support there.")
OTHER_COAST_SUPPORTS = SentenceKind(
    "other-coast-supports",
    "{unit} could not move to {place}, as {type} on {coasts} could, and so cannot support there.",
)
CONVOYS_OR_SUPPORTS = SentenceKind(
    "convoys-or-supports",
    "{other} could reach {place} only if {unit} convoyed it, and {unit} cannot support it too.",
)
NO_CONVOY_IN = SentenceKind("no-convoy-in", "{unit} cannot convoy; no fleet may convoy in {place}.")
CANNOT_CONVOY = SentenceKind(
    "cannot-convoy", "{unit} cannot convoy; only {types} in a sea can.", note="{types} is 'a fleet' or a list."
)
NOT_CARGO = SentenceKind("not-cargo", "{unit} is not {types}, and only {plurals} are convoyed.")
NOT_ON_COAST = SentenceKind("not-on-coast", "{place} is not on a coast.")
NO_PART_OF_CHAIN = SentenceKind("no-part-of-chain-to", "{unit} is part of no chain of fleets from {start} to {place}.")

# Conversions and choices

MAY_TURN_INTO = SentenceKind("may-turn-into", "{unit} may turn into {others}.")
SEVERAL_CHOICES = SentenceKind("several-choices", "'{unit}' may be any of {choices}.")
MAY_CHOOSE = SentenceKind("may-choose", "{power} may choose {choices}.")
NOTHING_TO_CHOOSE = SentenceKind("nothing-to-choose", "{power} has nothing to choose.")

# Retreats

DISLODGED_FROM = SentenceKind("dislodged-from", "{unit} was dislodged from {place}.")
RETREAT_NOT_CONVOYED = SentenceKind(
    "retreat-not-convoyed", "{unit} does not reach {place}, and a retreat is never convoyed."
)
OCCUPIED_BY = SentenceKind("occupied-by", "{place} is occupied by {unit} of {power}.")
ATTACKER_CAME_FROM = SentenceKind("attacker-came-from", "the attacker of {unit} came from {place}.")
STAND_OFF_THERE = SentenceKind("stand-off-there", "a stand-off took place in {place}.")

# Adjustments

NOTHING_TO_REMOVE = SentenceKind("nothing-to-remove", "{power} has no unit to remove.")
NEEDS_NO_CENTRE = SentenceKind("needs-no-centre", "{unit} needs no centre, so nothing is won by its removal.")
NO_BUILD = SentenceKind("no-build", "{power} has no build.")
TAKES_BUILDS = SentenceKind(
    "takes-builds",
    "{type} takes {number} build, and {power} has {has}.",
    "{type} takes {number} builds, and {power} has {has}.",
)
TYPE_MISSING = SentenceKind("type-missing", "the order must say whether to build {types} in {place}.")
NO_COAST_TO_BUILD = SentenceKind("no-coast-to-build", "no {type} can be built in {place}, which has no coast.")
BUILT_ON_COAST = SentenceKind("built-on-coast", "{type} in {place} is built in {coasts}: the order must name it so.")
