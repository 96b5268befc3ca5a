"""Pages to sections to chunks; a function of its arguments, no web, no database."""
