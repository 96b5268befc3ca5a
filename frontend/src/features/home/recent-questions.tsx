import { useTranslation } from "react-i18next";
import { type SavedAnswer, useHistory } from "@/features/ask/use-history";
import { formatAge } from "@/lib/format";
import { LoadingState } from "@/shared/states";
import { TextLink } from "@/shared/text-link";
import styles from "./home.module.css";
import { HomeSection } from "./home-section";

const SHOWN = 6;

/** The person's last questions, which lead to their answers. */
export function RecentQuestions() {
  const { t } = useTranslation();
  const { data, error } = useHistory();
  const asked = data?.pages[0]?.items;
  const questions = asked && withoutRepeats(asked).slice(0, SHOWN);
  if (error && !questions) return null;
  return (
    <HomeSection
      title={t("home:questions.title")}
      link={
        <TextLink to="/ask" size="sm">
          {t("home:questions.ask")}
        </TextLink>
      }
    >
      {questions ? null : <LoadingState rows={2} />}
      {questions?.length === 0 ? <p className={styles.calm}>{t("home:questions.none")}</p> : null}
      <ul className={styles.rows}>
        {questions?.map((one) => (
          <li key={one.id} className={styles.row}>
            <TextLink
              to="/ask"
              search={{ thread: one.thread_id }}
              size="sm"
              className={styles.cut ?? ""}
              title={one.question}
            >
              {one.question}
            </TextLink>
            <span className={styles.age}>{formatAge(one.created_at)}</span>
          </li>
        ))}
      </ul>
    </HomeSection>
  );
}

/** Each question once, where it was asked last. */
function withoutRepeats(asked: SavedAnswer[]): SavedAnswer[] {
  const seen = new Set<string>();
  return asked.filter(({ question }) => {
    const key = question.trim().toLowerCase();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
