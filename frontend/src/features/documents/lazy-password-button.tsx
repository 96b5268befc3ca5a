import { type ComponentProps, lazy, Suspense } from "react";

const Loaded = lazy(async () => ({ default: (await import("./password-button")).PasswordButton }));

/** The button that asks for a password; its code comes with the first protected file. */
export function PasswordButton(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
