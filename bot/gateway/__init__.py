"""The connection to Discord's gateway, which survives data that discord.py cannot read.

Every seam of discord.py that is not public is in this package; checked with discord.py 2.7.1 (`tests/bot/gateway`).
"""
