"""The model's answer without its own questions, for when a card is drawn under it.

The rules:

1. A sentence that asks is cut, wherever it stands. It asks if it has a question mark, of any
   script, that is its own: not one in a quotation, in code, in an address, in a link's name, in a
   title that is emphasised within a statement, or in the person's own words. Where a language asks
   without a mark (Japanese か, Korean 까요), the ending tells. A sentence that opens as a question
   and ends in a quoted one asks, too.
2. A question in brackets goes with its brackets, and the sentence around it stays.
3. So is cut, wherever it stands, a sentence that tells the person to tell something ("Let me
   know…"). One that may do so ("Please choose one:") is cut when a list of choices or a cut
   sentence follows, or nothing but courtesy; otherwise it stays.
4. A sentence that claims that all is done ("I have submitted it for you.") is cut: the card under
   it still asks.
5. A list or table right under a cut sentence is its choices, and is cut. One that stands before a
   question, or has its own lead-in, is cut if the lead-in names choices, or if the question asks to
   pick and the entries are bare names; any other list is content. In a list that stays, an entry
   goes from its first question on.
6. What only led to something that is cut goes with it: a lead-in with a colon, the announcement of
   a question, a heading, a rule. So does what only serves a question right before it: a courtesy,
   an example, an "if so", an aside in brackets.
7. A quotation block and code never ask, but a quotation announced as a question does. All that is
   kept is whole, in order, and byte for byte: sentences, entries, blocks.

Where a rule could go either way, more is cut: a card stands under the answer, so a missing remark
costs little, and a second question is what must not be (G10).

`cut` cuts a whole answer. `Streamer` shows one while it comes: only what no later word can cut.
`patterns` says which words of a language the rules need; its files are in `words/`.
"""

from __future__ import annotations

from core.prose.cutting import Cut, cut, sentences
from core.prose.stream import Streamer

__all__ = ["Cut", "Streamer", "cut", "sentences"]
