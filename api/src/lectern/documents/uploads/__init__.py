"""Taking files in: streamed, hashed, told apart by their bytes, registered with their job in one transaction."""
