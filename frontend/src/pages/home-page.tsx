import { useTranslation } from "react-i18next";
import { useDocumentCount } from "@/features/documents/use-documents";
import { AttentionList } from "@/features/home/attention-list";
import styles from "@/features/home/home.module.css";
import { HomeSearch } from "@/features/home/home-search";
import { RecentDocuments } from "@/features/home/recent-documents";
import { RecentQuestions } from "@/features/home/recent-questions";
import { ViewList } from "@/features/home/view-list";
import { useMe } from "@/features/session/use-session";
import { LinkButton } from "@/shared/link-button";
import { PageHead } from "@/shared/page-head";
import { EmptyState } from "@/shared/states";

/** Where a day begins: search, what needs attention, and what is new. */
export function HomePage() {
  const { t } = useTranslation();
  const { me } = useMe();
  const total = useDocumentCount({});
  if (total === 0) {
    return (
      <>
        <PageHead title={t("nav.home")} />
        <EmptyState
          title={t("home:empty.title")}
          action={me?.can_write ? <LinkButton to="/documents">{t("home:empty.action")}</LinkButton> : undefined}
        >
          {t(me?.can_write ? "home:empty.text" : "home:empty.readOnly")}
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHead title={t("nav.home")} />
      <HomeSearch />
      <AttentionList />
      <RecentDocuments />
      <div className={styles.columns}>
        <RecentQuestions />
        {me ? <ViewList userId={me.id} /> : null}
      </div>
    </>
  );
}
