"""Documents that say the same as another."""
