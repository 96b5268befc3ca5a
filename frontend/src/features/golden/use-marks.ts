import { useQueryClient } from "@tanstack/react-query";
import { $api } from "@/lib/api/client";
import { notifyError } from "@/shared/notify";

const MOST = 200;
const GOLDEN_KEY = ["get", "/api/v1/evaluations/golden"] as const;

interface Place {
  query: string;
  documentId: string;
  pageNumber: number;
}

/** Whether a page is marked as the one that answers a query, and the way to mark it or to take the mark away. */
export function useGolden({ query, documentId, pageNumber }: Place) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: GOLDEN_KEY });
  const wanted = query.trim();
  const known = $api.useQuery("get", "/api/v1/evaluations/golden", { params: { query: { limit: MOST } } });
  const add = $api.useMutation("post", "/api/v1/evaluations/golden", { onSuccess });
  const remove = $api.useMutation("delete", "/api/v1/evaluations/golden/{golden_query_id}", { onSuccess });
  const found = known.data?.items.find(
    (one) => one.query === wanted && one.document_id === documentId && one.page_number === pageNumber,
  );
  const toggle = () =>
    found
      ? remove.mutate({ params: { path: { golden_query_id: found.id } } }, { onError: notifyError })
      : add.mutate(
          { body: { query: wanted, document: documentId, page_number: pageNumber } },
          { onError: notifyError },
        );
  return { isGolden: found !== undefined, isPending: add.isPending || remove.isPending, toggle };
}
