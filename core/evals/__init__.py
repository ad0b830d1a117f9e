"""The project's claim, measured: scenarios as data, models that behave and that do not, and what
came of it.

A *scenario* (`scenario.py`) is one person: what they have in mind, what they say on the way, and
what must come of it. It is played in one of two *leads*: the runtime's (`play.py`), which is the
product, and the model's (`led/`), the honest baseline in which a model leads the whole journey with
the same items and tools. What came of a chat is a `ChatRecord` (`record.py`), the same for both, so
that the two can stand side by side in a report.
"""
