from tests.answers.conftest import filled_database, filled_template

__all__ = ["filled_database", "filled_template"]
