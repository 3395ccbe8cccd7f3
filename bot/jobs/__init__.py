"""What is due later: a module for each kind of job. `bot.worker` does them."""
