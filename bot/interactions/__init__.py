"""What arrives from Discord and how it is answered: controls with their ids, answers in time, parts of messages."""
