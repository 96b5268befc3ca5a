import { Suspense } from "react";
import { useMe } from "@/features/session/use-session";
import { lazyCode } from "@/lib/load-code";
import { ErrorState, LoadingPage } from "@/shared/states";
import { Shell } from "./shell";

// who is signed in already does not load the form
const SignInPage = lazyCode(async () => ({ default: (await import("@/pages/sign-in-page")).SignInPage }));

/** Everything stands behind signing in; where a person wanted to go is kept in the address. */
export function Root() {
  const { me, error, refetch } = useMe();
  if (me) return <Shell me={me} />;
  if (me === null)
    return (
      <Suspense fallback={<LoadingPage />}>
        <SignInPage />
      </Suspense>
    );
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  return <LoadingPage />;
}
