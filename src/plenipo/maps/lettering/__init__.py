"""Placement of names, codes, units and marks on a map: searched for, checked, stored and read."""
