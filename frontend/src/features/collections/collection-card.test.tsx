import { act, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { i18n } from "@/lib/i18n/i18n";
import { answerRequests, renderWithLinks } from "@/test-rendering";
import { CollectionCard } from "./collection-card";

const LIBRARY = { id: "c1", name: "Library", is_open: true, is_default: true, document_count: 3, can_write: true };

async function open(description: string) {
  answerRequests({});
  const collection = { ...LIBRARY, description } as never;
  await renderWithLinks(<CollectionCard collection={collection} isAdmin={false} />, ["/documents", "/ask"]);
  await screen.findByText(description);
  await act(() => i18n.changeLanguage("it"));
}

it("shows the first description in the language of the page, and later ones as they are", async () => {
  await open("Everything that has no other place.");
  await screen.findByText("Tutto ciò che non ha un altro posto.");
  await open("Contracts of the last years.");
  expect(screen.queryAllByText("Contracts of the last years.")).toHaveLength(1);
});
