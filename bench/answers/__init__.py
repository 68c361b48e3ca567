"""How well a small model answers with our block in its prompt, beside no memory, plain retrieval and full context."""
