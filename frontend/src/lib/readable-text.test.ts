import { expect, it } from "vitest";
import { quotedInOneLine, readableCharacters, readableText } from "./readable-text";

it("joins the lines into which a page broke a sentence", () => {
  const text = "Copies of documents and the reports behind alerts are kept for\nten years after the end.";
  expect(readableText(text)).toBe(text.replace("\n", " "));
  expect(readableText("ordinary monitoring applies to ownership of more than 25\nper cent")).not.toContain("\n");
  expect(readableText("Where this\npolicy is stricter, it applies.")).not.toContain("\n");
  expect(readableText("Tools are supplied for three years. On 2\nFebruary 2026 a storm came.")).not.toContain("\n");
  expect(readableText("Goods are moved by hand. From 2026 anything above\n25 kg is lifted by two.")).not.toContain(
    "\n",
  );
  const long = "An account of a customer in their own name with another bank in the European";
  expect(readableText(`${long}\nUnion`)).not.toContain("\n");
  expect(readableText(`${long}\n4.2 Union`)).toContain("\n");
  expect(readableText(`${long} 290\nUnion`)).toContain("\n");
});

it.each([
  "4.2 Identification and verification of natural persons\nThe customer is identified",
  "The meeting was closed, as the minutes say, at noon.\nthen nothing was said",
  "The report is kept for three years. See also:\nAnnex B",
  "Kept for years. See\nAnnex B",
  "This is the last line of the section. It ends like this\n4. The next section",
  "New York, San Francisco 290 90\nrest of the world 200 65",
  "the documents that have to be shown at every counter are:\na passport",
  "a word that does not fit in the line any more is hyphen-\nated there",
])("leaves %j as it stands", (text) => {
  expect(readableText(text)).toBe(text);
});

it("shows rows of a table without the signs of Markdown", () => {
  const rows = "Rates\n\n| Kind | Rate |\n| --- | --- |\n| Fixed \\| new | 4 % |\n| Floating | 3";
  const shown = readableText(rows);
  expect(shown.replaceAll(/ *\n */g, "\n").replaceAll(/ +/g, " ")).toBe(
    "Rates\n\nKind · Rate\nFixed | new · 4 %\nFloating · 3",
  );
  expect(shown).toHaveLength(rows.length);
  expect(readableText("ls | wc -l")).toBe("ls | wc -l");
});

it("parts the cells of a row by dots, in one element for each tab", () => {
  const rows = "Kind\tRate\nFixed\t4 %";
  expect(readableText(rows)).toBe("Kind · Rate\nFixed · 4 %");
  expect(readableCharacters(rows)).toHaveLength(rows.length);
  expect(quotedInOneLine(rows)).toBe("Kind · Rate Fixed · 4 %");
});

it("has a blank behind the bullet or the number of an item", () => {
  const list = "•\tone of them\n12.\tNotice\n(a)\tthe last";
  expect(readableText(list)).toBe("• one of them\n12. Notice\n(a) the last");
  expect(readableCharacters(list)).toHaveLength(list.length);
});

it("begins a line with each row of cells", () => {
  const rows = "Purpose of the processing\tmanagement of the relationship\nmortgage\tcontract";
  expect(readableText(rows).split("\n")).toHaveLength(2);
  const prose = "The report is kept for three years. See also the annex\nAnnex B\tpage 4";
  expect(readableText(prose).split("\n")).toHaveLength(2);
});

it("moves no character, for what is marked is counted from the beginning", () => {
  const text = "😀 the authority that must be informed within seventy-two hours of our\nbecoming aware\n\nNext";
  expect(readableText(text)).toHaveLength(text.length);
});
