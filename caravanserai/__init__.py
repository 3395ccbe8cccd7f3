"""The operator's console command. It may import every other package; none imports it."""
