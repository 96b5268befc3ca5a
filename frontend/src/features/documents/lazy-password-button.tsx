import { type ComponentProps, Suspense } from "react";
import { lazyCode } from "@/lib/load-code";

const Loaded = lazyCode(async () => ({ default: (await import("./password-button")).PasswordButton }));

/** The button that asks for a password; its code comes with the first protected file, its place is kept. */
export function PasswordButton(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense fallback={<div style={{ height: 22 }} />}>
      <Loaded {...props} />
    </Suspense>
  );
}
