"""`/stats`: ratings, rankings and records of a server."""
