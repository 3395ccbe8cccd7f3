"""The console command of an operator. It may import every other package, and none imports it."""
