"""Refuse passwords that are in lists of stolen passwords."""
