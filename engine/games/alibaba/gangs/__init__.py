"""The older game of gangs: bandits, raids and arrests (rule 4)."""
