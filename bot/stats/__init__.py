"""`/stats`: how people who play together have done."""
