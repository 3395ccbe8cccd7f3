"""The condition of the bot for its operator, in Discord and for monitoring."""
