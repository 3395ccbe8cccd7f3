"""Simulated people with habits, the promises of the bot to them, and the worlds where they use it.

In the fast worlds (`groups.py`, `leagues.py`), the store, tables, boards, reminders and clocks of the bot run on
simulated time, with a small double for Discord: 600 times as many weeks a minute as with the whole bot. In the world of
kills (`killed/`), the whole bot runs as a process, with the local Discord and all its faults.
"""
