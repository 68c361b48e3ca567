"""The vector index and its files."""
