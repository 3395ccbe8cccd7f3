"""Whole games under torture: the bot is killed over and over, with every fault of the local Discord mixed in."""
