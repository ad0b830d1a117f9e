"""Text as people see it, with its styles; and the text that they type as Slack delivers it.

https://docs.slack.dev/messaging/formatting-message-text
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

Names = Callable[[str], str | None]
"""The name of a user or a channel by its identifier, or the reverse."""

_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


def decoded(text: str) -> str:
    """Without the three entities that Slack knows."""
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    return text


def escaped(text: str) -> str:
    """With the three control characters as entities."""
    for entity, character in reversed(_ENTITIES):
        text = text.replace(character, entity)
    return text


@dataclass(frozen=True)
class Span:
    """A piece of text in one style: "bold", "italic", "strike", "code", "link", "mention",
    "broadcast", "channel", "heading". `target` is the address or the identifier behind it.
    """

    text: str
    styles: frozenset[str] = frozenset()
    target: str = ""


class Shown(list[Span]):
    """Text as a person sees it."""

    @property
    def text(self) -> str:
        """The bare words."""
        return "".join(span.text for span in self)

    def marked(self, style: str) -> list[str]:
        """The pieces in this style."""
        return [span.text for span in self if style in span.styles]

    @property
    def links(self) -> dict[str, str]:
        """The addresses behind what can be clicked, by its words."""
        return {span.text: span.target for span in self if "link" in span.styles}

    @property
    def pings(self) -> list[str]:
        """Who is notified by it: identifiers of people, and "here", "channel", "everyone"."""
        called = {"mention", "broadcast"}
        return [span.target for span in self if called & span.styles]


def joined(parts: Iterable[Shown], between: str = "\n") -> Shown:
    """Several texts as one."""
    whole = Shown()
    for number, part in enumerate(parts):
        if number:
            whole.append(Span(between))
        whole.extend(part)
    return whole


# mrkdwn and Markdown

_TOKEN = r"<(?P<token>[^<>\n]+)>"
_URL = r"(?P<url>https?://[^\s<>|]+[^\s<>|.,;:!?)])"
_CODE = r"```(?P<block>.+?)```|`(?P<code>[^`\n]+)`"


def _pair(mark: str, name: str) -> str:
    one = re.escape(mark)
    return rf"(?<![\w{one[-1]}]){one}(?P<{name}>\S|\S[^\n]*?\S){one}(?![\w{one[-1]}])"


_MRKDWN = re.compile(
    "|".join(
        (_CODE, _TOKEN, _URL, _pair("*", "bold"), _pair("_", "italic"), _pair("~", "strike")),
    ),
    re.DOTALL,
)
_CALLS = re.compile(r"(?<!\w)@(here|channel|everyone)\b")
_MARKDOWN = re.compile(
    "|".join(
        (
            r"\\(?P<escaped>[\\*_~`#\[\]()<>-])",
            _CODE,
            r"\[(?P<label>[^\]\n]+)\]\((?P<address>[^)\s]+)\)",
            _TOKEN,
            _URL,
            r"\*\*(?P<bold>\S|\S[^\n]*?\S)\*\*",
            r"~~(?P<strike>\S|\S[^\n]*?\S)~~",
            r"(?<![\w*])\*(?P<italic>\S|[^\s*][^\n]*?[^\s*])\*(?![\w*])",
            r"(?<!\w)_(?P<slanted>\S|[^\s_][^\n]*?[^\s_])_(?!\w)",
            r"(?:^|(?<=\n))#{1,6} +(?P<heading>[^\n]+)",
        )
    ),
    re.DOTALL,
)
_STYLES = {"slanted": "italic", "block": "code"}


def mrkdwn(text: str, names: Names, *, verbatim: bool = True) -> Shown:
    """mrkdwn as a person sees it; not `verbatim`, @here and its like call people as well."""
    return Shown(_spans(_MRKDWN, text, names, frozenset(), verbatim))


def markdown(text: str, names: Names) -> Shown:
    """Markdown, as in a markdown block or a stream, as a person sees it."""
    return Shown(_spans(_MARKDOWN, text, names, frozenset(), verbatim=True))


def plain(text: str) -> Shown:
    """plain_text as a person sees it."""
    return Shown([Span(decoded(text))] if text else [])


def _spans(
    grammar: re.Pattern[str], text: str, names: Names, styles: frozenset[str], verbatim: bool
) -> Iterator[Span]:
    end = 0
    for match in grammar.finditer(text):
        yield from _words(text[end : match.start()], styles, verbatim)
        end = match.end()
        kind = match.lastgroup or ""
        held = match[kind]
        if kind == "token":
            yield _token(held, names, styles)
        elif kind == "url":
            yield Span(decoded(held), styles | {"link"}, decoded(held))
        elif kind == "address":
            yield Span(decoded(match["label"]), styles | {"link"}, decoded(held))
        elif kind == "escaped":
            yield Span(held, styles)
        elif kind in ("code", "block"):
            yield Span(decoded(held.strip("\n")), styles | {"code"})
        else:
            inner = styles | {_STYLES.get(kind, kind)}
            yield from _spans(grammar, held, names, inner, verbatim)
    yield from _words(text[end:], styles, verbatim)


def _words(text: str, styles: frozenset[str], verbatim: bool) -> Iterator[Span]:
    end = 0
    for match in [] if verbatim else _CALLS.finditer(text):
        if match.start() > end:
            yield Span(decoded(text[end : match.start()]), styles)
        yield Span(match[0], styles | {"broadcast"}, match[1])
        end = match.end()
    if text[end:]:
        yield Span(decoded(text[end:]), styles)


def _token(token: str, names: Names, styles: frozenset[str]) -> Span:
    target, _, label = token.partition("|")
    label = decoded(label)
    if target.startswith("@"):
        user = target[1:]
        return Span(f"@{names(user) or label or user}", styles | {"mention"}, user)
    if target.startswith("#"):
        channel = target[1:]
        return Span(f"#{names(channel) or label or channel}", styles | {"channel"}, channel)
    if target.startswith("!date^"):
        return Span(label, styles | {"date"}, target.split("^")[1])
    if target.startswith("!"):
        called = target[1:].split("^")[0]
        return Span(f"@{label.lstrip('@') or called}", styles | {"broadcast"}, called)
    return Span(label or decoded(target), styles | {"link"}, decoded(target))
