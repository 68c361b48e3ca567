"""Conversations, documents and whole spaces, from files and into them."""
