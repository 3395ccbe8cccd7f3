"""The figures: what the house costs beside anchors measured in the same run. Never part of the tests.

`python -m tests.bench [area ...] [--quick]` prints a table. Absolute times drift from machine to machine, so every
promise is a ratio to an anchor that is timed right before and right after, and nothing here is ever asserted.
"""
