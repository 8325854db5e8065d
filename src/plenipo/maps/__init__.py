"""Drawn maps, in rooms: the figure, authoring, cutting, lettering and drawing."""
