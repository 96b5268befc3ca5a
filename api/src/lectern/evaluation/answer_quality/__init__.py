"""How well questions are answered: right, at the right place, and not at all where the documents do not say it."""
