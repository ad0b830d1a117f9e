"""What has to be done from time to time, by itself: who left is reminded, what is old is deleted,
who asked for it is erased. Every process may do all of it; what is done twice has one effect."""

from core.upkeep.erasing import Erasing
from core.upkeep.halfway import HalfWay, Waits
from core.upkeep.handed_out import HandedOut
from core.upkeep.keeper import Chore, Keeper
from core.upkeep.retention import Keeps, Retention

__all__ = ["Chore", "Erasing", "HalfWay", "HandedOut", "Keeper", "Keeps", "Retention", "Waits"]
