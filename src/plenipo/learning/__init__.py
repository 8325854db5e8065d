"""Lessons: small positions in which a player gives orders, and sees whether they reach the goal; below the I/O line.

The lessons are data, `lessons.yaml` beside this file. An exercise is a worked case whose `expect` is the goal.
`rules.yaml` puts lessons together to the rules on five screens.
"""

from plenipo.learning.lessons import Exercise, ExerciseResult, Lesson, load_lessons
from plenipo.learning.lessons_about import RuleName, find_lessons_about, find_rules_about
from plenipo.learning.rules_screens import RuleNote, RulesScreen, ShownRule, load_rules_screens

__all__ = [
    "Exercise",
    "ExerciseResult",
    "Lesson",
    "RuleName",
    "RuleNote",
    "RulesScreen",
    "ShownRule",
    "find_lessons_about",
    "find_rules_about",
    "load_lessons",
    "load_rules_screens",
]
