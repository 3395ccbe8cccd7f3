"""How somebody likes to play: `/settings`."""
