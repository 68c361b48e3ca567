"""What a sentence must not say without its sources: numbers, dates, names, negations, who did what to whom."""
