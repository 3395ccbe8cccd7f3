"""Simulations of fair play: cheats against their honest twins, and how much games with computers should count.

`python -m tests.fairplay` runs them.
"""
