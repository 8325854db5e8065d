"""Deals between powers: promises about orders, spaces and powers, under the rules of any variant.

`clauses` has the values and says which deals are void and which promises were kept, `agreements` follows deals over
phases, `trust` learns from them, `notation` reads and writes them as JSON, and `bargaining` finds and weighs them.
"""
