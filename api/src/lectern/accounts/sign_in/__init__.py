"""Settings of signing in: passwords, single sign-on, and what groups give."""
