import { Suspense, useEffect } from "react";
import { usePerson } from "@/features/session/use-person";
import { lazyCode } from "@/lib/load-code";
import { ErrorState, LoadingPage } from "@/shared/states";
import { Shell } from "./shell";

// who is signed in already does not load the form
const SignInPage = lazyCode(async () => ({ default: (await import("@/pages/sign-in-page")).SignInPage }));

const SignInAgain = lazyCode(async () => ({
  default: (await import("@/features/session/sign-in-again")).SignInAgain,
}));

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
        <Suspense>{hasEnded ? <SignInAgain email={person.name} /> : null}</Suspense>
      </>
    );
  if (hasEnded)
    return (
      <Suspense fallback={<LoadingPage />}>
        <SignInPage />
      </Suspense>
    );
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  return <LoadingPage />;
}
