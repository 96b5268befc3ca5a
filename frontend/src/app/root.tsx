import { useEffect } from "react";
import { SignInAgain } from "@/features/session/sign-in-form";
import { usePerson } from "@/features/session/use-session";
import { SignInPage } from "@/pages/sign-in-page";
import { ErrorState, LoadingPage } from "@/shared/states";
import { Shell } from "./shell";

/** Everything stands behind signing in; where a person wanted to go is kept in the address, what was done stays when a session ends. */
export function Root() {
  const { person, isAnother, hasEnded, error, refetch } = usePerson();
  useEffect(() => {
    if (isAnother) window.location.reload(); // nothing that was fetched for one person is shown to another
  }, [isAnother]);
  if (isAnother) return <LoadingPage />;
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
