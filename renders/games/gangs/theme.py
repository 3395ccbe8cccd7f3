"""The colors of the game: those of the town."""

from renders.town.theme import THEME as THEME
