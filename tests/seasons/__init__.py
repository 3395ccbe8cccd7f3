"""Whole leagues of people who come late, leave, sleep and vanish, with a bot that is killed and cut off now and then.

The process, its time and its trouble are those of `tests.weeks`. `judge.py` judges the promises by the delivered
messages, the acts of people, and the rows of the database alone.
"""
