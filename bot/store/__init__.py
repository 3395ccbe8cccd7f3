"""What outlives the process: matches, chairs, logs and the boards still to be posted."""
