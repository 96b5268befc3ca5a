import { useTranslation } from "react-i18next";
import { useDocuments } from "@/features/documents/use-documents";
import { FirstRun } from "@/features/first-run/first-run";
import { AttentionList } from "@/features/home/attention-list";
import styles from "@/features/home/home.module.css";
import { HomeSearch } from "@/features/home/home-search";
import { RecentDocuments } from "@/features/home/recent-documents";
import { RecentQuestions } from "@/features/home/recent-questions";
import { ViewList } from "@/features/home/view-list";
import { useMe } from "@/features/session/use-session";
import { UploadButton } from "@/features/uploads/dialog/upload-button";
import { PageHead } from "@/shared/page-head";
import { LoadingState } from "@/shared/states";

/** Where a day begins: search, what needs attention, and what is new. */
export function HomePage() {
  const { t } = useTranslation();
  const { me } = useMe();
  const { data, error } = useDocuments({});
  if (!data && !error) {
    return (
      <>
        <PageHead title={t("nav.home")} />
        <LoadingState />
      </>
    );
  }
  if (data?.total === 0 && me) {
    return (
      <>
        <PageHead title={t("nav.home")} />
        <FirstRun me={me} upload={<UploadButton />} />
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
