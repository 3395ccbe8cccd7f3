"""For the operator: how the bot is doing, in Discord and for monitoring."""
