"""Objects that a process loads when it starts are not searched for garbage."""

import gc

from lectern.cli.garbage import loading


def test_objects_of_loaded_modules_are_not_searched_for_garbage() -> None:
    frozen = gc.get_freeze_count()
    with loading():
        assert not gc.isenabled()
        loaded = [[number] for number in range(1000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() >= frozen + len(loaded)
