"""How the channel behaves, in seconds."""

from __future__ import annotations

from dataclasses import dataclass, field

from channels.telegram.menu import ADMIN
from channels.telegram.streaming import Pace
from core.state import Person


@dataclass(frozen=True)
class Manners:
    """`hold` is how long typed words wait for more of them; `patience` how long a tap waits for
    what comes of it before it is answered all the same (a client gives up after some seconds);
    `pace` how often a coming answer is shown; `reload` how long ago an ask may have been drawn to
    be drawn again after a restart. `unknown` is who somebody is before they chose: language, time
    zone, country. `admin` is the command of those who run the bot, empty where they have none.
    """

    hold: float = 0.7
    patience: float = 1.5
    pace: Pace = field(default_factory=Pace)
    reload: float = 3600.0
    admin: str = ADMIN
    unknown: Person = field(default_factory=lambda: Person(id="", zone_known=False))
