"""Slack: what is drawn and read is shared and knows no library; one driver mounts it in bolt."""
