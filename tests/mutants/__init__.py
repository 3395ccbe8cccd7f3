"""Changes to the code that a test has to notice: `python -m tests.mutants`."""
