"""What the Bot API takes, and what of it this channel uses (core.telegram.org/bots/api)."""

TEXT = 4096
"""UTF-16 units of a message's text, after its entities are taken out."""

CAPTION = 1024
"""UTF-16 units under a photo or a file."""

ENTITIES = 100
"""Entities that count in one message; more are left out by the server."""

RICH_TEXT = 32_768
RICH_BLOCKS = 500
RICH_COLUMNS = 20
"""Of a rich message: its characters, its blocks with their items and rows, a table's columns."""

BUTTONS_IN_ROW = 8
BUTTONS = 100
"""Of an inline keyboard. A row of a rich message has 8 as well."""

CALLBACK_DATA = 64
"""Bytes that a button sends back."""

TOAST = 200
"""Characters of the answer to a tap."""

ALBUM = 10
"""Files that can be sent together; one alone is no album."""

COMMAND_DESCRIPTION = 256
DEEP_LINK = 64
SECRET = 256
"""Characters of a command's description, of what follows ?start=, and of a webhook's secret."""

INPUT_HINT = 64
"""Characters of what stands in the input field that a prompt opens."""

PHOTO = 10_000_000
UPLOAD = 50_000_000
"""Bytes of a picture, and of any other file, that a bot sends (bots/api#sending-files)."""

DOWNLOAD = 20_000_000
"""Bytes of a file that a bot can fetch from the public Bot API server."""
