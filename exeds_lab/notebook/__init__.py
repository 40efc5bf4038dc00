"""Specification and provenance in cell metadata, and notebooks as files."""
