"""Deliveries that went wrong: sent again, or said to have arrived."""

from __future__ import annotations

from core.admin.base import Answer, Asked, Outcome, said, unclear
from core.faults.base import nearest
from core.store.deliveries import Delivery


async def resend(asked: Asked) -> Answer:
    """Deliver a submission once more where that failed: `resend N [DESTINATION]`."""
    chosen = await _chosen(asked, "resend")
    if isinstance(chosen, Answer):
        return chosen
    done = [one for one in chosen if await asked.store.resend(one.id)]
    return _told(asked, "resent", done or chosen)


async def arrived(asked: Asked) -> Answer:
    """A delivery that may have arrived has: `arrived N [DESTINATION]`."""
    chosen = await _chosen(asked, "arrived")
    if isinstance(chosen, Answer):
        return chosen
    done = [one for one in chosen if await asked.store.arrived(one.id)]
    asked.office.ring()
    return _told(asked, "arrived", done or chosen)


def _told(asked: Asked, key: str, those: list[Delivery]) -> Answer:
    number, names = asked.number(), ", ".join(one.destination for one in those)
    return said(asked, Outcome.DONE, key, f"{number} {names}", number=number, names=names)


async def _chosen(asked: Asked, verb: str) -> list[Delivery] | Answer:
    """The deliveries that are meant, or what to write where none can be."""
    number, word = asked.number(), asked.word(1)
    if not number:
        return unclear(asked, verb)
    if await asked.store.submission(number) is None:
        return said(asked, Outcome.UNKNOWN, "no_submission", number=number)
    every = await asked.store.deliveries_of(number)
    names = [one.destination for one in every]
    name = next((one for one in names if one.casefold() == word.casefold()), "")
    if word and not name:
        near = nearest(word, names) or ", ".join(names)
        filled = {"number": number, "name": word[:40], "near": near}
        return said(asked, Outcome.UNKNOWN, "no_destination", f"{number}", **filled)
    stuck = [one for one in every if one.stage.is_stuck and name in ("", one.destination)]
    if not stuck:
        return said(asked, Outcome.ALREADY, "not_stuck", f"{number} {name}".strip(), number=number)
    return stuck
