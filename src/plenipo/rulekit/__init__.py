"""Reusable rule modules, one idea a file; a variant names them, they never name a variant."""

from collections.abc import Mapping

from plenipo.engine.hooks import RuleModule
from plenipo.engine.immutable import FrozenMap
from plenipo.rulekit.adjust_every_turn import AdjustEveryTurn
from plenipo.rulekit.advance_orders import AdvanceOrders
from plenipo.rulekit.anarchy import Anarchy
from plenipo.rulekit.bids import Bids
from plenipo.rulekit.black_holes import BlackHoles
from plenipo.rulekit.builds import BuildRules
from plenipo.rulekit.captures import Captures
from plenipo.rulekit.changing_board import ChangingBoard
from plenipo.rulekit.chosen_homes import ChosenHomes
from plenipo.rulekit.closed_countries import ClosedCountries
from plenipo.rulekit.command import JointCommand
from plenipo.rulekit.contacts import ContactRules
from plenipo.rulekit.convoys import ConvoySpaces
from plenipo.rulekit.corners import Corners
from plenipo.rulekit.default_orders import DefaultOrders
from plenipo.rulekit.delayed_centres import DelayedCentres
from plenipo.rulekit.delayed_orders import DelayedOrders
from plenipo.rulekit.draws import DrawRules
from plenipo.rulekit.fog import Fog
from plenipo.rulekit.garrisons import Garrisons
from plenipo.rulekit.hidden_unit_types import HiddenUnitTypes
from plenipo.rulekit.homes import HomeRules
from plenipo.rulekit.lent_centres import LentCentres
from plenipo.rulekit.money import Money
from plenipo.rulekit.order_quota import OrderQuota
from plenipo.rulekit.order_restrictions import OrderRestrictions
from plenipo.rulekit.placement import Placement
from plenipo.rulekit.points import Points
from plenipo.rulekit.promises import PromiseRules
from plenipo.rulekit.railways import Railways
from plenipo.rulekit.secret_choices import SecretChoices
from plenipo.rulekit.special_actions import SpecialActions
from plenipo.rulekit.splits import Splits
from plenipo.rulekit.triggered_events import TriggeredEvents
from plenipo.rulekit.unit_types import UnitTypes
from plenipo.rulekit.vetoes import Vetoes
from plenipo.rulekit.victory_conditions import VictoryConditions
from plenipo.rulekit.votes import Votes
from plenipo.rulekit.walkers import Walkers

__all__ = ["MODULES"]

MODULES: Mapping[str, type[RuleModule]] = FrozenMap(
    {
        module.name: module
        for module in (
            AdjustEveryTurn,
            AdvanceOrders,
            Anarchy,
            Bids,
            BlackHoles,
            BuildRules,
            Captures,
            ChangingBoard,
            ChosenHomes,
            ClosedCountries,
            ConvoySpaces,
            JointCommand,
            Corners,
            ContactRules,
            DelayedCentres,
            DelayedOrders,
            SecretChoices,
            Fog,
            Garrisons,
            DrawRules,
            TriggeredEvents,
            HiddenUnitTypes,
            HomeRules,
            OrderRestrictions,
            Railways,
            LentCentres,
            DefaultOrders,
            Money,
            Placement,
            Points,
            PromiseRules,
            OrderQuota,
            Splits,
            UnitTypes,
            Vetoes,
            Votes,
            Walkers,
            VictoryConditions,
            SpecialActions,
        )
    }
)
"""Every rule module by the name a variant uses."""
