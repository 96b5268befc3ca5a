"""People who sign in, machines with keys, what each may see, and the log of what they did."""
