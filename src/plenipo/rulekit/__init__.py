"""Reusable rule modules, one idea a file; a variant names them, they never name a variant."""

from collections.abc import Mapping

from plenipo.engine.hooks import RuleModule
from plenipo.engine.immutable import FrozenMap
from plenipo.rulekit.adjust_every_turn import AdjustEveryTurn
from plenipo.rulekit.advance_orders import AdvanceOrders
from plenipo.rulekit.anarchy import Anarchy
from plenipo.rulekit.bids import Bids
from plenipo.rulekit.black_holes import BlackHoles
from plenipo.rulekit.border_strengths import WayStrengths
from plenipo.rulekit.build_anywhere import BuildsAnywhere
from plenipo.rulekit.build_sites import SitesOfBuilds
from plenipo.rulekit.captures import Captures
from plenipo.rulekit.changing_board import ChangingBoard
from plenipo.rulekit.chosen_homes import ChosenHomes
from plenipo.rulekit.closed_countries import ClosedCountries
from plenipo.rulekit.coastal_convoys import CoastalConvoys
from plenipo.rulekit.command import JointCommand
from plenipo.rulekit.conversions import UnitConversions
from plenipo.rulekit.corners import Corners
from plenipo.rulekit.crossings import Crossings
from plenipo.rulekit.declared_contacts import DeclaredContacts
from plenipo.rulekit.default_orders import MissingSheets
from plenipo.rulekit.delayed_centres import DelayedCentres
from plenipo.rulekit.delayed_orders import DelayedOrders
from plenipo.rulekit.destroyed_in_centres import DestroyedInCentres
from plenipo.rulekit.draw_timing import TimeOfDraws
from plenipo.rulekit.earned_homes import HomesEarned
from plenipo.rulekit.fog import Fog
from plenipo.rulekit.garrisons import Garrisons
from plenipo.rulekit.hidden_unit_types import KindsHidden
from plenipo.rulekit.home_centres import HomeCentres
from plenipo.rulekit.homes_frozen_at import HomesFrozenAt
from plenipo.rulekit.lent_centres import Loans
from plenipo.rulekit.manual_draws import HandDraws
from plenipo.rulekit.money import Money
from plenipo.rulekit.no_convoy_spaces import NoConvoySpaces
from plenipo.rulekit.order_quota import Rations
from plenipo.rulekit.order_restrictions import Limits
from plenipo.rulekit.placement import Placement
from plenipo.rulekit.points import Points
from plenipo.rulekit.promises import PromiseRules
from plenipo.rulekit.raids import Raids
from plenipo.rulekit.railways import Lines
from plenipo.rulekit.secret_choices import Designations
from plenipo.rulekit.special_actions import Works
from plenipo.rulekit.splits import Splits
from plenipo.rulekit.supply import SupplyOfUnits
from plenipo.rulekit.timed_board import TimedBoard
from plenipo.rulekit.triggered_events import Happenings
from plenipo.rulekit.unit_types import UnitKinds
from plenipo.rulekit.vetoes import Vetoes
from plenipo.rulekit.victory_conditions import WaysToWin
from plenipo.rulekit.victory_measure import VictoryMeasure
from plenipo.rulekit.votes import Votes
from plenipo.rulekit.walkers import Walkers
from plenipo.rulekit.weighted_offence import WeightedOffence

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
            BuildsAnywhere,
            SitesOfBuilds,
            Captures,
            ChangingBoard,
            ChosenHomes,
            ClosedCountries,
            CoastalConvoys,
            UnitConversions,
            JointCommand,
            Corners,
            Crossings,
            DeclaredContacts,
            DelayedCentres,
            DelayedOrders,
            Designations,
            DestroyedInCentres,
            HomesEarned,
            Fog,
            Garrisons,
            HandDraws,
            Happenings,
            KindsHidden,
            HomeCentres,
            HomesFrozenAt,
            Limits,
            Lines,
            Loans,
            MissingSheets,
            Money,
            NoConvoySpaces,
            Placement,
            Points,
            PromiseRules,
            Raids,
            Rations,
            Splits,
            SupplyOfUnits,
            TimeOfDraws,
            TimedBoard,
            UnitKinds,
            Vetoes,
            VictoryMeasure,
            Votes,
            Walkers,
            WayStrengths,
            WaysToWin,
            WeightedOffence,
            Works,
        )
    }
)
"""Every rule module by the name a variant uses."""
