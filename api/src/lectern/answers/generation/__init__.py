"""Answers written by a language model."""
