"""Mail messages: EML and Outlook."""
