import { useTranslation } from "react-i18next";
import { useMe } from "@/features/session/use-session";
import { UploadButton } from "@/features/uploads/dialog/upload-button";
import { EmptyState } from "@/shared/states";

/** Says what to do after a search without hits. An empty library needs documents. */
export function NoHits({ isEmptyLibrary, hasFilters }: { isEmptyLibrary: boolean; hasFilters: boolean }) {
  const { t } = useTranslation();
  const { me } = useMe();
  return (
    <EmptyState title={t("search.emptyTitle")} action={isEmptyLibrary && me?.can_write ? <UploadButton /> : null}>
      {t(isEmptyLibrary ? "search.emptyLibrary" : hasFilters ? "search.emptyFiltered" : "search.emptyText")}
    </EmptyState>
  );
}
