"""The Jupyter server extension: thin."""
