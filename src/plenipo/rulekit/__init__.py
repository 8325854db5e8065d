"""Reusable rule modules, one idea a file; a variant names them, they never name a variant."""

from collections.abc import Mapping
from types import MappingProxyType

from plenipo.engine.hooks import RuleModule
from plenipo.rulekit.chosen_homes import ChosenHomes
from plenipo.rulekit.corners import Corners
from plenipo.rulekit.crossings import Crossings
from plenipo.rulekit.declared_contacts import DeclaredContacts
from plenipo.rulekit.homes_frozen_at import HomesFrozenAt
from plenipo.rulekit.weighted_offence import WeightedOffence

__all__ = ["MODULES"]

MODULES: Mapping[str, type[RuleModule]] = MappingProxyType(
    {
        module.name: module
        for module in (ChosenHomes, Corners, Crossings, DeclaredContacts, HomesFrozenAt, WeightedOffence)
    }
)
"""Every rule module by the name a variant uses."""
