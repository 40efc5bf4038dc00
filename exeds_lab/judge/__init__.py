"""Execution x Expectation x Policy -> Verdict."""
