"""Computers think in worker processes, and play when they are done, while people go on."""
