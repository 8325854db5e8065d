"""Rulebooks: every point on which printed rules differ is a named policy; an edition is a bundle of them.

The keys are the issue numbers of chapter 4 of the Diplomacy Adjudicator Test Cases (DATC 3.0).
`POLICIES` is the one table: it holds the choices, their meaning and what each edition chooses; the help text, the
option parser and the checks all read it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from plenipo.engine.immutable import Brief, FrozenMap, name_text
from plenipo.engine.sentences import say
from plenipo.engine.wording import hint
from plenipo.errors import UnknownName

__all__ = ["DEFAULT_EDITION", "EDITIONS", "POLICIES", "Policy", "Rulebook"]

EDITIONS = ("standard", "1971", "1982", "2000", "2023")
"""The bundles one can name: the project's own default, then the printed rulebooks (1971 stands for 1976 too, 1982 for
1992, 2000 for 2008)."""

DEFAULT_EDITION = "standard"


@dataclass(frozen=True, slots=True)
class Policy(Brief):
    """One open point of the rules.

    `choices` maps each value to its meaning; `editions` gives the value each of `EDITIONS` takes, in that order.
    A policy with a single choice is settled: it is listed so that nobody has to guess.
    """

    key: str
    title: str
    choices: Mapping[str, str]
    editions: tuple[str, str, str, str, str]


def _policy(key: str, title: str, choices: Mapping[str, str], *editions: str) -> Policy:
    five = editions * 5 if len(editions) == 1 else editions
    standard, e1971, e1982, e2000, e2023 = five
    return Policy(key, title, FrozenMap(choices), (standard, e1971, e1982, e2000, e2023))


_ALL = (
    _policy(
        "4.A.1",
        "a convoy with several routes",
        {
            "all": "fails only if every route is broken",
            "any": "fails if any fleet convoying it is dislodged",
        },
        "all",
        "any",
        "all",
        "all",
        "all",
    ),
    _policy(
        "4.A.2",
        "convoy paradoxes",
        {
            "szykman": "a convoy in the paradox is not carried out",
            "1971": "a convoyed army does not cut a fleet's support of a fleet attacking a fleet that convoys it",
            "1982": "a convoyed army cuts no support given to an action in a sea where a fleet convoys",
            "2000": "as 1971, for any supporter, but only where that convoying fleet is necessary to the convoy",
        },
        "szykman",
        "1971",
        "1982",
        "2000",
        "2000",
    ),
    _policy(
        "4.A.3",
        "a convoy to an adjacent place",
        {
            "intent": "by convoy if ordered VIA or if an own fleet that could be needed convoys; never else by land",
            "intent-or-land": "as intent, but by land if the convoy fails",
            "explicit": "by convoy only if ordered VIA, and then never by land",
            "1971": "by land, unless the unit in the destination is ordered the opposite way and a convoy, "
            "of any power, is not disrupted",
        },
        "intent",
        "1971",
        "intent",
        "intent",
        "intent",
    ),
    _policy(
        "4.A.4",
        "a convoyed attack, out of the attacked place, on a supporter of that attack",
        {"no-cut": "does not cut the support", "cut": "cuts the support"},
        "no-cut",
    ),
    _policy(
        "4.A.5",
        "retreat to where a convoyed attacker came from",
        {"allowed": "allowed", "forbidden": "forbidden"},
        "allowed",
        "forbidden",
        "forbidden",
        "forbidden",
        "allowed",
    ),
    _policy("4.A.6", "a convoy path written in an order", {"ignored": "has no meaning"}, "ignored"),
    _policy(
        "4.A.7",
        "a dislodged unit whose attacker came, not head to head, from the place it was ordered to",
        {"bounces": "still stands off others there", "no-effect": "has no effect there"},
        "bounces",
        "no-effect",
        "no-effect",
        "no-effect",
        "no-effect",
    ),
    _policy("4.B.1", "a coast left out, several possible", {"void": "the order is void"}, "void"),
    _policy(
        "4.B.2",
        "a coast left out, one possible",
        {"filled": "the unit goes there", "void": "the order is void"},
        "filled",
    ),
    _policy(
        "4.B.3",
        "a coast named that cannot be reached",
        {"void": "the order is void", "corrected": "the unit goes to the coast it can reach, if only one"},
        "void",
    ),
    _policy(
        "4.B.4",
        "the coast in a support",
        {
            "optional": "may be left out; one that is named must match the move",
            "required": "must be named where the move could go to several",
        },
        "optional",
    ),
    _policy(
        "4.B.5",
        "a wrong coast of the ordered unit",
        {"ignored": "ignored", "void": "the order is void"},
        "ignored",
    ),
    _policy(
        "4.B.6",
        "a coast in an army's order",
        {"ignored": "ignored", "void": "the order is void"},
        "ignored",
    ),
    _policy("4.B.7", "the coast of a fleet built where there are several", {"required": "must be named"}, "required"),
    _policy(
        "4.C.1",
        "the letter of a unit left out",  # english: ok
        {"valid": "the order stands", "void": "the order is void"},
        "valid",
    ),
    _policy("4.C.2", "the letter of a unit wrong", {"valid": "the order stands", "void": "the order is void"}, "valid"),
    _policy(
        "4.C.3",
        "the letter of a build left out",  # english: ok
        {"army-inland": "an army where no fleet can be built, else void", "void": "the build is void"},
        "army-inland",
    ),
    _policy("4.C.4", "a fleet ordered built inland", {"void": "the build is void"}, "void"),
    _policy("4.C.5", "a nationality in a support", {"ignored": "ignored, even if wrong"}, "ignored"),
    _policy(
        "4.D.1", "several order sets from one power", {"latest": "the latest order set counts, unit by unit"}, "latest"
    ),
    _policy(
        "4.D.3",
        "two different orders for one unit in one order set",
        {"hold": "the unit holds", "first": "the first counts", "last": "the last counts"},
        "hold",
    ),
    _policy("4.D.4", "too many builds", {"first": "the first legal ones count"}, "first"),
    _policy("4.D.5", "two builds in one place", {"first": "the first counts"}, "first"),
    _policy("4.D.6", "too many removals", {"first": "the first legal ones count"}, "first"),
    _policy("4.D.7", "waiving builds", {"allowed": "allowed"}, "allowed"),
    _policy(
        "4.D.8",
        "removals nobody ordered: the farthest unit goes, a fleet before an army, then by the alphabet",
        {
            "owned": "farthest from the nearest owned centre, over land and sea alike",
            "home": "farthest from the nearest home centre; fleets by water, armies over land and sea alike",
        },
        "owned",
        "home",
        "home",
        "home",
        "owned",
    ),
    _policy("4.D.9", "hold support for a unit in civil disorder", {"counts": "counts"}, "counts"),
    _policy(
        "4.E.1",
        "an illegal order",
        {"holds": "is ignored; the unit holds and may be supported in place"},
        "holds",
    ),
    _policy("4.E.2", "a badly written order", {"each": "is read separately, the other orders stand"}, "each"),
    _policy("4.E.3", "implicit orders", {"none": "do not exist"}, "none"),
    _policy("4.E.4", "perpetual orders", {"none": "do not exist"}, "none"),
    _policy("4.E.5", "proxy orders", {"none": "do not exist"}, "none"),
    _policy("failed-convoy", "the effect of a failed convoy at its destination", {"none": "none whatever"}, "none"),
)

POLICIES: Mapping[str, Policy] = FrozenMap({policy.key: policy for policy in _ALL})
"""Every policy by its key, in the order of the DATC."""


@dataclass(frozen=True)
class Rulebook(Brief):
    """A choice for every policy; read one with `rulebook["4.A.2"]`.

    >>> Rulebook.edition("1971")["4.A.1"]
    'any'
    >>> Rulebook.edition("standard", {"4.A.2": "1982"})["4.A.2"]
    '1982'
    """

    name: str
    values: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "_table", dict(self.values))

    def __repr__(self) -> str:
        return name_text(self, ", ".join((self.name, *(f"{key}={value}" for key, value in self.deviations.items()))))

    def __getitem__(self, key: str) -> str:
        table: dict[str, str] = self.__dict__["_table"]
        return table[key]

    @property
    def deviations(self) -> dict[str, str]:
        """The policies in which this rulebook differs from the edition it is named after."""
        column = EDITIONS.index(self.name)
        return {key: value for key, value in self.values if value != POLICIES[key].editions[column]}

    @classmethod
    def edition(cls, name: str = DEFAULT_EDITION, policies: Mapping[str, str] | None = None) -> "Rulebook":
        """Return the edition `name`, with some `policies` chosen otherwise.

        Raises `UnknownName` for an edition, policy or choice that does not exist.
        """
        if name not in EDITIONS:
            raise UnknownName(
                say("'{name}' is not a rulebook; the editions are {editions}.", name=name, editions=", ".join(EDITIONS))
            )
        column = EDITIONS.index(name)
        values = {key: policy.editions[column] for key, policy in POLICIES.items()}
        for key, value in (policies or {}).items():
            if key not in POLICIES:
                raise UnknownName(say("'{key}' is not a policy; {hint}", key=key, hint=hint(key, POLICIES)))
            if value not in POLICIES[key].choices:
                choices = ", ".join(POLICIES[key].choices)
                raise UnknownName(
                    say(
                        "'{value}' is not a choice of policy {key}; the choices are {choices}.",
                        value=value,
                        key=key,
                        choices=choices,
                    )
                )
            values[key] = value
        return cls(name, tuple(values.items()))
