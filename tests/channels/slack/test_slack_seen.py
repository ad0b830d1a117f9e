"""A card's place says when the card came to be seen, by Slack's clock."""

from __future__ import annotations

import msgspec

from core.cards import Button, Chips
from core.channel import SEEN_AT
from core.effects import Change, Draw
from tests.support.slack.people import Person
from tests.support.slack_bot import SlackBot

CARD = Chips(
    id="c1", item="kind", title="Which one?", options=(Button(token="a", label="This one"),)
)


async def test_a_card_that_a_turn_drew_was_seen_when_its_message_was_posted(
    bot: SlackBot, ada: Person
) -> None:
    ada.runs("/surestep", "new")
    await bot.quiet()
    ask = (await bot.journey(ada)).ask
    assert ask is not None
    place = await bot.house.store.where(bot.lane(ada), ask.card)
    assert place is not None
    assert place[SEEN_AT] == float(bot.card(ada).ts)


async def test_a_card_that_changes_where_it_stands_was_seen_when_it_came(
    bot: SlackBot, ada: Person
) -> None:
    ada.runs("/surestep", "new")
    await bot.quiet()
    place = await bot.channel.carry_out(bot.lane(ada), Draw(card=CARD), None)
    assert place is not None
    came = place[SEEN_AT]
    assert came == float(place["messages"][-1])
    changed = Change(card=msgspec.structs.replace(CARD, title="Which one is it?"))
    after = await bot.channel.carry_out(bot.lane(ada), changed, place)
    assert after is not None
    assert (after[SEEN_AT], after["messages"]) == (came, place["messages"])
