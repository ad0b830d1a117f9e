"""What Block Kit takes, and what of it this channel uses (docs.slack.dev/reference/block-kit).

Where Slack's pages, its own SDK and what was seen disagree, the smaller number stands. All lengths
are characters of the text as it is sent.
"""

BLOCKS = 50
VIEW_BLOCKS = 100
"""Of a message; of a modal and of the App Home."""

CHARACTERS = 12_000
"""Of all texts of a message's blocks together. Slack refuses a message ("msg_blocks_too_long") near
13,200, which stands in no documentation; see github.com/slackapi/bolt-js/issues/2509."""

TOP_TEXT = 3000
"""Of a message's own text: chat.update was seen to refuse more than 4,000 or so."""

HEADING = 300
CONTEXT = 1500
RICH = 4000
"""What this channel puts into a section and into a line of context, of which Slack takes 3,000 (a
text may double when its entities are spelled out), and into one block of rich text, for which
Slack names no limit."""

HEADER = 150
BUTTON = 75
OPTION = 75
DESCRIPTION = 75
PLACEHOLDER = 150
"""Of a heading, and of what stands on controls; an accessibility label has as many as a button."""

BUTTON_WHOLE = 30
"""As much of a button's label is shown whole wherever Slack runs (docs: "may truncate with ~30
characters")."""

SELECT = 100
CHECKBOXES = 10
OVERFLOW = 5
"""Options of a select, of a group of checkboxes, of an overflow menu."""

VIEW_TITLE = 24
INPUT_LABEL = 2000
INPUT_HINT = 2000
TYPED = 3000
METADATA = 3000
"""Of a modal: its title (and what submits and closes it), a field's label and hint, what is typed
into a field, what the view carries along."""

FAULT = 300
"""Of what stands below a field that was refused. Slack names no limit; this is two lines or so."""
