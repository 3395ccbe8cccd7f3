"""What outlives the process: matches, holders, logs and the boards still to be posted."""
