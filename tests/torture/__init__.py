"""Whole games under torture: the bot is killed over and over, with every fault of Discord mixed in."""
