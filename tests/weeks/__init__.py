"""Weeks of groups of people who play, sleep, travel and forget, with a bot that is killed and cut off now and then.

The bot's store, tables, boards, reminders and clocks are the real ones. Time is simulated, and what would go to Discord
is written down and judged by `record.py`, which knows nothing of how the bot comes to it.
"""
