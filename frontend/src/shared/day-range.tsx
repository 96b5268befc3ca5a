import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDate } from "@/lib/format";
import type { Changes } from "@/lib/search-params";

interface Days {
  from?: string | undefined;
  to?: string | undefined;
}

interface DayRangeProps {
  range: Days;
  labels: { from: string; to: string };
  onChange: (change: Changes<Days>) => void;
}

/** The first and the last day of a filter. Days in the wrong order stay in the fields and change no filter. */
export function DayRange({ range: { from, to }, labels, onChange }: DayRangeProps) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<{ days: Days; instead: Days } | null>(null);
  // another filter, such as none, replaces what was refused
  const isRefused = refused?.instead.from === from && refused?.instead.to === to;
  const days: Days = refused && isRefused ? refused.days : { from, to };
  const change = (values: Days) => {
    const next = { ...days, ...values };
    const isReversed = next.from && next.to && next.from > next.to;
    setRefused(isReversed ? { days: next, instead: { from, to } } : null);
    if (!isReversed) onChange(next);
  };
  return (
    <>
      <TextInput
        type="date"
        label={labels.from}
        max={days.to}
        value={days.from ?? ""}
        onChange={(event) => change({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label={labels.to}
        min={days.from}
        value={days.to ?? ""}
        error={refused && isRefused ? t("errors.dayRange", { day: formatDate(`${days.from}T12:00`) }) : null}
        onChange={(event) => change({ to: event.currentTarget.value || undefined })}
      />
    </>
  );
}
