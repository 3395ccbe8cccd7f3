"""What is due later: one worker, and a module for each kind of job."""
