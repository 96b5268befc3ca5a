import { Group, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import styles from "./home.module.css";

interface HomeSectionProps {
  title: string;
  /** The way to all of it. */
  link?: ReactNode;
  children: ReactNode;
}

/** One subject of the home page. */
export function HomeSection({ title, link, children }: HomeSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <Group justify="space-between" align="baseline" mb={8}>
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {link}
      </Group>
      {children}
    </section>
  );
}
