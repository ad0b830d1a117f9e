"""The terminal channel: a whole journey on a keyboard, or from a script."""
