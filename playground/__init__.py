"""A local Discord on loopback: play with the unchanged bot in a browser page, or drive it from Python.

`python -m playground` serves people; `playground.harness.Playground` serves tests and benchmarks. Nothing here
knows the bot's insides: it runs as a process of its own and talks to this place as it would to Discord. This file
imports nothing, because the launcher inside the bot's process loads it too.
"""
