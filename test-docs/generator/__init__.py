"""Builds the sample documents of Lectern from the prose and the figures in `sources/`."""
