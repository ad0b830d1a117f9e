"""What a terminal can show."""

WIDTH = 88
"""Columns that a card uses at most: longer lines are hard to read, on a wide screen too."""

NARROW = 40
"""Columns below which tables are no help."""

LINE = 20_000
"""Characters that one typed line may have; a longer one is refused kindly, not cut."""
