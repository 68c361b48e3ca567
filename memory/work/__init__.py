"""Work in the background: the queue and those who empty it."""
