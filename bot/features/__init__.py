"""Commands, buttons and pages: a package for each feature, and their shared modules."""
