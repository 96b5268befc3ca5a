"""Notes of people at a passage of a document."""
