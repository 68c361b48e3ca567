"""Memories and conversations that other programs exported."""
