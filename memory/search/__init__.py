"""The search: legs, candidates, what speaks for each, one order."""
