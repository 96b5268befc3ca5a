import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { render } from "@testing-library/react";
import type { ReactElement, ReactNode } from "react";
import { vi } from "vitest";
import { i18n } from "@/lib/i18n/i18n";

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
}

type Answer = (asked: Asked) => unknown;

/** Answers for the browser's `fetch`, by "METHOD /path"; what was asked is listed. Only the network is replaced. */
export function answerRequests(answers: Record<string, Answer>): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal("fetch", async (request: Request | string, init?: RequestInit) => {
    const { method, url, text } =
      typeof request === "string"
        ? { method: init?.method ?? "GET", url: new URL(request, "http://localhost"), text: "" }
        : { method: request.method, url: new URL(request.url), text: await request.clone().text() };
    const one = { method, path: url.pathname, query: url.searchParams, body: text ? JSON.parse(text) : null };
    asked.push(one);
    const answer = answers[`${method} ${url.pathname}`];
    if (!answer) return Response.json({ code: "not_found", detail: `${method} ${url.pathname}` }, { status: 404 });
    const body = await answer(one);
    return body instanceof Response ? body : Response.json(body);
  });
  return asked;
}

/** As `renderInApp`, for what holds links to these paths of the app. */
export async function renderWithLinks(element: ReactElement, paths: string[]) {
  const root = createRootRoute({ component: () => element });
  const children = paths.map((path) => createRoute({ getParentRoute: () => root, path }));
  const router = createRouter({ routeTree: root.addChildren(children), history: createMemoryHistory() });
  await router.load();
  return renderInApp(<RouterProvider router={router as never} />);
}

/** Render as the app does: theme, texts in English, a cache of its own. */
export function renderInApp(element: ReactElement) {
  void i18n.changeLanguage("en");
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MantineProvider env="test">
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </MantineProvider>
  );
  return { client, ...render(element, { wrapper }) };
}
