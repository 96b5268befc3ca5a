import { fireEvent, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { toRequest } from "./search-url";
import { changeOfAddress, WhyForm } from "./why-form";

it("says where the expected passage got lost, and offers the change that brings it up", async () => {
  const asked = answerRequests({
    "GET /api/v1/documents": () => ({
      items: [{ id: "d1", filename: "policy.pdf" }],
      total: 1,
      next_cursor: null,
    }),
    "POST /api/v1/search/why": () => ({
      stage: "top_k",
      reason: "The passage is number 14.",
      change: { text: "Ask for 14 passages.", field: "top_k", value: 14 },
    }),
  });
  const onChange = vi.fn();
  renderInApp(<WhyForm request={toRequest({}, "retention")} onChange={onChange} />);
  fireEvent.click(screen.getByRole("combobox", { name: /document/i }));
  fireEvent.click(await screen.findByRole("option", { name: "policy.pdf", hidden: true }));
  fireEvent.click(screen.getByRole("button", { name: "Find out why" }));

  await screen.findByText("The passage is number 14.");
  expect(asked.at(-1)?.body).toMatchObject({ query: "retention", document: "d1" });
  fireEvent.click(screen.getByRole("button", { name: "Search so" }));
  expect(onChange).toHaveBeenCalledWith({ k: 14 });
});

it("offers no change that the page cannot make", () => {
  expect(changeOfAddress({ text: "Ask for more.", field: "top_k", value: 50 })).toBeNull();
  expect(changeOfAddress({ text: "Read it again.", field: null, value: null })).toBeNull();
});
