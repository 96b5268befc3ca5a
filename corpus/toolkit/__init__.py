"""Write the documents and questions of the benchmark corpus."""
