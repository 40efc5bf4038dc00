"""Shipped as source text into the user's kernel: standard library only, Python 3.9+."""
