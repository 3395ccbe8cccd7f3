"""Small questions outside one's own turn, answered once and for all: `/game answers`, and who gives the answers."""
