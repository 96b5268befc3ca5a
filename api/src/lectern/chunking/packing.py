"""Packing units into drafts of chunks by a token budget, with overlap, keeping tables whole."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from lectern.chunking.types import ChunkingOptions
from lectern.chunking.units import Border, Unit

_LOOK_BACK_SHARE = 0.25


@dataclass(slots=True)
class Draft:
    """Units of a chunk to be; the first `overlap` of them are repeated from the draft before.

    `header` are the units of a table's header to be repeated in front.
    """

    units: list[Unit] = field(default_factory=list[Unit])
    overlap: int = 0
    header: tuple[Unit, ...] = ()

    @property
    def tokens(self) -> int:
        """What the units and the repeated header need."""
        return sum(unit.tokens for unit in self.units) + sum(unit.tokens for unit in self.header)

    @property
    def own_tokens(self) -> int:
        """What the units need that are not repeated."""
        return sum(unit.tokens for unit in self.units[self.overlap :])


def pack(units: Sequence[Unit], options: ChunkingOptions) -> list[Draft]:
    """Drafts of at most the target, or one table up to the hard cap; a small last draft joins the one before."""
    packer = _Packer(options)
    for unit in units:
        packer.add(unit)
    return packer.finish()


class _Packer:
    def __init__(self, options: ChunkingOptions) -> None:
        self._options = options
        self._done: list[Draft] = []
        self._draft = Draft()
        self._tokens = 0

    def add(self, unit: Unit) -> None:
        """Take the next unit, closing drafts as they fill."""
        if self._tokens + unit.tokens <= self._options.target_tokens:
            self._append(unit)
        elif unit.rows:
            self._add_table(unit)
        else:
            self._close(keep_overlap=True)
            if self._tokens + unit.tokens > self._options.target_tokens:
                self._drop_overlap()
            self._append(unit)

    def finish(self) -> list[Draft]:
        """All drafts."""
        draft = self._draft
        if len(draft.units) > draft.overlap:
            if self._done and draft.own_tokens < self._options.floor_tokens and self._joins(self._done[-1], draft):
                self._done[-1].units.extend(draft.units[draft.overlap :])
            else:
                self._done.append(draft)
        return self._done

    def _joins(self, before: Draft, draft: Draft) -> bool:
        return not draft.header and before.tokens + draft.own_tokens <= self._options.cap_tokens

    def _append(self, unit: Unit) -> None:
        self._draft.units.append(unit)
        self._tokens += unit.tokens

    def _add_table(self, table: Unit) -> None:
        """A table that does not fit: alone up to the hard cap, with a little text above it, else in parts."""
        options = self._options
        is_little = self._draft.own_tokens < options.floor_tokens
        room = options.cap_tokens - (self._tokens if is_little else 0)
        if table.tokens <= room:
            if not is_little:
                self._close(keep_overlap=False)
            self._append(table)
            return
        if not is_little or table.tokens <= options.cap_tokens:
            self._close(keep_overlap=False)
        if table.tokens <= options.cap_tokens:
            self._append(table)
        else:
            self._split_table(table)

    def _split_table(self, table: Unit) -> None:
        header = table.header
        if sum(unit.tokens for unit in header) * 3 > self._options.target_tokens:
            header = ()  # a header this long would crowd out the rows
        for row in table.rows:
            if self._tokens + row.tokens > self._options.target_tokens and self._draft.units:
                self._close(keep_overlap=False)
                self._draft.header = header
                self._tokens = self._draft.tokens
            self._append(row)

    def _close(self, *, keep_overlap: bool) -> None:
        """Finish the draft at the best border near its end and begin the next one."""
        units = self._draft.units
        if len(units) <= self._draft.overlap:
            self._drop_overlap()
            return
        cut = self._best_cut() if keep_overlap else len(units)
        rest = units[cut:]
        del units[cut:]
        self._done.append(self._draft)
        overlap = self._overlap(units) if keep_overlap else []
        self._draft = Draft(units=[*overlap, *rest], overlap=len(overlap))
        self._tokens = self._draft.tokens

    def _drop_overlap(self) -> None:
        del self._draft.units[: self._draft.overlap]
        self._draft.overlap = 0
        self._tokens = self._draft.tokens

    def _best_cut(self) -> int:
        """Behind which unit to cut: the last paragraph end, else sentence end, in the last quarter of the draft."""
        units, first = self._draft.units, self._draft.overlap + 1
        for wanted in (Border.PARAGRAPH, Border.SENTENCE):
            spared = 0
            for cut in range(len(units), first - 1, -1):
                if units[cut - 1].border >= wanted:
                    return cut
                spared += units[cut - 1].tokens
                if spared > _LOOK_BACK_SHARE * self._options.target_tokens:
                    break
        return len(units)

    def _overlap(self, units: Sequence[Unit]) -> list[Unit]:
        """The last units within the overlap; tables and their rows are not repeated."""
        kept: list[Unit] = []
        room = self._options.overlap_tokens
        for unit in reversed(units[1:]):
            room -= unit.tokens
            if room < 0 or unit.rows or unit.is_row:
                break
            kept.append(unit)
        return kept[::-1]
