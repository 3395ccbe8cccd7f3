"""Whole leagues of people who come late, leave, sleep and vanish, with a bot that is killed and cut off now and then.

The process, its time and its trouble are those of `tests.weeks`. What was promised is judged by `judge.py`, which reads
only what was delivered, what people did, and the rows of the database.
"""
