"""Lessons: small positions in which a player gives orders, and sees whether they reach the goal; below the I/O line.

The lessons are data, `lessons.yaml` beside this file. An exercise is a worked case whose `expect` is the goal.
"""

from plenipo.learning.lessons import Exercise, ExerciseResult, Lesson, load_lessons

__all__ = ["Exercise", "ExerciseResult", "Lesson", "load_lessons"]
