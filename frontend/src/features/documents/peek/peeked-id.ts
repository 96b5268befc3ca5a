import { createStore } from "@/lib/create-store";

/** The document in the side panel of the list. */
export const peekedId = createStore<string | null>(null);
