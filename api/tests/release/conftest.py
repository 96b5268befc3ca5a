from tests.cli.conftest import data_home, start_up

__all__ = ["data_home", "start_up"]
