import { useTranslation } from "react-i18next";
import { $api } from "@/lib/api/client";
import { useInvalidate } from "@/lib/api/keys";
import type { components } from "@/lib/api/schema";
import { notifyDone, notifyError } from "@/shared/notify";

type BulkRequest = components["schemas"]["BulkRequest"];
type BulkResponse = components["schemas"]["BulkResponse"];
/** Which documents: those listed, or all that match. */
export type BulkTarget = { ids: string[] } | { filter: NonNullable<BulkRequest["filter"]> };
export type BulkChange = Pick<BulkRequest, "action"> & { tags?: string[]; collection?: string; owner?: string };

/** Run an action on many documents and notify when it is done. Moving to the trash can be undone. */
export function useBulk() {
  const { t } = useTranslation();
  const onChanged = useInvalidate("documents", "owners");
  const mutation = $api.useMutation("post", "/api/v1/documents/bulk", { onSuccess: () => void onChanged() });

  async function run(target: BulkTarget, change: BulkChange): Promise<BulkResponse | null> {
    try {
      const response = await mutation.mutateAsync({ body: { ...change, ...target } as BulkRequest });
      tell(change.action, response);
      return response;
    } catch (error) {
      notifyError(error);
      return null;
    }
  }

  function tell(action: BulkRequest["action"], { changed, skipped, ids }: BulkResponse) {
    if (changed === 0) return notifyDone(t("documents.bulk.nothingChanged"));
    const done = t(`documents.bulk.done.${action}`, { count: changed });
    const left = skipped > 0 ? ` ${t("documents.bulk.skipped", { count: skipped })}` : "";
    const isUndoable = ids !== null && ids !== undefined && ids.length > 0;
    notifyDone(done + left, isUndoable ? { onUndo: () => void run({ ids }, { action: "restore" }) } : {});
  }

  return { run, isPending: mutation.isPending };
}
