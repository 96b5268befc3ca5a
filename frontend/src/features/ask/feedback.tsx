import { ActionIcon, Group, Text } from "@mantine/core";
import { IconThumbDown, IconThumbUp } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { notifyDone, notifyError } from "@/shared/notify";
import { useJudge, type Verdict } from "./use-history";

const VERDICTS = [
  { verdict: "helpful", Icon: IconThumbUp },
  { verdict: "wrong", Icon: IconThumbDown },
] as const;

/** Ask if an answer helped. The page of a helpful answer becomes a golden query. */
export function Feedback({ answerId, given = null }: { answerId: string; given?: Verdict }) {
  const { t } = useTranslation();
  const judge = useJudge();
  const [verdict, setVerdict] = useState<Verdict>(given);
  const say = (next: Verdict) =>
    judge.mutate(
      { params: { path: { answer_id: answerId } }, body: { verdict: next } },
      {
        onSuccess: (noted) => {
          setVerdict(noted.verdict);
          if (noted.golden_query_id) notifyDone(t("golden.kept"));
        },
        onError: notifyError,
      },
    );
  return (
    <Group gap={4} role="group" aria-label={t("ask:feedback.label")}>
      <Text size="xs" c="dimmed" aria-hidden>
        {t("ask:feedback.label")}
      </Text>
      {VERDICTS.map(({ verdict: one, Icon }) => (
        <ActionIcon
          key={one}
          variant={verdict === one ? "filled" : "default"}
          aria-pressed={verdict === one}
          aria-label={t(`ask:feedback.${one}`)}
          title={t(`ask:feedback.${one}`)}
          disabled={judge.isPending}
          onClick={() => say(verdict === one ? null : one)}
        >
          <Icon size={16} aria-hidden />
        </ActionIcon>
      ))}
    </Group>
  );
}
