import { useTranslation } from "react-i18next";
import { FirstPage } from "@/features/documents/peek/first-page";
import { TitleCell } from "@/features/documents/row/title-cell";
import { useDocuments } from "@/features/documents/use-documents";
import { formatAge } from "@/lib/format";
import { ErrorState, LoadingState } from "@/shared/states";
import { TextLink } from "@/shared/text-link";
import styles from "./home.module.css";
import { HomeSection } from "./home-section";

const SHOWN = 6;

/** The documents that were added last, by their first pages. */
export function RecentDocuments() {
  const { t } = useTranslation();
  const { data, error, refetch } = useDocuments({});
  const link = (
    <TextLink to="/documents" size="sm">
      {t("home:documents.all", { count: data?.total ?? 0 })}
    </TextLink>
  );
  return (
    <HomeSection title={t("home:documents.title")} link={data ? link : null}>
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data || error ? null : <LoadingState rows={4} />}
      <ul className={styles.pages}>
        {data?.items.slice(0, SHOWN).map((document) => (
          <li key={document.id}>
            <FirstPage document={document} />
            <TitleCell document={document} isShort />
            <span className={styles.age}>{formatAge(document.created_at)}</span>
          </li>
        ))}
      </ul>
    </HomeSection>
  );
}
