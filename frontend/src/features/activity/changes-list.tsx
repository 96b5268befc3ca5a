import { Text } from "@mantine/core";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";

type Details = Record<string, unknown>;

interface ChangesListProps {
  details: Details;
  /** Shown beside the action already. */
  targetName: string | null;
}

/** What an event changed: each field with its new value, and the one before if the event keeps it. */
export function ChangesList({ details, targetName }: ChangesListProps) {
  const { t } = useTranslation();
  const before = typeof details.before === "object" ? ((details.before ?? {}) as Details) : {};
  const lines = Object.entries(details).flatMap(([field, value]) => {
    if (field === "before") return [];
    const isChange = field in before;
    if (!isChange && (isNothing(value) || value === targetName)) return [];
    const name = t(`system:field.${field}`, { defaultValue: field.replaceAll("_", " ") });
    if (isChange) return [`${name}: ${wordsOf(before[field], t)} → ${wordsOf(value, t)}`];
    return [value === true ? name : `${name}: ${wordsOf(value, t)}`];
  });
  return lines.map((line) => (
    <Text key={line} size="xs" c="dimmed">
      {line}
    </Text>
  ));
}

const isNothing = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === false ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);

function wordsOf(value: unknown, t: TFunction): string {
  if (typeof value === "boolean") return t(value ? "system:yes" : "system:no");
  if (isNothing(value)) return t("system:nothing");
  if (Array.isArray(value)) return value.map((item) => wordsOf(item, t)).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
