"""What turns cost, how good their summaries are: recorded beside the turns, never in their way."""
