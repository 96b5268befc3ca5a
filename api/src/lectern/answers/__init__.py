"""Answers to questions, with citations, and checks of quotations and counts against documents."""
