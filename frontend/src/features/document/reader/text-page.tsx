import { IconPaperclip } from "@tabler/icons-react";
import type { Link, List, Paragraph, RootContent } from "mdast";
import { createContext, type ElementType, Fragment, type ReactNode, useContext, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "@/lib/format";
import { joinWrappedLines } from "@/lib/readable-text";
import { hasCells } from "./cell-rows";
import { type Range, rangeOf } from "./text-nodes";
import styles from "./text-page.module.css";
import { TextTable } from "./text-table";
import { codePointOffsets, MAIL_HEADERS, parseText, type TextOptions } from "./text-tree";

export interface MarkedRange extends Range {
  /** Current: the words that were looked for. Place: further matches. Wash: the passage around them. */
  kind: "current" | "place" | "wash" | "note";
}

interface TextPageProps extends TextOptions {
  text: string;
  /** Passages to mark, in code points from the beginning of the page. */
  ranges: MarkedRange[];
}

/** Address of the file that the text is from. */
export const OriginalUrl = createContext("");

/** The text of a page with its passages marked. */
export function TextPage({ text, isMarkdown, isMail = false, headings, ranges }: TextPageProps) {
  const blocks = useMemo(
    () => parseText(text, { isMarkdown, isMail, ...(headings ? { headings } : {}) }),
    [text, isMarkdown, isMail, headings],
  );
  const toOffset = useMemo(() => codePointOffsets(text), [text]);
  const marks = ranges.map((range) => ({
    ...range,
    start: toOffset(range.start),
    end: toOffset(range.end),
  }));

  // lines that end at another width than the window's would break twice
  const flowing = useMemo(() => (isMarkdown ? text.replaceAll("\n", " ") : joinWrappedLines(text)), [text, isMarkdown]);

  function write({ start, end }: Range, source: string): ReactNode {
    const here = marks.filter((one) => one.start < end && one.end > start);
    const edges = [start, ...here.flatMap((one) => [Math.max(one.start, start), Math.min(one.end, end)]), end];
    const places = [...new Set(edges)].sort((a, b) => a - b);
    return places.slice(0, -1).map((from, index) => {
      const part = source.slice(from, places[index + 1]);
      const kinds = here.filter((one) => one.start <= from && one.end > from).map(({ kind }) => kind);
      return kinds.length > 0 ? <Marked key={from} text={part} kinds={kinds} /> : part;
    });
  }

  /** Write what a node says. Escapes stay in its source, so only an unmarked text can show its value. */
  function writeValue(node: RootContent, value: string): ReactNode {
    const range = rangeOf(node);
    const source = node.type === "code" ? text : flowing;
    const index = text.slice(range.start, range.end).indexOf(value);
    if (index >= 0) return write({ start: range.start + index, end: range.start + index + value.length }, source);
    const isMarked = marks.some((one) => one.start < range.end && one.end > range.start);
    return isMarked ? write(range, source) : value;
  }

  const current = marks.find(({ kind }) => kind === "current")?.start ?? 0;
  return <Nodes nodes={blocks} write={writeValue} current={current} />;
}

/** Only words that were looked for are a mark to a screen reader. */
function Marked({ text, kinds }: { text: string; kinds: MarkedRange["kind"][] }) {
  const isCurrent = kinds.includes("current");
  const Element = isCurrent || kinds.includes("place") ? "mark" : "span";
  const className = kinds.map((kind) => styles[kind]).join(" ");
  return (
    <Element className={className} data-current={isCurrent || undefined}>
      {text}
    </Element>
  );
}

type Write = (node: RootContent, value: string) => ReactNode;

interface NodesProps {
  nodes: readonly RootContent[];
  write: Write;
  /** Offset of the passage that must be rendered. */
  current?: number;
}

const Nodes = ({ nodes, write, current = 0 }: NodesProps) =>
  nodes.map((node) => <Fragment key={rangeOf(node).start}>{render(node, write, current)}</Fragment>);

function render(node: RootContent, write: Write, current: number): ReactNode {
  const children = "children" in node && node.type !== "table" ? <Nodes nodes={node.children} write={write} /> : null;
  switch (node.type) {
    case "heading": {
      // The page has its own first heading.
      const Heading = `h${Math.min(node.depth + 1, 6)}` as ElementType;
      return <Heading className={styles.heading}>{children}</Heading>;
    }
    case "paragraph":
      if (node.data?.mail === "headers") return <MailHeader paragraph={node} write={write} />;
      if (node.data?.mail === "attachments") return <Attachments paragraph={node} write={write} />;
      return (
        <p
          className={styles.paragraph}
          data-cells={node.children.some((one) => one.type === "text" && hasCells(one.value)) || undefined}
        >
          {children}
        </p>
      );
    case "list":
      return renderList(node, children);
    case "listItem":
      return <li className={styles.item}>{children}</li>;
    case "blockquote":
      return <blockquote className={styles.quote}>{children}</blockquote>;
    case "code":
      return <pre className={styles.code}>{write(node, node.value)}</pre>;
    case "thematicBreak":
      return <hr className={styles.rule} />;
    case "table":
      return (
        <TextTable
          table={node}
          current={current}
          renderCell={({ children }) => <Nodes nodes={children} write={write} />}
        />
      );
    case "emphasis":
      return <em>{children}</em>;
    case "strong":
      return <strong>{children}</strong>;
    case "inlineCode":
      return <code>{write(node, node.value)}</code>;
    case "link":
      return renderLink(node, children);
    case "image":
      return write(node, node.alt || node.url);
    case "text":
    case "html":
      return write(node, node.value);
    case "break":
      return <br />;
    default:
      return children;
  }
}

function renderList({ ordered, start }: List, children: ReactNode): ReactNode {
  return ordered ? (
    <ol start={start ?? 1} className={styles.list}>
      {children}
    </ol>
  ) : (
    <ul className={styles.list}>{children}</ul>
  );
}

/** From, to, copy and date of a message. The date is in the reader's words. */
function MailHeader({ paragraph, write }: { paragraph: Paragraph; write: Write }) {
  const { t } = useTranslation();
  const nodes = paragraph.children.filter((node) => node.type === "text");
  const headers = Array.from({ length: nodes.length / 2 }, (_, index) => nodes.slice(index * 2, index * 2 + 2));
  return (
    <dl className={styles.mail}>
      {headers.map(([name, value]) =>
        name && value ? (
          <div key={rangeOf(name).start}>
            <dt>{t(`reader.mail.${MAIL_HEADERS.find((header) => header === name.value) ?? "From"}`)}</dt>
            <dd title={name.value === "Date" ? value.value : undefined}>
              {write(value, name.value === "Date" ? localDate(value.value) : value.value)}
            </dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

/** The names of what came with a message. Only the original holds the files. */
function Attachments({ paragraph, write }: { paragraph: Paragraph; write: Write }) {
  const { t } = useTranslation();
  return (
    <section className={styles.attachments} aria-label={t("reader.mail.attachments")}>
      <p>
        {t("reader.mail.attachments")} · <a href={useContext(OriginalUrl)}>{t("reader.mail.original")}</a>
      </p>
      <ul>
        {paragraph.children.map((node) =>
          node.type === "text" ? (
            <li key={rangeOf(node).start}>
              <IconPaperclip size={14} aria-hidden /> {write(node, node.value)}
            </li>
          ) : null,
        )}
      </ul>
    </section>
  );
}

const localDate = (value: string) => (Number.isNaN(Date.parse(value)) ? value : formatDateTime(value));

/** A document may hold any address: only those of the web and of e-mail become links. */
function renderLink({ url }: Link, children: ReactNode): ReactNode {
  if (!/^(https?|mailto):/i.test(url)) return children;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
