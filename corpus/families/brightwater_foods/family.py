"""A maker of packaged foods: four annual reports."""

from pathlib import Path

from toolkit.annual import company_family
from toolkit.family import Family


def family(folder: Path) -> Family:
    return company_family(folder, split="test")
