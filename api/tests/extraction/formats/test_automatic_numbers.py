"""Numbers that programs write before headings and items, as Word and LibreOffice print them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.extraction.office_writer import ODF_SPACES, WORD, docx, odp, odt, paragraph, pptx, slide_xml

from lectern.extraction.detection import detect_content_type
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits

Lines = Callable[[bytes], list[str]]
OUTLINE = (
    '<text:outline-style style:name="Outline">'
    '<text:outline-level-style text:level="1" style:num-format="1" style:num-prefix="Art. " style:num-suffix="." />'
    '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2" />'
    '<text:outline-level-style text:level="3" style:num-format="a" style:num-suffix=")" />'
    '</text:outline-style><style:style style:name="P1" style:list-style-name="" />'
)
STEPS = (
    '<text:list-style style:name="Steps"><text:list-level-style-number text:level="1" style:num-format="1" '
    'style:num-suffix="." /></text:list-style>'
)


@pytest.fixture
def lines(tmp_path: Path) -> Lines:
    """Return the lines of a file's pages, without blank ones."""

    def read(content: bytes) -> list[str]:
        path = tmp_path / "made"
        path.write_bytes(content)
        pages = extract_document(path, detect_content_type(content, "made"), limits=ExtractionLimits()).pages
        return [line for page in pages for line in page.text.split("\n") if line]

    return read


def heading(level: int, text: str, attributes: str = "") -> str:
    return f'<text:h text:outline-level="{level}" {attributes}>{text}</text:h>'


def test_headings_of_a_text_have_the_numbers_of_its_outline(lines: Lines) -> None:
    body = [
        heading(1, "Scope"),
        heading(1, "Foreword", 'text:style-name="P1"'),
        heading(2, "Warranty"),
        heading(3, ""),
        heading(3, "Length"),
        heading(1, "Interlude", 'text:is-list-header="true"'),
        heading(1, "Prices"),
        heading(3, "Skipped"),
        heading(2, "Discounts"),
        heading(1, "Seven", 'text:restart-numbering="true" text:start-value="7"'),
        heading(1, "Eight"),
        '<text:list text:style-name="Steps"><text:list-item>' + heading(1, "Step") + "</text:list-item></text:list>",
    ]
    assert lines(odt("".join(body), styles=OUTLINE + STEPS)) == [
        "Art. 1. Scope",
        "Foreword",
        "1.1 Warranty",
        "b) Length",
        "Interlude",
        "Art. 2. Prices",
        "a) Skipped",
        "2.2 Discounts",
        "Art. 7. Seven",
        "Art. 8. Eight",
        "1. Step",
    ]


def test_levels_without_a_number_are_no_part_of_those_below(lines: Lines) -> None:
    unnumbered = OUTLINE.replace('style:num-format="1" style:num-prefix="Art. " style:num-suffix="."', "")
    body = heading(1, "One") + heading(2, "Two") + heading(999_999_999, "Deep")

    styles = (
        f"<office:document-styles {ODF_SPACES}><office:styles>{unnumbered}</office:styles></office:document-styles>"
    )

    assert lines(odt(body, parts={"styles.xml": styles})) == ["One", "1 Two", "Deep"]
    assert lines(odt(body)) == ["One", "Two", "Deep"]


def test_lists_of_slides_have_their_numbers_and_begin_in_each_box(lines: Lines) -> None:
    items = "".join(f"<text:list-item><text:p>{text}</text:p></text:list-item>" for text in ("Print", "Pack"))
    text = f'<draw:text-box><text:list text:style-name="Steps">{items}</text:list></draw:text-box>'
    boxes = f"<draw:frame>{text}</draw:frame>" * 2

    assert lines(odp(f"<draw:page>{boxes}</draw:page>", styles=STEPS)) == ["1. Print", "2. Pack"] * 2


def slide_text(*paragraphs: tuple[str, str]) -> str:
    made = "".join(f"<a:p><a:pPr {rule}</a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>" for rule, text in paragraphs)
    return f"<p:sp><p:txBody>{made}</p:txBody></p:sp>"


def test_numbered_paragraphs_of_a_slide_have_their_numbers(lines: Lines) -> None:
    period, letter = '><a:buAutoNum type="arabicPeriod"/>', 'lvl="1"><a:buAutoNum type="alphaLcParenR"/>'
    roman = '><a:buAutoNum type="romanUcParenBoth" startAt="4"/>'
    texts = slide_text(
        *((period, "Print"), (period, "Pack"), (letter, "paper"), (letter, "box"), (period, "Post"), (letter, "alone")),
        *(("><a:buNone/>", "Plain"), (period, "Again"), (roman, "Four"), (roman, "Five")),
    )
    assert lines(pptx(slide_xml(texts))) == [
        *("1. Print", "2. Pack", "  a) paper", "  b) box", "3. Post", "  a) alone"),
        *("Plain", "1. Again", "(IV) Four", "(V) Five"),
    ]


def level(number: int, form: str, text: str, more: str = "") -> str:
    rule = f'<w:start w:val="1"/><w:numFmt w:val="{form}"/>{more}<w:lvlText w:val="{text}"/>'
    return f'<w:lvl w:ilvl="{number}">{rule}</w:lvl>'


def test_lists_of_word_begin_anew_and_headings_inherit_list_and_level(lines: Lines) -> None:
    levels = level(0, "upperRoman", "%1.") + level(1, "decimal", "%1.%2", "<w:isLgl/>")
    numbering = f"""<w:numbering xmlns:w="{WORD}">
        <w:abstractNum w:abstractNumId="1"><w:styleLink w:val="Law"/>{levels}</w:abstractNum>
        <w:abstractNum w:abstractNumId="2"><w:numStyleLink w:val="Law"/></w:abstractNum>
        <w:num w:numId="1"><w:abstractNumId w:val="2"/></w:num>
        <w:num w:numId="2"><w:abstractNumId w:val="1"/>
        <w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num></w:numbering>"""
    styles = f"""<w:styles xmlns:w="{WORD}"><w:style w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr>
        <w:numId w:val="1"/></w:numPr></w:pPr></w:style><w:style w:styleId="H2"><w:name w:val="heading 2"/>
        <w:basedOn w:val="H1"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr></w:style></w:styles>"""
    seven = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr>'
    body = [paragraph("One", style="H1"), paragraph("Two", style="H1"), paragraph("Below", style="H2")]
    body += [paragraph("Seven", style="H1", extra=seven), paragraph("Eight", style="H1", extra=seven)]
    content = docx("".join(body), parts={"word/numbering.xml": numbering, "word/styles.xml": styles})

    assert lines(content) == ["I. One", "II. Two", "2.1 Below", "VII. Seven", "VIII. Eight"]
