"""What people see: a package for each feature, and what they share."""
