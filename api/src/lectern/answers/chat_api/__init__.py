"""The OpenAI-compatible API: chat clients ask the library as if it were a model."""
