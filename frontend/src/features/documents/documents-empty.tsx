import { Button } from "@mantine/core";
import { IconFileSearch } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "@/shared/states";

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
