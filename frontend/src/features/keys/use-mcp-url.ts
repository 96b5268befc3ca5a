import { useLocalStorage } from "@mantine/hooks";
import { defaultMcpUrl } from "./client-snippets";

/** The address for agents: what the person wrote last, else the likely one. */
export function useMcpUrl(): [string, (url: string) => void] {
  const [written, setWritten] = useLocalStorage({ key: "lectern-mcp-url", defaultValue: "" });
  return [written || defaultMcpUrl(window.location), setWritten];
}
