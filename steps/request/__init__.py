"""Somebody in a team asks for access, or for a purchase."""
