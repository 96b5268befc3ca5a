"""Split extracted documents into chunks. No web, no database."""
