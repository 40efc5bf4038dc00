"""What the user declared, as text -> Expectation."""
