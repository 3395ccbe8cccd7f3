"""What is kept of a person: given to him, or forgotten."""
