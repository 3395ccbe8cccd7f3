"""The questions of Jinns of the Lake."""
