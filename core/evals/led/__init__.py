"""The honest baseline: a model leads the whole journey, as teams build it today.

It has a careful prompt, the journey's own tools, a tool to save an item whose values are read by
the very steps that the runtime uses (what cannot be read is told back), and a tool to submit, which
refuses while something required is missing. The person is the scenario's.
"""
