"""OpenDocument text, spreadsheets and presentations."""
