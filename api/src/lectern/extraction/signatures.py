"""Signatures of formats that Lectern recognises and does not read."""

import re
from typing import Final

_PNG: Final = "Convert it to PNG."
_PDF: Final = "Convert it to PDF."
_UNPACK: Final = "Unpack it first."
_TRANSCRIPT: Final = "Save a transcript of it as text."
_MANUAL: Final = "Use its documentation instead."
_TABLES: Final = "Export its tables as CSV."
_PROGRAM: Final = "It is a program."
_COMPRESSED: Final = "It is a compressed file."
_SOUND: Final = "It is a sound file"
_FILM: Final = "It is a film"

# A signature of letters alone could begin a text. It continues with bytes that no text has there.
_SIGNATURES: Final = tuple(
    (re.compile(pattern, re.DOTALL), what, hint)
    for pattern, what, hint in (
        (rb"BM.{4}\0{4}.{4}[\x0c\x28\x34\x38\x40\x6c\x7c]\0{3}", "It is a picture (BMP).", _PNG),
        (rb"GIF8[79]a", "It is a picture (GIF).", _PNG),
        (rb"P[1-6]\s(?:#[^\n]*\n)?\d{1,6}\s\d{1,6}\s", "It is a picture (PNM).", _PNG),
        (rb"\0\0[\x01\x02]\0[^\0]\0.{3}\0", "It is an icon (ICO).", _PNG),
        (rb"icns\0", "It is an icon (ICNS).", _PNG),
        (rb"8BPS\0", "It is a Photoshop picture (PSD).", _PNG),
        (rb"DDS \x7c\0", "It is a picture (DDS).", _PNG),
        (rb"\0{3}\x0cjP  |\xff\x4f\xff\x51", "It is a picture (JPEG 2000).", _PNG),
        (rb"\0{3}.ftyp(?:hei|hev|mif1|msf1|avi[fs])", "It is a picture (HEIC or AVIF).", _PNG),
        (rb"\xd7\xcd\xc6\x9a|\x01\0{3}.{36} EMF", "It is a Windows drawing (EMF or WMF).", _PNG),
        (rb"AT&TFORM.{4}DJV", "It is a DjVu document.", _PDF),
        (rb"%!PS|\xc5\xd0\xd3\xc6.{3}\0", "It is a PostScript file.", "Convert it to PDF, for example with ps2pdf."),
        (rb"{\\rtf", "It is a Rich Text document.", "Open it in a text processor and save it as PDF or text."),
        (rb"MZ.{0,62}\0", "It is a Windows program.", _MANUAL),
        (rb"\x7fELF|[\xce\xcf]\xfa\xed\xfe.\0\0|\xfe\xed\xfa[\xce\xcf].\0\0", _PROGRAM, _MANUAL),
        (rb"\xca\xfe\xba\xbe\0", "It is a Java class or a Mach-O program.", _MANUAL),
        (rb"\0asm", "It is a WebAssembly program.", _MANUAL),
        (rb"PK\x05\x06", "It is an empty ZIP archive.", None),
        (rb"\x1f\x8b|BZh[1-9](?:1AY&SY|\x17rE8P)|\xfd7zXZ\0|\x28\xb5\x2f\xfd|\x04\x22M\x18", _COMPRESSED, _UNPACK),
        (rb"7z\xbc\xaf\x27\x1c", "It is a 7z archive.", _UNPACK),
        (rb"Rar!\x1a\x07", "It is a RAR archive.", _UNPACK),
        (rb".{257}ustar[\0 ]", "It is a tar archive.", _UNPACK),
        (rb"ID3[\x02-\x04]\0|\xff\xfb[\x10-\xef]|\xff[\xf2\xf3\xfa][\x10-\xbf]", f"{_SOUND} (MP3).", _TRANSCRIPT),
        (rb"OggS\0", f"{_SOUND} (OGG).", _TRANSCRIPT),
        (rb"fLaC\0", f"{_SOUND} (FLAC).", _TRANSCRIPT),
        (rb"RIFF.{4}WAVE", f"{_SOUND} (WAV).", _TRANSCRIPT),
        (rb"FORM.{4}AIF[FC]", f"{_SOUND} (AIFF).", _TRANSCRIPT),
        (rb"RIFF.{4}AVI ", f"{_FILM} (AVI).", _TRANSCRIPT),
        (rb"\0.{3}(?:ftyp|moov|mdat|wide|free)", f"{_FILM} or sound file (MP4 or MOV).", _TRANSCRIPT),
        (rb"RIFF.{3}[\0-\x08]", f"{_FILM} or sound file (RIFF).", _TRANSCRIPT),
        (rb"\x1aE\xdf\xa3", f"{_FILM} (MKV or WebM).", _TRANSCRIPT),
        (rb"SQLite format 3\0", "It is a SQLite database.", _TABLES),
        (rb"PAR1.{0,64}[\0-\x08\x80-\xff]", "It is a Parquet table.", _TABLES),
    )
)


def match_unsupported(head: bytes) -> tuple[str, str | None] | None:
    """Return what an unsupported file is and a hint, or None if no signature matches."""
    return next(((what, hint) for pattern, what, hint in _SIGNATURES if pattern.match(head)), None)
