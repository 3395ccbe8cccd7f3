"""Pictures of single games: a package per game, found by the game's slug, with the functions listed in the README."""
