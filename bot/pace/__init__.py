"""Pace: how much time people have for their turns, and what becomes of somebody who takes longer."""
