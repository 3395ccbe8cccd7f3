"""What people set for themselves: `/settings`, `/game answers`, and what is kept of them."""
