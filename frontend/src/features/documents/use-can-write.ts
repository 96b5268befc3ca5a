import { useCollections } from "@/features/collections/use-collections";
import { useMe } from "@/features/session/use-session";

/** Whether the person may change documents of a collection; without one: of any. */
export function useCanWrite(): (collectionId?: string) => boolean {
  const { me } = useMe();
  const collections = useCollections().data ?? [];
  return (collectionId) =>
    Boolean(me?.can_write) &&
    (collectionId === undefined || collections.some((one) => one.id === collectionId && one.can_write));
}
