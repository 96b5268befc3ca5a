"""Commands that run Lectern's services."""
