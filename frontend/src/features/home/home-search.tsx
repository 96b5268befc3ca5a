import { Button, Group, TextInput } from "@mantine/core";
import { IconMessageQuestion, IconSearch } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import styles from "./home.module.css";

/** The way to passages and to answers. Enter searches. */
export function HomeSearch() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [words, setWords] = useState("");
  const q = words.trim();
  const open = (to: "/search" | "/ask") => void navigate({ to, search: q ? { q } : {} });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    open("/search");
  };
  return (
    <search>
      <form onSubmit={submit} className={styles.search}>
        <TextInput
          flex="1 1 280px"
          size="md"
          type="search"
          aria-label={t("search.query")}
          placeholder={t("home:placeholder")}
          leftSection={<IconSearch size={18} aria-hidden />}
          value={words}
          maxLength={1_000}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <Group gap={8} wrap="nowrap">
          <Button type="submit" size="md" fz="sm">
            {t("nav.search")}
          </Button>
          <Button
            size="md"
            fz="sm"
            variant="default"
            leftSection={<IconMessageQuestion size={18} aria-hidden />}
            onClick={() => open("/ask")}
          >
            {t("nav.ask")}
          </Button>
        </Group>
      </form>
    </search>
  );
}
