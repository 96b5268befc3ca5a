import { Code } from "@mantine/core";

/** A sentence in which what stands between backticks is code. */
export const CodeText = ({ text }: { text: string }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no identity
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? <Code key={index}>{part}</Code> : part));
