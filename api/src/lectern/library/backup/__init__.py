"""One file that holds a whole installation, and an empty installation that becomes it."""
