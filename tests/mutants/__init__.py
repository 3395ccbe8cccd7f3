"""How many small changes to the code the tests notice: `python -m tests.mutants --sample 100 --seed 1 bot`."""
