import { Button, Group, Text, TextInput, UnstyledButton } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import styles from "./ask.module.css";

interface RewrittenQuestionProps {
  question: string;
  onAsk: (question: string) => void;
}

/** What was asked instead of a follow-up question. It can be edited and asked again. */
export function RewrittenQuestion({ question, onAsk }: RewrittenQuestionProps) {
  const { t } = useTranslation();
  const [isEditing, setIsEditing] = useState(false);
  if (!isEditing)
    return (
      <Text size="sm" c="dimmed">
        {t("ask:rewritten.label", { question })}{" "}
        <UnstyledButton
          className={styles.edit}
          aria-label={t("ask:rewritten.edit")}
          title={t("ask:rewritten.edit")}
          onClick={() => setIsEditing(true)}
        >
          <IconPencil size={14} aria-hidden />
        </UnstyledButton>
      </Text>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const edited = String(new FormData(event.currentTarget).get("question") ?? "").trim();
        if (!edited) return;
        setIsEditing(false);
        onAsk(edited);
      }}
    >
      <Group gap={6}>
        <TextInput
          flex="1 1 14rem"
          name="question"
          aria-label={t("ask:rewritten.edit")}
          defaultValue={question}
          autoFocus
        />
        <Button type="submit" variant="default">
          {t("ask:rewritten.again")}
        </Button>
      </Group>
    </form>
  );
}
