"""Changes to the code that tests must notice, by the package that they change."""
