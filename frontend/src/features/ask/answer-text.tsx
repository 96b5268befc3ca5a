import { Text, UnstyledButton } from "@mantine/core";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { Sentence } from "./answer-stream";
import styles from "./ask.module.css";

interface AnswerTextProps {
  sentences: Sentence[];
  selected: number | undefined;
  onSelect: (number: number) => void;
}

/** The sentences of an answer; the number behind each opens what it rests on. */
export function AnswerText({ sentences, selected, onSelect }: AnswerTextProps) {
  const { t } = useTranslation();
  return (
    <Text component="p" m={0} lh={1.7} style={{ whiteSpace: "pre-line" }}>
      {sentences.map(({ text, citations }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sentences are only added at the end
        <Fragment key={index}>
          {index > 0 ? " " : ""}
          {text}
          {citations.map((number) => (
            <UnstyledButton
              key={number}
              className={styles.number}
              aria-label={t("ask:openCitation", { number })}
              aria-pressed={number === selected}
              onClick={() => onSelect(number)}
            >
              {number}
            </UnstyledButton>
          ))}
        </Fragment>
      ))}
    </Text>
  );
}
