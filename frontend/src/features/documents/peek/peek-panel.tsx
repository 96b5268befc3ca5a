import { CloseButton, Group, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { useCanWrite } from "@/features/collections/use-collections";
import { usePageText } from "@/features/document/use-document";
import { focusDocument } from "@/features/documents/list/list-focus";
import { TagsCell } from "@/features/documents/row/tags-cell";
import { type Document, typeName } from "@/features/documents/status/document-status";
import { StatusCell } from "@/features/documents/status/status-cell";
import { isTaken } from "@/features/shortcuts/key-sequences";
import { useTagColor } from "@/features/tags/use-tags";
import { formatBytes, formatDateTime, formatNumber, languageName } from "@/lib/format";
import { LinkButton } from "@/shared/link-button";
import { firstLines } from "./first-lines";
import { FirstPage, firstPageUrl } from "./first-page";
import styles from "./peek-panel.module.css";
import { peekedId } from "./peeked-id";

/** Somebody who walks along the list asks for no picture on the way. */
const PAUSE_MS = 120;

/** A document beside the list: what it is, and how it begins. */
export function PeekPanel({ document }: { document: Document }) {
  const { t } = useTranslation();
  const colorOf = useTagColor();
  const canWrite = useCanWrite()(document.collection.id);
  const [settled] = useDebouncedValue(document, PAUSE_MS);
  const close = () => {
    peekedId.set(null);
    focusDocument(document.id);
  };
  const onEscape = useEffectEvent(close);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !isTaken(event)) onEscape();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  const isReady = document.status === "ready" && document.unreadable_page_count === 0;

  return (
    <section className={styles.panel} aria-label={t("documents.peek.title")} data-peek>
      <Group justify="space-between" wrap="nowrap" mb={8}>
        <LinkButton to="/documents/$documentId" params={{ documentId: document.id }} size="xs">
          {t("documents.peek.read")}
        </LinkButton>
        <CloseButton aria-label={t("documents.peek.close")} onClick={close} />
      </Group>
      <Title order={2} size="h3" className={styles.title ?? ""} aria-live="polite">
        {document.title ?? document.filename}
      </Title>
      {isReady ? null : <StatusCell document={document} canWrite={canWrite} t={t} />}
      <div className={styles.page}>
        {settled.id === document.id ? <Beginning key={document.id} document={document} /> : null}
      </div>
      <TagsCell document={document} colorOf={colorOf} canWrite={canWrite} t={t} />
      <Facts document={document} />
    </section>
  );
}

/** The first page, or the first lines where pages have no picture. */
function Beginning({ document }: { document: Document }) {
  const isText = firstPageUrl(document) === null && document.page_images === "none" && Boolean(document.page_count);
  const { data, isLoading } = usePageText(document.id, 1, { isEnabled: isText });
  const lines = firstLines(data?.text ?? "");
  if (isText && isLoading) return null;
  if (lines === "") return <FirstPage document={document} />;
  return (
    <blockquote className={`lectern-quote ${styles.lines}`} lang={data?.language ?? undefined}>
      {lines}
    </blockquote>
  );
}

function Facts({ document }: { document: Document }) {
  const { t } = useTranslation();
  const facts: [string, string | null][] = [
    [t("document.filename"), document.filename],
    [t("document.collection"), document.collection.name],
    [t("document.type"), typeName(document.content_type, t)],
    [t("document.pages"), document.page_count === null ? null : formatNumber(document.page_count)],
    [t("document.size"), formatBytes(document.size_bytes)],
    [t("document.language"), document.language ? languageName(document.language) : null],
    [t("document.added"), formatDateTime(document.created_at)],
    [t("documents.column.updated"), formatDateTime(document.updated_at)],
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
