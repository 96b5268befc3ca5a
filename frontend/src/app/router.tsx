import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { NotFoundPage } from "@/pages/not-found-page";
import { LoadingPage } from "@/shared/states";
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
  component: lazyRouteComponent(() => import("@/pages/documents-page"), "DocumentsPage"),
});

const routeTree = rootRoute.addChildren([indexRoute, documentsRoute]);

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPendingComponent: LoadingPage,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
