"""Fit the ranker to labelled questions, and measure the gain on documents that the fit has not seen."""
