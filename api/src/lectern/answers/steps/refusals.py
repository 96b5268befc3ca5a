"""Typed reasons for not using a figure or an expression (pure)."""

from lectern.answers.trace import RefusalCode, RejectionCode


class CalculationRefused(Exception):
    """An expression cannot be calculated."""

    def __init__(self, code: RefusalCode, detail: str) -> None:
        super().__init__(detail)
        self.code: RefusalCode = code
        self.detail = detail


class CellRejected(Exception):
    """A cell does not have what the model says about it."""

    def __init__(self, code: RejectionCode, detail: str) -> None:
        super().__init__(detail)
        self.code: RejectionCode = code
        self.detail = detail
