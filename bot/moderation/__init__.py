"""For moderators: the settings of their server, its permissions, and all of its games."""
