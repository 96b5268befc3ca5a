import { Alert, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { AnswerResponse } from "./answer-stream";

/** That pages were looked at as pictures because their text gave no answer, which ones, and what came of it. */
export function VisionNote({ response }: { response: AnswerResponse }) {
  const { t } = useTranslation();
  const { vision, model } = response.metadata;
  if (!vision) return null;
  const pages = vision.pages.map((page) => t("ask:vision.page", { document: page.document, page: page.page_number }));
  const isRead = vision.status === "answered" || vision.status === "abstained";
  return (
    <Alert color={isRead ? "blue" : "yellow"} variant="outline" role="note">
      {t(`ask:vision.${vision.status}`, { count: pages.length, model: model ?? "" })}
      {pages.length > 0 ? (
        <Text size="xs" c="dimmed" mt={4}>
          {pages.join(" · ")}
        </Text>
      ) : null}
      {vision.skipped_pages.length > 0 ? (
        <Text size="xs" c="dimmed" mt={4}>
          {t("ask:vision.leftOut", { count: vision.skipped_pages.length })}
        </Text>
      ) : null}
    </Alert>
  );
}
