import { expect, it } from "vitest";
import { eventLabel } from "./event-label";
import { EVENT_TYPES } from "./use-webhooks";

it("has words for each type of event", () => {
  expect(EVENT_TYPES.filter((type) => eventLabel(type) === type)).toEqual([]);
  expect(eventLabel("document.trashed")).toBe("Document moved to the trash");
  expect(eventLabel("webhook.test")).toBe("Test");
  expect(eventLabel("some.other")).toBe("some.other");
});
