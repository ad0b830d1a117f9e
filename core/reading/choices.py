"""Read which options were chosen: one (`choice`) or several (`choices`).

What a reply mentions is found first (`hearing`); it settles when the mentions say one thing and
everything beside them is harmless. "Not X", "X, no wait Y" and questions never settle; "X or Y" and
a mention that fits two options are suggestions, so that a tap decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, reduce

from core.reading.controls import is_done
from core.reading.hearing import Heard, heard
from core.reading.lexicon import FALLBACK, Lexicon, talk
from core.reading.mentions import How, Mention
from core.reading.result import Context, Outcome, Reading, beside, invalid, settled, suggested
from core.reading.tokens import normal
from core.reading.yes_no import Ask, answered

_FEW = 6


def choice(text: str, context: Context) -> Reading:
    """The one option that a reply chooses, as its key."""
    return _in_any_language(text, context, _one, several=False)


def choices(text: str, context: Context) -> Reading:
    """All options that a reply chooses, as their keys in the order of the options."""
    if is_done(text, context) and not _is_option(text, context):
        # "That's all" ends a list; it does not choose all of it.
        return beside(reason="beside")
    return _in_any_language(text, context, _many, several=True)


def _is_option(text: str, context: Context) -> bool:
    said = normal(text.strip(" .!"))
    names = (name for option in context.options for name in (option.label, *option.aliases))
    return any(normal(name) == said for name in names)


READERS = {"choice": choice, "choices": choices}


def _in_any_language(
    text: str, context: Context, reader: Callable[[Heard], Reading], *, several: bool
) -> Reading:
    if not context.options:
        return beside(reason="beside")
    own = talk(context.locale)
    first = reader(heard(text, context, own, several=several))
    if first.outcome is not Outcome.BESIDE or own.language == FALLBACK:
        return first
    if first.reason == "second_thought":
        return first  # What is taken back in one language stands in no other.
    other = reader(heard(text, context, talk(FALLBACK), several=several))
    return other if other.outcome is Outcome.SETTLED else first


def _one(said: Heard) -> Reading:
    answer = _yes_or_no(said)
    if answer is not None:
        return settled(answer)
    named = said.options_named
    keys = said.keys(_union(named))
    if said.of(How.EXCEPT):
        return beside(*keys, reason="negation")
    if said.named and said.of(How.ALL, How.BOTH, How.NONE):
        return beside(*keys, reason=said.rest.reason or "another_value")
    if not said.rest.harmless or not named:
        return beside(*keys, reason=said.rest.reason or "beside")
    if not all(mention.options or mention.group for mention in named):
        return invalid("not_an_option") if not keys else beside(*keys, reason="beside")
    common = reduce(frozenset.intersection, (_meant(mention) for mention in named))
    if len(common) == 1 and not said.alternatives:
        return settled(said.keys(common)[0])
    return suggested(*keys)


def _many(said: Heard) -> Reading:
    named = said.options_named
    keys = said.keys(_union(named))
    offers = (keys,) if keys else ()
    if not said.rest.harmless:
        return beside(*offers, reason=said.rest.reason)
    if said.of(How.EXCEPT):
        return _all_but(said)
    if said.of(How.NONE):
        return _checked(said, []) if not said.named else beside(*offers, reason="negation")
    if said.of(How.ALL, How.BOTH):
        return _together(said)
    if not named:
        return beside(reason="beside")
    if not all(mention.options or mention.group for mention in named):
        return invalid("not_an_option") if not keys else beside(*offers, reason="beside")
    if said.alternatives:
        return suggested(*([key] for key in keys), keys)
    return _listed(said, named, said.keys)


def _all_but(said: Heard) -> Reading:
    """ "Everything except 2": the rest, if "all" stands before and the exceptions behind."""
    (first, *more), groups = said.of(How.EXCEPT), said.of(How.ALL)
    left_out = said.named
    keys = said.keys(_union(left_out))
    in_order = (
        len(groups) == 1
        and not more
        and groups[0].end <= first.start
        and all(mention.start >= first.end for mention in left_out)
    )
    plain = left_out and all(mention.options or mention.group for mention in left_out)
    if not in_order or not plain or said.alternatives:
        return beside(reason="negation")
    everything = frozenset(range(len(said.context.options)))
    if len(keys) == len(everything):
        return beside(reason="negation")
    return _listed(said, left_out, lambda out: said.keys(everything - frozenset(out)))


def _together(said: Heard) -> Reading:
    """ "All of them", "both", "both A and B"."""
    named, everything = said.named, range(len(said.context.options))
    begun = _union(said.of(How.ALL))
    both = bool(said.of(How.BOTH))
    if both and named and len(_union(named)) == 2:
        return _listed(said, named, said.keys)
    if named or (both and len(everything) != 2):
        return beside(*([said.keys(_union(named))] if named else []), reason="beside")
    if begun:
        return suggested(said.keys(everything), said.keys(begun))
    return _checked(said, said.keys(everything))


def _listed(
    said: Heard, named: Sequence[Mention], value: Callable[[Iterable[int]], list[str]]
) -> Reading:
    """The value of the options named; one that fits several options gives one value for each."""
    certain = _union([m for m in named if m.group or len(m.options) == 1])
    unsure = [m.options - certain for m in named if not m.group and len(m.options) > 1]
    if not unsure:
        return _checked(said, value(certain))
    first = sorted(unsure[0])[:_FEW]
    return suggested(*(value([*certain, one]) for one in first))


def _checked(said: Heard, keys: list[str]) -> Reading:
    least, most = said.context.minimum, said.context.maximum
    if isinstance(least, int) and len(keys) < least:
        return invalid("too_few", minimum=str(least))
    if isinstance(most, int) and len(keys) > most:
        return invalid("too_many", keys, maximum=str(most))
    return settled(keys)


def _yes_or_no(said: Heard) -> str | None:
    """The option that a yes or a no chooses, where one option says yes and another says no."""
    labels = tuple(option.label for option in said.context.options)
    answers = _answers(labels, said.words)
    if said.exact or answers.count(True) != 1 or answers.count(False) != 1:
        return None
    answer = answered(said.text, said.words, Ask.FACT, said.context.nouns)
    return None if answer is None else said.context.options[answers.index(answer)].key


@lru_cache(maxsize=256)
def _answers(labels: tuple[str, ...], words: Lexicon) -> tuple[bool | None, ...]:
    return tuple(answered(label, words, Ask.FACT, frozenset()) for label in labels)


def _union(mentions: Iterable[Mention]) -> frozenset[int]:
    return frozenset().union(*(_meant(mention) for mention in mentions))


def _meant(mention: Mention) -> frozenset[int]:
    return mention.options | frozenset(mention.group)
