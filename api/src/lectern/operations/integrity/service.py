"""Examining an installation, and mending what is broken; safe while Lectern runs.

    defects = await examine(installed, is_mending=False)

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


async def examine(installed: Installed, *, is_mending: bool) -> list[Defect]:
    """Every defect, none when all is well. Reads every row: seconds for 100,000 chunks."""
    defects: list[Defect] = []
    for check in CHECKS:
        places = await check.find(installed)
        if not places:
            continue
        defect = await _mend(installed, check, places) if is_mending else defect_of(check, places)
        defects.append(defect)
    return defects


async def _mend(installed: Installed, check: Check, places: list[str]) -> Defect:
    if check.mend is None:
        return defect_of(check, places)
    await check.mend(installed, places)
    logger.info("A defect was mended", extra={"check": check.name, "places": len(places)})
    left = await check.find(installed)
    if not left:
        return defect_of(check, places, state="mended")
    return defect_of(check, places, state="queued" if check.is_queued else "found")
