"""Which tests run in one process under pytest-xdist."""

from xdist.scheduler import LoadFileScheduling

SHARING = {
    "worlds": ("tests/guarantees/access/",),
    "house": ("tests/house/",),
    "installation": tuple(f"tests/cli/test_{name}.py" for name in ("backup", "commands", "ingest", "up")),
}
"""Files with something expensive in common. A second process would make it again."""


def group_of(test: str) -> str:
    """Return what a test's process runs as a whole: a group of files that share a fixture, or its file."""
    file = test.partition("::")[0]
    return next((group for group, places in SHARING.items() if file.startswith(places)), file)


class SharedFixtureScheduling(LoadFileScheduling):
    """Run each group in one process."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)
