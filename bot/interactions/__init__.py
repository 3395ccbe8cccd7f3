"""What talks to Discord: controls and forms with their ids, answers in time, messages, permissions."""
