import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "@/shared/states";
import { useMe } from "./use-session";

/** A page for administrators; others who follow a link there are told so. */
export function AdminsOnly({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation();
  if (useMe().me?.role === "admin") return children;
  return (
    <>
      <Title order={1} size="h2">
        {title}
      </Title>
      <EmptyState title={t("users:adminsOnlyTitle")}>{t("users:adminsOnlyText")}</EmptyState>
    </>
  );
}
