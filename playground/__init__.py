"""A local Discord on loopback: play with the unchanged bot in a browser page, or drive it from Python.

`python -m playground` is for people; `playground.harness.Playground` is for tests and benchmarks. Nothing here knows
the bot's internals: the bot runs as a separate process and talks to this server as it would to Discord. This file
imports nothing, because the launcher inside the bot's process loads it too.
"""
