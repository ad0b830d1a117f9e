"""What tokens cost, by a table that whoever runs the evals gives: no price is known here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from core.evals.record import Spent

Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]

MILLION = 1_000_000


class Price(BaseModel):
    """What a model's tokens cost, each in dollars per million tokens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: Dollars
    output: Dollars
    cache_read: Dollars
    cache_write: Dollars

    def of(self, spent: Spent) -> float:
        """What was spent, in dollars."""
        usage = spent.usage
        return (
            usage.input * self.input
            + usage.output * self.output
            + usage.cache_read * self.cache_read
            + usage.cache_creation * self.cache_write
        ) / MILLION


Prices = Mapping[str, Price]
"""Prices by the name of the model."""


def unpriced(spent: Mapping[str, Spent], prices: Prices) -> tuple[str, ...]:
    """The models that used tokens and have no price, by name."""
    return tuple(sorted(name for name, one in spent.items() if one.tokens and name not in prices))


def cost(spent: Mapping[str, Spent], prices: Prices) -> float | None:
    """What all models cost together, in dollars; None where one of them has no price."""
    if unpriced(spent, prices):
        return None
    return sum(prices[name].of(one) for name, one in sorted(spent.items()) if one.tokens)
