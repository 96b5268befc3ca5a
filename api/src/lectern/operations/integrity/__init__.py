"""What must hold of an installation, how it is found broken, and how it is mended."""
