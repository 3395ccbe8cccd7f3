"""The rules of the games and nothing else: standard library only, no chat, no pictures, no clock."""
