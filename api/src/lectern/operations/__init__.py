"""Facts, checks and repairs of a running installation."""
