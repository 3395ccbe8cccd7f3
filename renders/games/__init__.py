"""One module or package a game, found by the slug of the game: `draw(view, labels)` and `tell(view, labels)`."""
