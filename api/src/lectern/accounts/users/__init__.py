"""The people who may sign in."""
