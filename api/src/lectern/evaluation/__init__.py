"""Measures of search and answers on labelled questions."""
