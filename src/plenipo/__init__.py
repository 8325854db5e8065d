"""Plenipo: Diplomacy where the rules are a variable."""
