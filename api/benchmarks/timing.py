"""Measure the CPU time of processes, and summarize durations."""

import statistics
from collections.abc import Sequence
from contextlib import suppress

import psutil


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process without its children."""
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


def cpu_seconds_of_ended_children(pid: int) -> float:
    """Return the CPU time of the children of a process that have ended."""
    times = psutil.Process(pid).cpu_times()
    return times.children_user + times.children_system


def cpu_seconds_with_children(pid: int) -> float:
    """Return the CPU time of a process and of all its children."""
    total = cpu_seconds(pid) + cpu_seconds_of_ended_children(pid)
    for child in psutil.Process(pid).children():
        with suppress(psutil.NoSuchProcess):
            total += cpu_seconds(child.pid)
    return total


def quantiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Return p50, p95 and p99."""
    ordered = sorted(values)
    return statistics.median(ordered), ordered[int(len(ordered) * 0.95)], ordered[int(len(ordered) * 0.99)]
