import { useState } from "react";
import { type Me, useMe } from "./use-session";

/**
 * Whose page this is: who was signed in first stays, also while signing in is asked for again. `isAnother` says that
 * somebody else is signed in now, who must see nothing of the first one's.
 */
export function usePerson(): {
  person: Me | undefined;
  isAnother: boolean;
  hasEnded: boolean;
  error: unknown;
  refetch: () => void;
} {
  const { me, error, refetch } = useMe();
  const [person, setPerson] = useState<Me | undefined>(me ?? undefined);
  const isAnother = Boolean(me && person && me.id !== person.id);
  if (me && me !== person && !isAnother) setPerson(me);
  return { person, isAnother, hasEnded: me === null, error, refetch };
}
