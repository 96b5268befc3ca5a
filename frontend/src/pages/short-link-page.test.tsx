import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerRequests, renderInApp } from "@/test-rendering";
import { ShortLinkPage } from "./short-link-page";

const ID = "33cb58bf-1a8d-4346-9ea8-6407c52e0d46";

async function open(address: string) {
  const root = createRootRoute();
  const link = createRoute({ getParentRoute: () => root, path: "/d/$", component: ShortLinkPage });
  const others = ["/documents", "/documents/$documentId"].map((path) =>
    createRoute({ getParentRoute: () => root, path }),
  );
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree: root.addChildren([link, ...others]), history });
  await router.load();
  renderInApp(<RouterProvider router={router as never} />);
  return router;
}

it("opens the document of a handle at its page and characters", async () => {
  const asked = answerRequests({ "GET /api/v1/documents/named": () => ({ id: ID }) });
  const router = await open("/d/33cb58bf/7/120-180");
  await waitFor(() => expect(router.state.location.pathname).toBe(`/documents/${ID}`));
  expect(router.state.location.search).toEqual({ page: 7, start: 120, end: 180 });
  expect(asked[0]?.query.get("name")).toBe("33cb58bf");
});

it("asks for nothing if the address is no short link", async () => {
  const asked = answerRequests({});
  await open("/d/policy.pdf");
  expect(await screen.findByRole("heading", { level: 1 })).toBeVisible();
  expect(asked).toEqual([]);
});
