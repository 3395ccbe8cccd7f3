"""The error of a start that fails, for commands that do without discord.py."""


class StartError(Exception):
    """The bot cannot start; the message is a sentence for the operator."""
