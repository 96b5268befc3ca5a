import { Paper, Title } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./fact-list.module.css";

interface FactListProps {
  title: string;
  facts: [name: string, value: ReactNode][];
  children?: ReactNode;
}

/** A card of names and values. */
export function FactList({ title, facts, children }: FactListProps) {
  return (
    <Paper withBorder p="md" radius="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {children}
    </Paper>
  );
}
