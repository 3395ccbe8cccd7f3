"""The cave: stakes in danger for as long as one dares (rule 3)."""
