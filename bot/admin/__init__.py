"""For whoever runs the bot: how it is doing, told in Discord and to the machines that look after it."""
