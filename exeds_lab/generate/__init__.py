"""Prompt -> Candidates."""
