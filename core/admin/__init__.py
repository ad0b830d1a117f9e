"""What the people who run the bot do from the chat: `/admin`, and the buttons below posts."""
