"""What goes to the channels: boards, stories and announcements, with their pictures and words."""
