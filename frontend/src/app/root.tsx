import { Suspense, useState } from "react";
import { useMe } from "@/features/session/use-session";
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
  const { me, error, refetch } = useMe();
  const [known, setKnown] = useState(me);
  if (me && me !== known) setKnown(me);
  if (known)
    return (
      <>
        <Shell key={known.id} me={known} />
        <Suspense>{me === null ? <SignInAgain /> : null}</Suspense>
      </>
    );
  if (me === null)
    return (
      <Suspense fallback={<LoadingPage />}>
        <SignInPage />
      </Suspense>
    );
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  return <LoadingPage />;
}
