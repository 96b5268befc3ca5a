"""Questions with the place that answers them, marked by people: a labelled set of the library's own."""
