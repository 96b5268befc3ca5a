"""An Italian water and energy utility: four annual reports in Italian."""

from pathlib import Path

from toolkit.annual import company_family
from toolkit.annual_it import italian_reports
from toolkit.family import Family


def family(folder: Path) -> Family:
    return company_family(folder, split="test", reports=italian_reports)
