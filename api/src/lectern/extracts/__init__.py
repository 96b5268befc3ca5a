"""Process files outside the library: fetch or receive, extract, chunk, rank, and forget them."""
