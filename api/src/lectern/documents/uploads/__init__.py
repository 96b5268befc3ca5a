"""Uploads: stream, hash, detect and register files, each with its job."""
