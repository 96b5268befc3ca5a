import { useTranslation } from "react-i18next";
import type { DocumentsSearch } from "@/features/documents/documents-search";
import { useDocumentCount } from "@/features/documents/use-documents";
import { formatNumber } from "@/lib/format";
import classes from "./shell.module.css";

interface CountBadgeProps {
  search: DocumentsSearch;
  kind: "failed" | "working" | "view";
}

/** How many documents match, and nothing without any. */
export function CountBadge({ search, kind }: CountBadgeProps) {
  const { t } = useTranslation();
  const count = useDocumentCount(search);
  if (!count) return null;
  return (
    <span className={classes.badge} data-kind={kind}>
      {formatNumber(count)}
      {kind === "view" ? null : <span className="lectern-hidden"> {t(`nav.badge.${kind}`)}</span>}
    </span>
  );
}
