import { getRouteApi, Navigate } from "@tanstack/react-router";
import { readShortLink, useDocumentOf } from "@/features/document/short-link";
import { ApiProblem } from "@/lib/api/problem";
import { ErrorState, LoadingPage } from "@/shared/states";
import { NotFoundPage } from "./not-found-page";

const route = getRouteApi("/d/$");

/** Open the document of a short link, as agents cite it, at its page and characters. */
export function ShortLinkPage() {
  const link = readShortLink(route.useParams()._splat ?? "");
  const { data, error, refetch } = useDocumentOf(link?.handle ?? "");
  if (!link || (error instanceof ApiProblem && error.code === "unknown_document")) return <NotFoundPage />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingPage />;
  return <Navigate to="/documents/$documentId" params={{ documentId: data.id }} search={link.search} replace />;
}
