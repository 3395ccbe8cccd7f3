"""Looking at a table: board, text, hand, log and rules."""
