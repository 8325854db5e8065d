"""Boards from pictures: shapes, lines and texts become a figure with contacts, names, centres and homes."""
