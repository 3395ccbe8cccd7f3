"""Moderators: what they lay down for their server, its permissions, and all of its games."""
