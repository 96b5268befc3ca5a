import { useEffect, useEffectEvent } from "react";
import type { Bindings } from "./key-sequences";

const sources = new Set<() => Bindings>();

/** Return the actions of the components in sight, by key. */
export const pageBindings = (): Bindings => Object.assign({}, ...[...sources].map((bindings) => bindings()));

/** Run actions by key while a component is shown. The sheet of shortcuts names them. */
export function usePageKeys(bindings: Bindings): void {
  const current = useEffectEvent(() => bindings);
  useEffect(() => {
    const source = () => current();
    sources.add(source);
    return () => void sources.delete(source);
  }, []);
}
