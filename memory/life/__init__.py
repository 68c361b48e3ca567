"""What becomes of a memory: it arrives, is merged, superseded, changed, and that is taken back."""
