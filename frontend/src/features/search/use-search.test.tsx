import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { useSearch } from "./use-search";

function Snippets() {
  const { data, error } = useSearch({ q: "opening hours" });
  return <p>{error ? "failed" : data?.data.map((hit) => hit.snippet.text).join()}</p>;
}

const answer = (sentence: object | null, text: string) => ({ data: [{ sentence, snippet: { text } }] });
const isNearest = (body: unknown) => (body as { nearest_sentence: boolean }).nearest_sentence;

describe("a search", () => {
  it("shows what there is, then the nearest sentence where a hit has none of the words", async () => {
    const asked = answerRequests({
      "POST /api/v1/search": ({ body }) =>
        isNearest(body) ? answer({ start: 0, end: 9 }, "At nine.") : answer(null, "The beginning."),
    });
    renderInApp(<Snippets />);
    await screen.findByText("The beginning.");
    await screen.findByText("At nine.");
    expect(asked.map(({ body }) => isNearest(body))).toEqual([false, true]);
  });

  it("asks once where every hit has words", async () => {
    const asked = answerRequests({
      "POST /api/v1/search": () => answer({ start: 0, end: 9 }, "Opening hours."),
    });
    renderInApp(<Snippets />);
    await screen.findByText("Opening hours.");
    expect(asked).toHaveLength(1);
  });
});
