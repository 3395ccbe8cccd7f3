"""What goes to the channels: boards and announcements, their pictures and words, and what becomes of those refused."""
