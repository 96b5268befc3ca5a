"""Commands for operators: keys, users, checks and references."""
