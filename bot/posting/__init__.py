"""Messages in channels: boards, stories and announcements, with their pictures and texts."""
