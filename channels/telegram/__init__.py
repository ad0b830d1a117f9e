"""Telegram: what is drawn and read is shared and knows no library; two drivers mount it."""
