"""Communication with Discord: controls and forms with their ids, answers, messages, requests, permissions."""
