import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { usePageTitle } from "@/shared/page-title";
import { EmptyState } from "@/shared/states";

export function NotFoundPage() {
  const { t } = useTranslation();
  usePageTitle(t("errors.notFoundTitle"));
  return (
    <EmptyState
      level={1}
      title={t("errors.notFoundTitle")}
      action={
        <Button component={Link} to="/" variant="default">
          {t("errors.goHome")}
        </Button>
      }
    >
      {t("errors.notFoundText")}
    </EmptyState>
  );
}
