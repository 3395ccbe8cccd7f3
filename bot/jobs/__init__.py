"""Stored pieces of work with a due time: a module for each kind of job. `bot.worker` runs them."""
