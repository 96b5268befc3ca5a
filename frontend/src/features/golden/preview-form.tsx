import "@mantine/core/styles/NumberInput.css";
import { Alert, Button, Group, NumberInput, Select, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/lib/format";
import { errorText } from "@/shared/notify";
import { ErrorState, LoadingState } from "@/shared/states";
import { PreviewResult } from "./preview-result";
import { type SearchSetting, usePreview, useSearchSettings } from "./use-evaluations";

/** Another value of a setting, tried on the golden queries before it is applied. */
export function PreviewForm() {
  const { t } = useTranslation();
  const { data, error, refetch } = useSearchSettings();
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState rows={1} />;
  const settings = data.items.filter(({ value }) => typeof value !== "string");
  return settings.length > 0 ? <Form settings={settings} label={t("golden:setting")} /> : null;
}

function Form({ settings, label }: { settings: SearchSetting[]; label: string }) {
  const { t } = useTranslation();
  const preview = usePreview();
  const nameOf = ({ name }: SearchSetting) => t(`golden:settings.${name}.name`, { defaultValue: name });
  const [name, setName] = useState(settings[0]?.name ?? "");
  const [values, setValues] = useState<Record<string, number | string | boolean>>({});
  const setting = settings.find((one) => one.name === name);
  if (!setting) return null;
  const value = values[name] ?? setting.value;
  const isOther = typeof value !== "string" && value !== setting.value;
  const change = (next: number | string | boolean) => setValues({ ...values, [name]: next });
  const shown = (one: number | string | boolean) =>
    typeof one === "boolean" ? t(one ? "golden:on" : "golden:off") : formatNumber(Number(one));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isOther) preview.mutate({ body: { settings: { [name]: value } } });
  };
  const about = t(`golden:settings.${name}.about`, { defaultValue: setting.description });
  const now = t("golden:settingNow", { value: shown(setting.value), usual: shown(setting.default) });
  return (
    <Stack gap="sm">
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <Select
            flex="1 1 16rem"
            label={label}
            data={settings.map((one) => ({ value: one.name, label: nameOf(one) }))}
            value={name}
            onChange={(chosen) => chosen && setName(chosen)}
            allowDeselect={false}
          />
          {typeof value === "boolean" ? (
            <Select
              flex="0 1 9rem"
              label={t("golden:value")}
              data={[true, false].map((one) => ({ value: String(one), label: shown(one) }))}
              value={String(value)}
              onChange={(chosen) => change(chosen === "true")}
              allowDeselect={false}
            />
          ) : (
            <NumberInput flex="0 1 9rem" label={t("golden:value")} value={value} onChange={change} />
          )}
          <Button type="submit" loading={preview.isPending} disabled={!isOther}>
            {t("golden:try")}
          </Button>
        </Group>
      </form>
      <Text size="sm" c="dimmed">{`${about} ${now}`}</Text>
      {preview.error ? (
        <Alert color="red" role="alert">
          {errorText(preview.error)}
        </Alert>
      ) : null}
      {preview.data ? <PreviewResult preview={preview.data} /> : null}
    </Stack>
  );
}
