import { Button, List, Text } from "@mantine/core";
import IconFileSearch from "@tabler/icons-react/dist/esm/icons/IconFileSearch.mjs";
import IconFiles from "@tabler/icons-react/dist/esm/icons/IconFiles.mjs";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "@/shared/states";

/** Nothing is in the library yet: says what to do and what happens then. */
export function EmptyLibrary({ action }: { action: ReactNode }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t("documents.empty.title")}
      icon={<IconFiles size={44} stroke={1.2} aria-hidden />}
      action={action}
    >
      <Text mb="sm">{t("documents.empty.drop")}</Text>
      <List type="ordered" ta="start" size="sm" spacing={4}>
        <List.Item>{t("documents.empty.read")}</List.Item>
        <List.Item>{t("documents.empty.keyword")}</List.Item>
        <List.Item>{t("documents.empty.meaning")}</List.Item>
      </List>
    </EmptyState>
  );
}

export function NothingMatches({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t("documents.nothing.title")}
      icon={<IconFileSearch size={44} stroke={1.2} aria-hidden />}
      action={
        <Button variant="default" onClick={onClear}>
          {t("documents.filter.clear")}
        </Button>
      }
    >
      {t("documents.nothing.text")}
    </EmptyState>
  );
}

export function EmptyPage({ onFirst }: { onFirst: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t("documents.emptyPage.title")}
      action={
        <Button variant="default" onClick={onFirst}>
          {t("documents.emptyPage.first")}
        </Button>
      }
    />
  );
}
