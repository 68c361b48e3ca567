"""Forgetting, down to the bytes."""
