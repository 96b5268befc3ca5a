"""Convert Office files to PDF by LibreOffice as a library: no program is started and no socket is opened.

A macro in a fresh profile loads the file hidden, by the filter of its type and without the file's own macros. The
library's own call for loading would need files of the user interface, which packages for servers leave out.
This runs in a child (`sandbox.conversion`), which ends without a word to the library: it may crash in its destructors.
"""

import ctypes
import os
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from lectern.extraction.errors import Corrupt

_OPEN_XML: Final = "application/vnd.openxmlformats-officedocument."
_OPEN_DOCUMENT: Final = "application/vnd.oasis.opendocument."
FILTERS: Final = {
    f"{_OPEN_XML}wordprocessingml.document": ("MS Word 2007 XML", "writer_pdf_Export"),
    f"{_OPEN_XML}spreadsheetml.sheet": ("Calc MS Excel 2007 XML", "calc_pdf_Export"),
    f"{_OPEN_XML}presentationml.presentation": ("Impress MS PowerPoint 2007 XML", "impress_pdf_Export"),
    f"{_OPEN_DOCUMENT}text": ("writer8", "writer_pdf_Export"),
    f"{_OPEN_DOCUMENT}spreadsheet": ("calc8", "calc_pdf_Export"),
    f"{_OPEN_DOCUMENT}presentation": ("impress8", "impress_pdf_Export"),
}
"""The filters to load a type and to save it as PDF, by media type."""

DATA: Final = tuple(map(Path, ("/etc/libreoffice", "/var/lib/libreoffice", "/var/spool/libreoffice")))
"""Folders of the configuration in packages of distributions."""

_HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_LIBRARY: Final = 'xmlns:library="http://openoffice.org/2000/library" library:name="Standard"'
_PROFILE: Final = {
    # A profile without this mark is filled with the presets, which replace the macro.
    "registrymodifications.xcu": (
        '<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Setup/Office">'
        '<prop oor:name="ooSetupInstCompleted" oor:op="fuse"><value>true</value></prop></item></oor:items>'
    ),
    "basic/script.xlc": (
        '<library:libraries xmlns:xlink="http://www.w3.org/1999/xlink" '
        'xmlns:library="http://openoffice.org/2000/library"><library:library library:name="Standard" '
        'xlink:href="$(USER)/basic/Standard/script.xlb/" xlink:type="simple" library:link="false"/></library:libraries>'
    ),
    "basic/Standard/script.xlb": (
        f'<library:library {_LIBRARY} library:readonly="false" library:passwordprotected="false">'
        '<library:element library:name="Conversion"/></library:library>'
    ),
    "basic/Standard/dialog.xlb": (
        f'<library:library {_LIBRARY} library:readonly="false" library:passwordprotected="false"/>'
    ),
}
_MODULE: Final = (
    '<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Conversion" '
    'script:language="StarBasic">{}</script:module>'
)
# 0 is the constant for "never" of both MacroExecutionMode and UpdateDocMode.
_MACRO: Final = """
Function Named(sName, oValue)
  Dim oProperty As New com.sun.star.beans.PropertyValue
  oProperty.Name = sName
  oProperty.Value = oValue
  Named = oProperty
End Function

Sub Convert
  oDocument = StarDesktop.loadComponentFromURL("{file}", "_blank", 0, Array(Named("FilterName", "{load}"), _
    Named("Hidden", True), Named("ReadOnly", True), Named("MacroExecutionMode", 0), Named("UpdateDocMode", 0)))
  oDocument.storeToURL("{pdf}", Array(Named("FilterName", "{save}"), _
    Named("FilterData", Array(Named("ExportHiddenSlides", True), Named("ExportBookmarks", False)))))
End Sub
"""
_CALL: Final = b"macro:///Standard.Conversion.Convert()"


class _OfficeClass(ctypes.Structure):
    """The functions of `LibreOfficeKitClass` up to `runMacro`. New versions add theirs behind these."""

    _fields_ = (
        ("size_bytes", ctypes.c_size_t),
        ("others", ctypes.c_void_p * 10),
        ("run_macro", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)),
    )


class _Office(ctypes.Structure):
    _fields_ = (("functions", ctypes.POINTER(_OfficeClass)),)


def convert(path: Path, content_type: str, *, library: Path, pdf: Path, scratch: Path) -> None:
    """Write the file as PDF. The process can be used once. Raises Corrupt."""
    load, save = FILTERS[content_type]
    macro = _MACRO.format(file=path.as_uri(), pdf=pdf.as_uri(), load=load, save=save)
    _write_profile(scratch / "user", macro)
    start = ctypes.CDLL(str(library)).libreofficekit_hook_2
    start.restype = ctypes.POINTER(_Office)
    start.argtypes = (ctypes.c_char_p, ctypes.c_char_p)
    office = start(os.fsencode(library.parent), scratch.as_uri().encode())
    if not office or not office.contents.functions.contents.run_macro(office, _CALL) or not pdf.is_file():
        raise Corrupt("LibreOffice cannot convert this file.")


def _write_profile(folder: Path, macro: str) -> None:
    files = {**_PROFILE, "basic/Standard/Conversion.xba": _MODULE.format(escape(macro))}
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(_HEAD + content, encoding="utf-8")
