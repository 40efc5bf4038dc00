"""Candidate -> Execution."""
