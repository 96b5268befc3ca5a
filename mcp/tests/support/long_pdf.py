"""A PDF of many pages, written by hand."""

LINES_A_PAGE = 40
SENTENCE = "The branch reports every unusual transfer to the committee within two days."


def long_pdf(pages: int) -> bytes:
    """Each page begins with `Page N begins.` and ends with `Page N ends`."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    numbers: list[int] = []
    for number in range(1, pages + 1):
        lines = [f"Page {number} begins.", *[SENTENCE] * LINES_A_PAGE, f"Page {number} ends."]
        shown = "\n".join(f"({line}) Tj T*" for line in lines)
        stream = f"BT /F1 10 Tf 14 TL 50 780 Td\n{shown}\nET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        resources = "/MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R /Contents {len(objects)} 0 R {resources} >>")
        numbers.append(len(objects))
    kids = " ".join(f"{number} 0 R" for number in numbers)
    objects[1] = f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>"
    return _joined(objects)


def _joined(objects: list[str]) -> bytes:
    body, places = "%PDF-1.4\n", list[int]()
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
    return f"{body}xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode()
