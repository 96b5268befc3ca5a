"""Evaluation of answers: correct, correctly cited, and absent if the documents have no answer."""
