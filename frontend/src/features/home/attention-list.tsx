import { IconCircleCheck, IconLoader } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useCanWrite } from "@/features/collections/use-collections";
import { BUILT_IN_VIEWS } from "@/features/documents/filters/use-saved-views";
import { TitleCell } from "@/features/documents/row/title-cell";
import { RowStatus } from "@/features/documents/status/status-cell";
import { useDocumentCount, useDocuments } from "@/features/documents/use-documents";
import { LoadingState } from "@/shared/states";
import { TextLink } from "@/shared/text-link";
import styles from "./home.module.css";
import { HomeSection } from "./home-section";

const [FAILED, WORKING] = BUILT_IN_VIEWS;
const SHOWN = 3;

/** Documents that failed, with what helps, and how many are on their way. */
export function AttentionList() {
  const { t } = useTranslation();
  const canWrite = useCanWrite();
  const { data: failed, error } = useDocuments(FAILED.search);
  const working = useDocumentCount(WORKING.search);
  if (error && !failed) return null;
  if (!failed || working === undefined) {
    return (
      <div className={styles.section}>
        <LoadingState rows={1} />
      </div>
    );
  }
  const workingLink = (
    <TextLink to="/documents" search={WORKING.search} size="sm">
      {t("home:attention.working", { count: working })}
    </TextLink>
  );
  if (failed.total === 0) {
    return (
      <p className={styles.calm}>
        {working > 0 ? (
          <IconLoader size={16} stroke={1.8} aria-hidden />
        ) : (
          <IconCircleCheck size={16} stroke={1.8} aria-hidden />
        )}
        {working > 0 ? workingLink : t("home:attention.none")}
      </p>
    );
  }
  // with more failures than fit on a page, not all documents that need a password are known
  const isComplete = failed.total === failed.items.length;
  const locked = isComplete ? failed.items.filter(({ error }) => error?.code === "encrypted").length : 0;
  const counts = { failed: failed.total - locked, locked };
  const parts = (["failed", "locked"] as const).flatMap((name) =>
    counts[name] ? [t(`home:attention.${name}`, { count: counts[name] })] : [],
  );
  const links = (
    <span className={styles.links}>
      {working > 0 ? workingLink : null}
      <TextLink to="/documents" search={FAILED.search} size="sm">
        {parts.join(" · ")}
      </TextLink>
    </span>
  );
  return (
    <HomeSection title={t("home:attention.title")} link={links}>
      <ul className={styles.rows}>
        {failed.items.slice(0, SHOWN).map((document) => (
          <li key={document.id} className={styles.row}>
            <TitleCell document={document} isOneLine />
            <RowStatus document={document} canWrite={canWrite(document.collection.id)} isWide t={t} />
          </li>
        ))}
      </ul>
    </HomeSection>
  );
}
