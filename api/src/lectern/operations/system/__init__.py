"""Facts about a running installation, for administrators."""
