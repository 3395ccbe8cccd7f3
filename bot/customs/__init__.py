"""What a server allows: the customs its moderators have laid down, and the permissions the bot has there."""
