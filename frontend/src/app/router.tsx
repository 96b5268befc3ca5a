import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { readDocumentUrl } from "@/features/document/document-url";
import { readDocumentsSearch } from "@/features/documents/documents-search";
import { JOB_GROUPS } from "@/features/jobs/use-jobs";
import { readSearchUrl } from "@/features/search/search-url";
import { readTagsSearch } from "@/features/tags/tags-search";
import { readTrashSearch } from "@/features/trash/trash-search";
import { loadCode } from "@/lib/load-code";
import { compact, oneOf } from "@/lib/search-params";
import { DocumentsPage } from "@/pages/documents-page";
import { NotFoundPage } from "@/pages/not-found-page";
import { LoadingPage } from "@/shared/states";
import { BrokenScreen } from "./missing-code";
import { Root } from "./root";

const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFoundPage });

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/documents" });
  },
});

const documentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/documents",
  validateSearch: readDocumentsSearch,
  component: DocumentsPage,
});

const searchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/search",
  validateSearch: readSearchUrl,
  component: lazyRouteComponent(() => loadCode(() => import("@/pages/search-page")), "SearchPage"),
});

const askRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/ask",
  validateSearch: readSearchUrl,
  component: lazyRouteComponent(() => loadCode(() => import("@/pages/ask-page")), "AskPage"),
});

const documentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/documents/$documentId",
  validateSearch: readDocumentUrl,
  component: lazyRouteComponent(() => loadCode(() => import("@/pages/document-page")), "DocumentPage"),
});

const keysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/keys",
  component: lazyRouteComponent(() => loadCode(() => import("@/pages/keys-page")), "KeysPage"),
});

const jobsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/jobs",
  validateSearch: (raw: Record<string, unknown>) => compact({ state: oneOf(raw, "state", JOB_GROUPS) }),
  component: lazyRouteComponent(() => loadCode(() => import("@/pages/jobs-page")), "JobsPage"),
});

const tagsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tags",
  validateSearch: readTagsSearch,
  component: lazyRouteComponent(() => loadCode(() => import("@/pages/tags-page")), "TagsPage"),
});

const collectionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/collections",
  component: lazyRouteComponent(() => loadCode(() => import("@/pages/collections-page")), "CollectionsPage"),
});

const trashRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/trash",
  validateSearch: readTrashSearch,
  component: lazyRouteComponent(() => loadCode(() => import("@/pages/trash-page")), "TrashPage"),
});

const goldenRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/golden",
  component: lazyRouteComponent(() => loadCode(() => import("@/pages/golden-page")), "GoldenPage"),
});

const usersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/users",
  component: lazyRouteComponent(() => loadCode(() => import("@/pages/users-page")), "UsersPage"),
});

const systemRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/system",
  component: lazyRouteComponent(() => loadCode(() => import("@/pages/system-page")), "SystemPage"),
});

const routeTree = rootRoute.addChildren([
  keysRoute,
  jobsRoute,
  indexRoute,
  documentsRoute,
  searchRoute,
  askRoute,
  documentRoute,
  tagsRoute,
  collectionsRoute,
  trashRoute,
  goldenRoute,
  usersRoute,
  systemRoute,
]);

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPendingComponent: LoadingPage,
  defaultErrorComponent: BrokenScreen,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
