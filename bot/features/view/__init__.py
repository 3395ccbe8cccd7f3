"""Looking at games: board, text, hand, log, replay, story, and the rules."""
