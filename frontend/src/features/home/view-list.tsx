import { useTranslation } from "react-i18next";
import type { DocumentsSearch } from "@/features/documents/documents-search";
import { BUILT_IN_VIEWS, useSavedViews } from "@/features/documents/filters/use-saved-views";
import { useDocumentCount } from "@/features/documents/use-documents";
import { formatNumber } from "@/lib/format";
import { TextLink } from "@/shared/text-link";
import styles from "./home.module.css";
import { HomeSection } from "./home-section";

const SHOWN = 8;
const [, , UNTAGGED, SHARED] = BUILT_IN_VIEWS;

/** The person's saved views with their counts. */
export function ViewList({ userId }: { userId: string }) {
  const { t } = useTranslation();
  const { views } = useSavedViews(userId);
  const shared = useDocumentCount(SHARED.search);
  return (
    <HomeSection title={t("home:views.title")}>
      <ul className={styles.rows}>
        {views.slice(0, SHOWN).map(({ name, search }) => (
          <View key={name} name={name} search={search} />
        ))}
        {shared ? <View name={t(`documents.views.builtIn.${SHARED.name}`)} search={SHARED.search} /> : null}
        <View name={t(`documents.views.builtIn.${UNTAGGED.name}`)} search={UNTAGGED.search} />
      </ul>
      {views.length === 0 ? <p className={styles.calm}>{t("home:views.none")}</p> : null}
    </HomeSection>
  );
}

function View({ name, search }: { name: string; search: DocumentsSearch }) {
  const count = useDocumentCount(search);
  return (
    <li className={styles.row}>
      <TextLink to="/documents" search={search} size="sm" className={styles.cut ?? ""} title={name}>
        {name}
      </TextLink>
      <span className={styles.age}>{count === undefined ? "" : formatNumber(count)}</span>
    </li>
  );
}
