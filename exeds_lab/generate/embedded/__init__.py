"""Useful candidates with no key and no network: a search, and a small local model."""
