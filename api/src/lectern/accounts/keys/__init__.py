"""API keys: machines, and the scope of each."""
