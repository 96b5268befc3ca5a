import { fireEvent, render, screen } from "@testing-library/react";
import type { ComponentProps } from "react";
import { describe, expect, it } from "vitest";
import { renderInApp } from "@/test-rendering";
import { type MarkedRange, TextPage } from "./text-page";

const MARKDOWN = `# Handbook 😀

First *line*
goes on [here](https://example.org), not [there](javascript:alert(1)).

- one
- two
> said

| Part | Weight |
| --- | --- |
| Result \\| sum | 40 % |

\`\`\`
code  stays
as it is
\`\`\`
***
1. first`;

const show = (text: string, options: Partial<ComponentProps<typeof TextPage>> = {}) => {
  const { container } = render(<TextPage text={text} isMarkdown ranges={[]} {...options} />);
  return container;
};
/** The range of words as the API counts: in code points. */
const rangeOf = (words: string, kind: MarkedRange["kind"] = "current"): MarkedRange => {
  const start = Array.from(MARKDOWN.slice(0, MARKDOWN.indexOf(words))).length;
  return { start, end: start + Array.from(words).length, kind };
};
const texts = (container: Element, selector: string) =>
  [...container.querySelectorAll(selector)].map((element) => element.textContent);

it("breaks wrapped prose where the window ends, and marks the same characters", () => {
  const text = "The committee met at nine in the small hall of the\nlibrary.\nPresent: A. Keller\nAbsent: none";
  const start = text.indexOf("of the\nlibrary");
  const container = show(text, { isMarkdown: false, ranges: [{ start, end: start + 14, kind: "current" }] });
  expect(texts(container, "p")).toEqual([text.replace("\nlibrary", " library")]);
  expect(texts(container, "mark")).toEqual(["of the library"]);
});

it("has the headings of a page that are lines of its text", () => {
  const text = "People\nNumbers\nWomen are 47 per cent\nof all.\nSafety\nThere were 61 accidents.";
  const headings = new Map([
    ["People", 1],
    ["Numbers", 2],
    ["Safety", 2],
  ]);
  const start = text.indexOf("Safety");
  const range = { start, end: start + 12, kind: "current" as const };
  const container = show(text, { isMarkdown: false, headings, ranges: [range] });
  expect(texts(container, "h2, h3, p")).toEqual([
    "People",
    "Numbers",
    "Women are 47 per cent\nof all.",
    "Safety",
    "There were 61 accidents.",
  ]);
  expect(texts(container, "mark")).toEqual(["Safety", "There"]);
});

describe("a page of Markdown", () => {
  it("is drawn as headings, paragraphs, lists, quotes, tables and code", () => {
    const container = show(MARKDOWN);
    expect(texts(container, "h2")).toEqual(["Handbook 😀"]);
    expect(texts(container, "p")[0]).toBe("First line goes on here, not there.");
    expect(texts(container, "ul > li")).toEqual(["one", "two"]);
    expect(texts(container, "blockquote")).toEqual(["said"]);
    expect(texts(container, "th")).toEqual(["Part", "Weight"]);
    expect(texts(container, "td")).toEqual(["Result | sum", "40 %"]);
    expect(texts(container, "pre")).toEqual(["code  stays\nas it is"]);
    expect(texts(container, "ol > li")).toEqual(["first"]);
    expect(container.querySelector("hr")).toBeInTheDocument();
  });

  it("links to the web only", () => {
    show(MARKDOWN);
    expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["https://example.org"]);
  });

  it("marks passages by the API's offsets, across emphasis and links", () => {
    const container = show(MARKDOWN, {
      ranges: [rangeOf("line*\ngoes on [he"), rangeOf("stays", "place")],
    });
    expect(texts(container, "mark")).toEqual(["line", " goes on ", "he", "stays"]);
    expect(texts(container, "mark[data-current]")).toEqual(["line", " goes on ", "he"]);
  });

  it("washes the passage and underlines notes without a mark for screen readers, one over the other", () => {
    const container = show(MARKDOWN, {
      ranges: [rangeOf("two", "wash"), rangeOf("wo", "note"), rangeOf("code  stays")],
    });
    expect(texts(container, "mark")).toEqual(["code  stays"]);
    expect(texts(container, "li > p > span")).toEqual(["t", "wo"]);
    expect(container.querySelectorAll("li span")[1]?.className).toMatch(/wash.* .*note/);
  });

  it("is nothing where there is nothing", () => {
    expect(show("\n\n")).toBeEmptyDOMElement();
  });
});

it("plain text keeps its paragraphs and their lines", () => {
  const container = show("One\ntwo\n\n # not a heading", {
    isMarkdown: false,
    ranges: [{ start: 4, end: 7, kind: "current" as const }],
  });
  expect(texts(container, "p")).toEqual(["One\ntwo", " # not a heading"]);
  expect(texts(container, "mark")).toEqual(["two"]);
});

