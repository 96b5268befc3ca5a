import { useMe } from "@/features/session/use-session";
import { SignInPage } from "@/pages/sign-in-page";
import { ErrorState, LoadingPage } from "@/shared/states";
import { Shell } from "./shell";

/** Everything stands behind signing in; where a person wanted to go is kept in the address. */
export function Root() {
  const { me, error, refetch } = useMe();
  if (me) return <Shell me={me} />;
  if (me === null) return <SignInPage />;
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  return <LoadingPage />;
}
