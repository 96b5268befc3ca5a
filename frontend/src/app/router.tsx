import type { FetchQueryOptions, QueryKey } from "@tanstack/react-query";
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { readActivityUrl } from "@/features/activity/activity-url";
import { collectionsQuery } from "@/features/collections/use-collections";
import "@/features/consent/authorization-request"; // reads the address before the router rewrites it
import { readAskUrl } from "@/features/ask/ask-url";
import { readDocumentUrl } from "@/features/document/document-url";
import { documentQuery, prefetchParts, type TextRange } from "@/features/document/use-document";
import { readDocumentsSearch } from "@/features/documents/documents-search";
import { documentsQuery } from "@/features/documents/use-documents";
import { JOB_GROUPS } from "@/features/jobs/use-jobs";
import { readSearchUrl } from "@/features/search/search-url";
import { searchQuery } from "@/features/search/use-search";
import { meQuery } from "@/features/session/use-session";
import { SIGN_IN_PATH } from "@/features/session/wanted-page";
import { readTagsSearch } from "@/features/tags/tags-search";
import { tagsQuery } from "@/features/tags/use-tags";
import { readTrashSearch } from "@/features/trash/trash-search";
import { loadPdfViewer } from "@/features/viewer/load-pdf-viewer";
import { loadCode } from "@/lib/load-code";
import { queryClient } from "@/lib/query-client";
import { compact, oneOf, only, parseSearch, stringifySearch } from "@/lib/search-params";
import { DocumentsPage } from "@/pages/documents-page";
import { NotFoundPage } from "@/pages/not-found-page";
import { LoadingPage } from "@/shared/states";
import { BrokenScreen } from "./missing-code";
import { Root, SignedIn } from "./root";

const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFoundPage });

const child = { getParentRoute: () => rootRoute };

/** A page whose code loads when it is opened. */
const page: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => loadCode(load, { isPage: true }), name);

/** Return true if somebody is signed in, once that is known. */
async function isSignedIn(): Promise<boolean> {
  const me = meQuery();
  if (queryClient.getQueryState(me.queryKey)?.error) return false;
  return queryClient.ensureQueryData(me).then(Boolean, () => false);
}

/** Fetch what a page shows while its code loads. Nothing if nobody is signed in. */
async function prefetch<Data, Failure, Key extends QueryKey>(query: FetchQueryOptions<Data, Failure, Data, Key>) {
  if (await isSignedIn()) await queryClient.prefetchQuery(query);
}

/** Fetch what the reader shows first, and its code. */
async function prefetchDocument(documentId: string, { page, ...range }: { page: number | undefined } & TextRange) {
  if (!(await isSignedIn())) return;
  const known = queryClient.ensureQueryData(documentQuery(documentId)).catch(() => null);
  prefetchParts(queryClient, documentId, page, range);
  const document = await known;
  if (document?.content_type === "application/pdf") await loadPdfViewer();
}

const homeRoute = createRoute({
  ...child,
  path: "/",
  // the list of documents was here: its old links keep their filters
  beforeLoad: ({ search }) => {
    const filters = readDocumentsSearch(search);
    if (Object.keys(filters).length > 0) throw redirect({ to: "/documents", search: filters });
  },
  loader: () => void prefetch(documentsQuery({})),
  component: page(() => import("@/pages/home-page"), "HomePage"),
});

const oldHomeRoute = createRoute({
  ...child,
  path: "/home",
  beforeLoad: () => {
    throw redirect({ to: "/" });
  },
});

const documentsRoute = createRoute({
  ...child,
  path: "/documents",
  validateSearch: only(readDocumentsSearch),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void prefetch(documentsQuery(deps)),
  component: DocumentsPage,
});

const searchRoute = createRoute({
  ...child,
  path: "/search",
  validateSearch: only(readSearchUrl),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => {
    if (deps.q) void prefetch(searchQuery(deps));
  },
  component: page(() => import("@/pages/search-page"), "SearchPage"),
});

const askRoute = createRoute({
  ...child,
  path: "/ask",
  validateSearch: only(readAskUrl),
  component: page(() => import("@/pages/ask-page"), "AskPage"),
});

const documentRoute = createRoute({
  ...child,
  path: "/documents/$documentId",
  validateSearch: only(readDocumentUrl),
  loaderDeps: ({ search: { page, start, end } }) => ({ page, start, end }),
  loader: ({ params, deps }) => void prefetchDocument(params.documentId, deps),
  component: page(() => import("@/pages/document-page"), "DocumentPage"),
});

/** The links that agents cite. */
const shortLinkRoute = createRoute({
  ...child,
  path: "/d/$",
  component: page(() => import("@/pages/short-link-page"), "ShortLinkPage"),
});

const keysRoute = createRoute({
  ...child,
  path: "/keys",
  component: page(() => import("@/pages/keys-page"), "KeysPage"),
});

const jobsRoute = createRoute({
  ...child,
  path: "/jobs",
  validateSearch: only((raw) => compact({ state: oneOf(raw, "state", JOB_GROUPS) })),
  component: page(() => import("@/pages/jobs-page"), "JobsPage"),
});

const tagsRoute = createRoute({
  ...child,
  path: "/tags",
  validateSearch: only(readTagsSearch),
  loader: () => void prefetch(tagsQuery),
  component: page(() => import("@/pages/tags-page"), "TagsPage"),
});

const collectionsRoute = createRoute({
  ...child,
  path: "/collections",
  loader: () => void prefetch(collectionsQuery),
  component: page(() => import("@/pages/collections-page"), "CollectionsPage"),
});

const trashRoute = createRoute({
  ...child,
  path: "/trash",
  validateSearch: only(readTrashSearch),
  component: page(() => import("@/pages/trash-page"), "TrashPage"),
});

const goldenRoute = createRoute({
  ...child,
  path: "/golden",
  component: page(() => import("@/pages/golden-page"), "GoldenPage"),
});

const securityRoute = createRoute({
  ...child,
  path: "/security",
  component: page(() => import("@/pages/security-page"), "SecurityPage"),
});

const usersRoute = createRoute({
  ...child,
  path: "/users",
  component: page(() => import("@/pages/users-page"), "UsersPage"),
});

const signInSettingsRoute = createRoute({
  ...child,
  path: "/sign-in-settings",
  component: page(() => import("@/pages/sign-in-settings-page"), "SignInSettingsPage"),
});

const signInRoute = createRoute({ ...child, path: SIGN_IN_PATH, component: SignedIn });

const webhooksRoute = createRoute({
  ...child,
  path: "/webhooks",
  component: page(() => import("@/pages/webhooks-page"), "WebhooksPage"),
});

const activityRoute = createRoute({
  ...child,
  path: "/activity",
  validateSearch: only(readActivityUrl),
  component: page(() => import("@/pages/activity-page"), "ActivityPage"),
});

const systemRoute = createRoute({
  ...child,
  path: "/system",
  component: page(() => import("@/pages/system-page"), "SystemPage"),
});

const consentRoute = createRoute({
  ...child,
  path: "/oauth/authorize",
  component: page(() => import("@/pages/consent-page"), "ConsentPage"),
});

const routeTree = rootRoute.addChildren([
  keysRoute,
  jobsRoute,
  homeRoute,
  oldHomeRoute,
  documentsRoute,
  searchRoute,
  askRoute,
  documentRoute,
  shortLinkRoute,
  tagsRoute,
  collectionsRoute,
  trashRoute,
  goldenRoute,
  securityRoute,
  usersRoute,
  signInSettingsRoute,
  signInRoute,
  webhooksRoute,
  activityRoute,
  systemRoute,
  consentRoute,
]);

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
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
