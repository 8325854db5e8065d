"""Rules that belong to places and are not to be seen there, counted in a picture of the board."""

from plenipo.charts import Chart
from plenipo.engine.sentences import say
from plenipo.mapfaults.reading import FaultCount, ReadPicture, classes

__all__ = ["unmarked_rules"]


def unmarked_rules(on: Chart, drawn: ReadPicture) -> FaultCount:
    """Count the rules of spaces and ways without a mark whose title says them, of all that a variant has."""
    marks = {
        (group.get("data-spaces", ""), group.findtext("{*}title"))
        for group in drawn.root.iter()
        if {"annotation", "rule"} <= classes(group)
    }
    rules = on.rules.place_rules if on.rules else ()
    return sum(
        (
            FaultCount.judge(
                say("the rule of {spaces} has no mark: {rule}", spaces=" ".join(rule.spaces), rule=str(rule.words)),
                faulty=(" ".join(rule.spaces), rule.words) not in marks,
            )
            for rule in rules
        ),
        FaultCount(0, 0),
    )
