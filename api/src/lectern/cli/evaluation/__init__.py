"""`lectern eval`: measure search and answers."""
