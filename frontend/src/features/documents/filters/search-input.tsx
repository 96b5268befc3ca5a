import { CloseButton, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

const PAUSE_MS = 250;

interface SearchInputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** Text that is looked for when the person pauses; typing itself waits for nothing. */
export function SearchInput({ label, value, onChange }: SearchInputProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const send = useDebouncedCallback((next: string) => {
    setSent(next);
    onChange(next);
  }, PAUSE_MS);
  // The address changed by other means: going back, a saved view, clearing.
  useEffect(() => {
    if (value !== sent) {
      setSent(value);
      setText(value);
    }
  }, [value, sent]);

  function type(next: string) {
    setText(next);
    send(next.trim());
  }

  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text ? <CloseButton size="sm" aria-label={t("actions.clear")} onClick={() => type("")} /> : null}
      value={text}
      maxLength={200}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