describe("lines with tabs", () => {
  const TEXT = [
    "Annual report\tPage 3",
    "Sums, thousands\t2025\t2024",
    "Net sales 😀\t1,204\t980",
    "Costs",
    "Depreciation\t12",
    "Staff\t(430)\t—",
    "Board",
    "Name\tRole\tSince",
    "Ada Byron\tChair\t2019",
    "Signed by hand",
  ].join("\n");
  const cellsOf = (table: Element) =>
    [...table.querySelectorAll("tr")].map((row) => [...row.children].map((cell) => cell.textContent));

  it("are tables, which begin again where the next header is", () => {
    const container = show(TEXT, { isMarkdown: false });
    const [sums, board] = container.querySelectorAll("table");
    expect(sums && cellsOf(sums)).toEqual([
      ["Sums, thousands", "2025", "2024"],
      ["Net sales 😀", "1,204", "980"],
      ["Costs"],
      ["Depreciation\t12"],
      ["Staff", "(430)", "—"],
    ]);
    expect(board && cellsOf(board)).toEqual([
      ["Name", "Role", "Since"],
      ["Ada Byron", "Chair", "2019"],
    ]);
    expect(container.querySelectorAll("th[colspan='3']")).toHaveLength(2);
    expect(texts(container, "p")).toEqual(["Annual report\tPage 3", "Board", "Signed by hand"]);
  });

  it("put figures below each other, at the end of their column", () => {
    expect(texts(show(TEXT, { isMarkdown: false }), "[data-figures]")).toEqual([
      "2025",
      "2024",
      "1,204",
      "980",
      "(430)",
      "—",
    ]);
  });

  it("are marked by the API's offsets, which count every character", () => {
    const start = Array.from(TEXT.slice(0, TEXT.indexOf("980"))).length;
    const range = { start, end: start + "980\nCosts\nDepre".length, kind: "current" as const };
    const container = show(TEXT, { isMarkdown: false, ranges: [range] });
    expect(texts(container, "tr mark")).toEqual(["980", "Costs", "Depre"]);
  });

  it("have the signs of currencies with their sums", () => {
    const container = show("Taxes\t$\t7,427\t€\t3\nInterest\t1,467\t1,641", { isMarkdown: false });
    expect(container.querySelector("table") && cellsOf(container.querySelector("table") as Element)).toEqual([
      ["Taxes", "$\t7,427", "€\t3"],
      ["Interest", "1,467", "1,641"],
    ]);
    expect(texts(container, "[data-figures]")).toHaveLength(4);
  });

  it("are items of a list behind their bullets and numbers", () => {
    const text = "•\tone of them\n•\tanother\n12.\tthe last";
    const container = show(text, { isMarkdown: false });
    expect(texts(container, "p:not([data-cells])")).toEqual([text]);
  });

  it.each([
    ["two rows of two cells", "Lectern\tReport\nMay\tPage 3"],
    ["indented lines", "\tone\n\ttwo\n\tthree"],
    ["rows that differ", "a\tb\tc\nd\te\nf\tg\th\ti"],
  ])("keep their tabs as %s", (_, text) => {
    const container = show(text, { isMarkdown: false });
    expect(texts(container, "p[data-cells]")).toEqual([text]);
    expect(container.querySelector("table")).toBeNull();
  });
});

describe("a page of an office file", () => {
  const TEXT = "Rates\n\n| Kind | *Rate* |\n| --- | --- |\n| Fixed \\| new | 4 % |\n|  | 5 % |\n\nRates apply";

  it("has its headings by level and its tables, with nothing else taken for Markdown", () => {
    const container = show(TEXT, { isMarkdown: false, headings: new Map([["Rates", 2]]) });
    expect(texts(container, "h3")).toEqual(["Rates"]);
    expect(texts(container, "th")).toEqual(["Kind", "*Rate*"]);
    expect(texts(container, "td")).toEqual(["Fixed | new", "4 %", "", "5 %"]);
    expect(texts(container, "p")).toEqual(["Rates apply"]);
  });

  it("marks passages in cells", () => {
    const start = TEXT.indexOf("4 %");
    const container = show(TEXT, { isMarkdown: false, ranges: [{ start, end: start + 3, kind: "current" as const }] });
    expect(texts(container, "td > mark")).toEqual(["4 %"]);
  });

  it("shows a long table up to the passage, and whole when asked", () => {
    const rows = Array.from({ length: 2_000 }, (_, row) => `| ${row} | x |`).join("\n");
    const text = `| No | X |\n| --- | --- |\n${rows}`;
    const start = text.indexOf("| 900 |");
    const range = { start, end: start + 5, kind: "current" as const };
    const { container } = renderInApp(<TextPage text={text} isMarkdown={false} ranges={[range]} />);
    expect(container.querySelectorAll("tbody > tr")).toHaveLength(950);
    fireEvent.click(screen.getByRole("button", { name: "Show all 2,000 rows" }));
    expect(container.querySelectorAll("tbody > tr")).toHaveLength(2_000);
  });
});

describe("a message", () => {
  const TEXT =
    "Rates\n\nFrom: Ada <ada@example.org>\nDate: Sun, 22 Dec 2024 08:23:00 +0000\n\nFrom: here\n\nAttachments (listed, not read):\n\n- rates.pdf (application/pdf)";

  it("has its headers as a list, the date in the reader's words, and its attachments", () => {
    const container = show(TEXT, { isMarkdown: false, isMail: true, headings: new Map([["Rates", 1]]) });
    expect(texts(container, "dt")).toEqual(["From", "Date"]);
    expect(texts(container, "dd")[0]).toBe("Ada <ada@example.org>");
    expect(texts(container, "dd")[1]).toMatch(/22 Dec 2024|Dec 22, 2024/);
    expect(texts(container, "p")[0]).toBe("From: here");
    expect(texts(container, "li")).toEqual([" rates.pdf (application/pdf)"]);
  });

  it("marks passages in headers as they are in the file", () => {
    const start = TEXT.indexOf("22 Dec");
    const range = { start, end: start + 6, kind: "current" as const };
    const container = show(TEXT, { isMarkdown: false, isMail: true, ranges: [range] });
    expect(texts(container, "dd > mark")).toEqual(["22 Dec"]);
  });
});
