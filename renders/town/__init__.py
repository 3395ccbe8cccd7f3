"""The walled town on pictures and in words: what two games share, and the `Scene` in which they differ."""
