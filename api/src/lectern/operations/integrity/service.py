"""Examine an installation and repair it. Safe while Lectern runs.

    defects = await examine(installed, is_repairing=False)

Every check is asked in turn, and what an earlier one mends is not found by a later one.
"""

import logging
from typing import Final

from lectern.operations.integrity.defects import Check, Defect, Installed, defect_of
from lectern.operations.integrity.originals import CHECKS as ORIGINALS
from lectern.operations.integrity.rules import CHECKS as RULES
from lectern.operations.integrity.tables import CHECKS as TABLES

logger = logging.getLogger(__name__)

CHECKS: Final[tuple[Check, ...]] = (*TABLES, *ORIGINALS, *RULES)


async def examine(installed: Installed, *, is_repairing: bool) -> list[Defect]:
    """Return every defect. Reads every row: seconds for 100,000 chunks."""
    defects: list[Defect] = []
    for check in CHECKS:
        places = await check.find(installed)
        if not places:
            continue
        defect = await _repair(installed, check, places) if is_repairing else defect_of(check, places)
        defects.append(defect)
    return defects


async def _repair(installed: Installed, check: Check, places: list[str]) -> Defect:
    if check.repair is None:
        return defect_of(check, places)
    await check.repair(installed, places)
    logger.info("A defect was repaired", extra={"check": check.name, "places": len(places)})
    left = await check.find(installed)
    if not left:
        return defect_of(check, places, state="repaired")
    return defect_of(check, places, state="queued" if check.is_queued else "found")
