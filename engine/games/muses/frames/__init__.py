"""The questions of Dance of Muses, each with its options and its answer."""
