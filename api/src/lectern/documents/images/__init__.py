"""Page images, drawn on request and cached in memory for a short while."""
