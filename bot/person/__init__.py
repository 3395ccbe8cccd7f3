"""What is kept of a person: given to them, or forgotten."""
