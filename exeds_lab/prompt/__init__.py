"""Task -> Prompt; pure."""
