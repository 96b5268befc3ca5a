from tests.compose.conftest import engine

__all__ = ["engine"]
