"""For tests that go over real HTTP: a Messages API on loopback (see `server`).

A journey's own tests rarely need it: `core.model.Scripted` answers without a network.
"""

from core.model.testing.cache import CacheUse, Prefix, PromptCache, prefix_of, prompt_blocks
from core.model.testing.replies import Fault, Refuses, Reply, Says, Use
from core.model.testing.server import MessagesServer

__all__ = [
    "CacheUse",
    "Fault",
    "MessagesServer",
    "Prefix",
    "PromptCache",
    "Refuses",
    "Reply",
    "Says",
    "Use",
    "prefix_of",
    "prompt_blocks",
]
