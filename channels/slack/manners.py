"""How the channel behaves, in seconds."""

from __future__ import annotations

from dataclasses import dataclass, field

from channels.slack.streaming import Pace
from core.state import Person


@dataclass(frozen=True)
class Manners:
    """`hold` is how long typed words wait for more of them; `patience` how long each thing may take
    that Slack waits for: where somebody's direct message is, who they are, what a form's values
    come to. There are two of them at most, and three seconds for all; `pace` how often a coming
    answer is shown; `reload` how long ago an ask may have been drawn to be drawn again after a
    restart. `unknown` is who somebody is whom Slack cannot tell."""

    hold: float = 0.7
    patience: float = 1.2
    pace: Pace = field(default_factory=Pace)
    reload: float = 3600.0
    unknown: Person = field(default_factory=lambda: Person(id="", zone_known=False))
