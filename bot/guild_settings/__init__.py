"""What a server allows: the settings its moderators have laid down, and the permissions the bot has there."""
