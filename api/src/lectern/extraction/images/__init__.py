"""Text recognition of images embedded among text."""
