"""Golden queries: queries with the page that answers them, marked by people."""
