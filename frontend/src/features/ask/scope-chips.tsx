import { Group, Pill } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SearchUrl } from "@/features/search/search-url";
import { $api } from "@/lib/api/client";
import { languageName } from "@/lib/format";
import type { Changes } from "@/lib/search-params";
import { FoldedList } from "@/shared/folded-list";

const LISTS = ["collections", "tags", "all", "not", "documents"] as const;
const IS_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

interface ScopeChipsProps {
  url: SearchUrl;
  onChange: (change: Changes<SearchUrl>) => void;
}

/** What the next question is limited to. Each limit can be removed. */
export function ScopeChips({ url, onChange }: ScopeChipsProps) {
  const { t } = useTranslation();
  const days = [url.from, url.to].filter(Boolean).join(" – ");
  const count = LISTS.reduce((sum, name) => sum + (url[name]?.length ?? 0), 0);
  if (count === 0 && !url.language && !days) return null;
  const without = (name: (typeof LISTS)[number], value: string) => {
    const rest = url[name]?.filter((one) => one !== value);
    onChange({ [name]: rest && rest.length > 0 ? rest : undefined });
  };
  return (
    <Group gap={6} miw={0} maw="100%" role="group" aria-label={t("ask:scope.label")}>
      <FoldedList>
        {LISTS.flatMap((name) =>
          (url[name] ?? []).map((value) => (
            <Chip key={`${name} ${value}`} onRemove={() => without(name, value)} label={t(`ask:scope.${name}`)}>
              {name === "documents" && IS_ID.test(value) ? <DocumentName id={value} /> : value}
            </Chip>
          )),
        )}
      </FoldedList>
      {url.language ? (
        <Chip label={t("search.language")} onRemove={() => onChange({ language: undefined })}>
          {languageName(url.language)}
        </Chip>
      ) : null}
      {days ? (
        <Chip label={t("ask:scope.days")} onRemove={() => onChange({ from: undefined, to: undefined })}>
          {days}
        </Chip>
      ) : null}
    </Group>
  );
}

interface ChipProps {
  label: string;
  onRemove: () => void;
  children: React.ReactNode;
}

function Chip({ label, onRemove, children }: ChipProps) {
  const { t } = useTranslation();
  return (
    <Pill
      size="md"
      maw="100%"
      bd="1px solid var(--mantine-color-default-border)"
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{ "aria-label": t("ask:scope.remove", { label }), "aria-hidden": false, tabIndex: 0 }}
    >
      {label}: {children}
    </Pill>
  );
}

function DocumentName({ id }: { id: string }) {
  const params = { path: { document_id: id } };
  const { data } = $api.useQuery("get", "/api/v1/documents/{document_id}", { params });
  return <>{data ? (data.title ?? data.filename) : id.slice(0, 8)}</>;
}
