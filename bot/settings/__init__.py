"""What people set for themselves: `/me settings`, `/me answers`, and what is kept of them."""
