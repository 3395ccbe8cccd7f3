"""Colors of the game: the walled town by night."""

from renders.town.theme import WalledTown

THEME = WalledTown(
    page="#141B33",
    panel="#1B2340",
    panel_due="#2F3D66",
    panel_edge="#46557F",
    muted="#C9D3EA",
    sand="#4B6075",
    town="#33475C",
    roofs=("#3A5066", "#2C3E52", "#455D74"),
    wall=("#8B5A46", "#4A2F30"),
    dunes=("#435669", "#506A80", "#3D5267"),
    palms=("#356152", "#28493F"),
)
