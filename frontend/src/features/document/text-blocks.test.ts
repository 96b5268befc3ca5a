import { describe, expect, it } from "vitest";
import { groupRows, markdownBlocks, plainBlocks, type TextBlock } from "./text-blocks";

const shown = (text: string, blocks: TextBlock[]) => {
  const characters = Array.from(text);
  const part = ({ start, end }: { start: number; end: number }) => characters.slice(start, end).join("");
  return blocks.map(
    (block) => `${block.kind}: ${block.cells ? block.cells.map(part).join(" / ") : part(block)}`,
  );
};

const MARKDOWN = `# Handbook 😀

First line
goes on here.

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

describe("the blocks of a Markdown document", () => {
  it("cover its text with offsets that count as the API counts", () => {
    expect(shown(MARKDOWN, markdownBlocks(MARKDOWN))).toEqual([
      "heading: Handbook 😀",
      "paragraph: First line\ngoes on here.",
      "item: - one",
      "item: - two",
      "quote: said",
      "row: Part / Weight",
      "row: Result \\| sum / 40 %",
      "code: code  stays\nas it is",
      "rule: ***",
      "item: 1. first",
    ]);
  });

  it("put the rows of a table together", () => {
    const groups = groupRows(markdownBlocks(MARKDOWN));
    expect(groups.filter(Array.isArray).map((rows) => rows.length)).toEqual([2]);
  });

  it("are nothing where there is nothing", () => {
    expect(markdownBlocks("")).toEqual([]);
    expect(markdownBlocks("\n\n")).toEqual([]);
  });
});

describe("the blocks of a plain text", () => {
  it("are its paragraphs, each with its own lines", () => {
    const text = "One\ntwo\n\n # not a heading";
    expect(shown(text, plainBlocks(text))).toEqual(["paragraph: One\ntwo", "paragraph:  # not a heading"]);
  });
});
