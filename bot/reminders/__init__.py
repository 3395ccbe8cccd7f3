"""Reminders: whoever is waited for hears of it again, when he wants to."""
