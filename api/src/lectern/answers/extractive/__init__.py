"""Answers made of sentences quoted from documents."""
