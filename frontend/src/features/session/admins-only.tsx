import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { PageHeading } from "@/shared/page-head";
import { EmptyState } from "@/shared/states";
import { useMe } from "./use-session";

/** A page for administrators. Others get a note instead. */
export function AdminsOnly({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation();
  if (useMe().me?.role === "admin") return children;
  return (
    <>
      <PageHeading>{title}</PageHeading>
      <EmptyState title={t("users:adminsOnlyTitle")}>{t("users:adminsOnlyText")}</EmptyState>
    </>
  );
}
