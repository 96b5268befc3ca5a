import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { i18n } from "@/lib/i18n/i18n";
import { renderInApp } from "@/test-rendering";
import { NearestNote } from "./coverage-note";
import { useSearch } from "./use-search";

const LOST = { status: 503, code: "embeddings_unavailable", title: "", detail: "It is away.", hint: "Wait." };

/** Answers the first request with a hit without words of the question, the second so often with a problem. */
function loseNearest(times: number, pause?: Promise<void>) {
  let lost = 0;
  vi.stubGlobal("fetch", async (request: Request) => {
    const { nearest_sentence } = (await request.clone().json()) as { nearest_sentence?: boolean };
    if (!nearest_sentence) return Response.json({ data: [{ sentence: null, snippet: { text: "The start." } }] });
    if (lost < times) {
      lost += 1;
      if (lost > 1) await pause;
      return Response.json(LOST, { status: 503 });
    }
    return Response.json({ data: [{ sentence: { start: 0, end: 1 }, snippet: { text: "The nearest." } }] });
  });
}

function Hits() {
  const { data, error, nearestError, isNearestFetching, refetchNearest } = useSearch({ q: "opening hours" });
  return (
    <>
      {error ? "failed" : data?.data.map((hit) => hit.snippet.text).join()}
      {nearestError ? (
        <NearestNote error={nearestError} isFetching={isNearestFetching} onRetry={() => void refetchNearest()} />
      ) : null}
    </>
  );
}

afterEach(() => i18n.changeLanguage("en"));

it("says why the nearest sentences are not there, keeps the passages, and tries again", async () => {
  loseNearest(1);
  renderInApp(<Hits />);
  expect(await screen.findByRole("status")).toHaveTextContent(/^The closest sentences.*It is away\. Wait\./);
  screen.getByText(/The start\./);
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText(/The nearest\./);
  await waitFor(() => expect(screen.queryByRole("status")).not.toBeInTheDocument());
});

it("still says so, and offers it again, when the next try fails as well", async () => {
  let goOn = () => {};
  loseNearest(2, new Promise((resolve) => (goOn = resolve)));
  renderInApp(<Hits />);
  fireEvent.click(await screen.findByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Try again" })).toBeDisabled());
  expect(screen.getByRole("status")).toHaveTextContent("It is away.");
  goOn();
  await waitFor(() => expect(screen.getByRole("button", { name: "Try again" })).toBeEnabled());
  expect(screen.getByRole("status")).toHaveTextContent("It is away.");
});
