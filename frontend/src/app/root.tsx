import { useEffect } from "react";
import { SignInAgain } from "@/features/session/sign-in-again";
import { useIsLeaving, usePerson } from "@/features/session/use-session";
import { wantedPage } from "@/features/session/wanted-page";
import { SignInPage } from "@/pages/sign-in-page";
import { ErrorState, LoadingPage } from "@/shared/states";
import { Shell } from "./shell";

/** Require a session. The address keeps the wanted page, and a page stays as it is when its session ends. */
export function Root() {
  const { person, isAnother, hasEnded, error, refetch } = usePerson();
  const isLeaving = useIsLeaving();
  useEffect(() => {
    if (isAnother) window.location.reload(); // drop all data of the person before
  }, [isAnother]);
  if (isAnother || isLeaving) return <LoadingPage />;
  if (person)
    return (
      <>
        <Shell me={person} />
        {hasEnded ? <SignInAgain email={person.name} /> : null}
      </>
    );
  if (hasEnded) return <SignInPage />;
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  return <LoadingPage />;
}

/** Leave the sign-in page for the wanted one. A load, because the consent page reads its address at the start. */
export function SignedIn() {
  useEffect(() => window.location.replace(wantedPage()), []);
  return <LoadingPage />;
}
