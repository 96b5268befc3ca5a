"""Sign-in, refresh and sign-out."""
