import { useDocumentsChanged } from "@/features/documents/use-documents";
import { $api } from "@/lib/api/client";

/** Whether this installation brings sample documents. */
export function useSamples({ isEnabled }: { isEnabled: boolean }) {
  return $api.useQuery("get", "/api/v1/samples", {}, { enabled: isEnabled });
}

export function useLoadSamples() {
  const onChanged = useDocumentsChanged();
  return $api.useMutation("post", "/api/v1/samples", { onSuccess: () => void onChanged() });
}
