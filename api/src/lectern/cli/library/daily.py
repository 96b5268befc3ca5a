"""Do something every day at a time of the machine's clock."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

from lectern.cli.console import notes
from lectern.cli.edge import INTERRUPTED, exit_code
from lectern.errors import InvalidRequest

_NAP_SECONDS = 60.0  # so that a changed clock is noticed


def parse_time(text: str) -> datetime:
    """Read a time such as `02:15`. Raises InvalidRequest."""
    try:
        return datetime.strptime(text, "%H:%M")  # noqa: DTZ007 - of the machine, as in a crontab
    except ValueError:
        raise InvalidRequest(f"{text} is no time of day.", hint="Write hours and minutes, such as 02:15.") from None


def next_time(at: datetime, *, now: datetime) -> datetime:
    """Return when the clock of the machine shows the time of day of `at` next, after `now`."""
    today = now.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0)
    return today if today > now else today + timedelta(days=1)


def run_daily(at: datetime, task: Callable[[], None]) -> None:
    """Run a task every day until somebody stops it. A failure is printed, and the next day tries again."""
    while True:
        due = next_time(at, now=datetime.now())  # noqa: DTZ005 - see above
        notes.print(f"The next backup starts at {due:%Y-%m-%d %H:%M}.", markup=False)
        while (left := due.timestamp() - time.time()) > 0:
            time.sleep(min(left, _NAP_SECONDS))
        if exit_code(task) == INTERRUPTED:
            raise KeyboardInterrupt
