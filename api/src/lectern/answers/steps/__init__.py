"""Answers in several steps: plan, search, pick cells, calculate, write, verify."""
