"""What was asked and answered, for the one who asked."""
