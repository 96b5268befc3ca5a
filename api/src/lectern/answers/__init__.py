"""Answers that documents give: quotes that are held against them, and what can be counted in them."""
