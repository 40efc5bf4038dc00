"""The terminal: thin."""
