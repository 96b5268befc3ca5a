import { Button, Group, NumberInput, Select, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorState, LoadingState, ProblemAlert } from "@/shared/states";
import { PreviewResult } from "./preview-result";
import { usePreview } from "./use-evaluations";
import { type Trial, type TrialValue, useTrials } from "./use-trials";

/** Another value of a setting or another model, tried on the golden queries before it is applied. */
export function PreviewForm() {
  const { trials, isLoading, error, refetch } = useTrials();
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (isLoading) return <LoadingState rows={1} />;
  return <Form trials={trials} />;
}

function Form({ trials }: { trials: Trial[] }) {
  const { t } = useTranslation();
  const preview = usePreview();
  const [name, setName] = useState<string | null>(null);
  const [values, setValues] = useState<Record<string, TrialValue>>({});
  const trial = trials.find((one) => one.name === name) ?? trials[0];
  if (!trial) return null;
  const value = values[trial.name] ?? trial.now ?? trial.options?.[0]?.value ?? "";
  // a number that is being typed is a text at first
  const isOther = value !== trial.now && (trial.options !== null || typeof value === "number");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isOther) preview.mutate({ body: trial.wantedOf(value) });
  };
  return (
    <Stack gap="sm">
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <Select
            flex="1 1 16rem"
            label={t("golden:setting")}
            data={trials.map((one) => ({ value: one.name, label: one.label }))}
            value={trial.name}
            onChange={setName}
            allowDeselect={false}
          />
          <ValueField trial={trial} value={value} onChange={(next) => setValues({ ...values, [trial.name]: next })} />
          <Button type="submit" loading={preview.isPending} disabled={!isOther}>
            {t("golden:try")}
          </Button>
        </Group>
      </form>
      <Text size="sm" c="dimmed">
        {trial.aboutOf(value)}
      </Text>
      <ProblemAlert error={preview.error} />
      {preview.data ? <PreviewResult preview={preview.data} /> : null}
    </Stack>
  );
}

interface ValueFieldProps {
  trial: Trial;
  value: TrialValue;
  onChange: (value: TrialValue) => void;
}

function ValueField({ trial: { options, hasLongValues }, value, onChange }: ValueFieldProps) {
  const { t } = useTranslation();
  const width = hasLongValues ? "1 1 16rem" : "1 1 12rem";
  if (options === null) return <NumberInput flex={width} label={t("golden:value")} value={value} onChange={onChange} />;
  return (
    <Select
      flex={width}
      label={t("golden:value")}
      data={options}
      value={String(value)}
      onChange={(chosen) => chosen && onChange(chosen)}
      allowDeselect={false}
    />
  );
}
