"""Explain why a search missed an expected document, page or quote."""
