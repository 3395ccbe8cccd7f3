"""Pages for moderators: the settings of their server, its permissions, its games and its barred users."""
