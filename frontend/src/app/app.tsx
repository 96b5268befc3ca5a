import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { ModalsProvider } from "@mantine/modals";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Suspense } from "react";
import { lazyCode } from "@/lib/load-code";
import "@/lib/i18n/i18n";
import { queryClient } from "@/lib/query-client";
import { router } from "./router";
import { cssVariablesResolver, theme } from "./theme";

// what is said before it has come waits in the store
const Notifications = lazyCode(async () => ({ default: (await import("./notices")).Notices }));

const colorSchemeManager = localStorageColorSchemeManager({ key: "lectern-color-scheme" });

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <Suspense fallback={null}>
            <Notifications />
          </Suspense>
          <RouterProvider router={router} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
