"""The facts of a running installation, for those who look after it."""
