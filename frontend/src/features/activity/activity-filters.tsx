import { Box, Group, Select } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { DocumentPicker } from "@/features/search/document-picker";
import { useActors } from "@/features/system/use-actor-name";
import type { Changes } from "@/lib/search-params";
import { DayRange } from "@/shared/day-range";
import type { ActivityUrl } from "./activity-url";

interface ActivityFiltersProps {
  url: ActivityUrl;
  onChange: (change: Changes<ActivityUrl>) => void;
}

/** Who, what, which document and when. */
export function ActivityFilters({ url, onChange }: ActivityFiltersProps) {
  const { t } = useTranslation();
  const actors = useActors();
  const people = [...actors].map(([value, label]) => ({ value, label }));
  const isStranger = url.who !== undefined && !actors.has(url.who);
  return (
    <Group gap="xs" align="flex-end" mb="md">
      <Select
        label={t("system:logColumn.who")}
        data={[
          ...people,
          ...(isStranger ? [{ value: url.who ?? "", label: url.who ?? "" }] : []),
          ...(["system", "anonymous"] as const).map((value) => ({ value, label: t(`system:actor.${value}`) })),
        ]}
        value={url.who ?? null}
        onChange={(who) => onChange({ who: who ?? undefined })}
        searchable
        clearable
        w={{ base: "100%", sm: 160 }}
      />
      <Select
        label={t("system:logColumn.what")}
        data={useActions()}
        value={url.what ?? null}
        onChange={(what) => onChange({ what: what ?? undefined })}
        searchable
        clearable
        w={{ base: "100%", sm: 200 }}
      />
      <Box w={{ base: "100%", sm: 200 }}>
        <DocumentPicker
          label={t("system:logDocument")}
          value={url.document ? [url.document] : []}
          onChange={(ids) => onChange({ document: ids.at(-1) })}
        />
      </Box>
      <DayRange range={url} labels={{ from: t("system:logFrom"), to: t("system:logTo") }} onChange={onChange} />
    </Group>
  );
}

/** Every action by its words, in their order. */
function useActions() {
  const { t, i18n } = useTranslation();
  return useMemo(() => {
    const nouns = t("system:audit", { returnObjects: true }) as Record<string, Record<string, string> | string>;
    return Object.entries(nouns)
      .flatMap(([noun, verbs]) =>
        typeof verbs === "string"
          ? []
          : Object.entries(verbs).map(([verb, label]) => ({ value: `${noun}.${verb}`, label })),
      )
      .sort((a, b) => a.label.localeCompare(b.label, i18n.language));
  }, [t, i18n.language]);
}
