"""Reminders: whoever is waited for hears of it again, when they want to."""
