"""Numbers as letters and Roman numerals, as word processors write those of lists (pure)."""

_ALPHABET = 26
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
          (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_MAX_NUMBER = 3_999


def to_letters(number: int) -> str:
    """Return a, b, …, z, aa, bb, …."""
    return chr(ord("a") + (number - 1) % _ALPHABET) * min((number - 1) // _ALPHABET + 1, 10) if number > 0 else "0"


def to_roman(number: int) -> str:
    """Return a Roman numeral in lower case, or digits for a number that has none."""
    if not 0 < number <= _MAX_NUMBER:
        return str(number)
    written = ""
    for value, sign in _ROMAN:
        while number >= value:
            written += sign
            number -= value
    return written
