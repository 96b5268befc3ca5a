import { useLocalStorage } from "@mantine/hooks";
import { $api } from "@/lib/api/client";

interface McpUrl {
  /** What the person wrote last, else what the API tells; empty while neither is known. */
  url: string;
  told: string;
  isUnknown: boolean;
  /** An empty one is forgotten. */
  write: (url: string) => void;
}

/** The address for agents. */
export function useMcpUrl(): McpUrl {
  const [written, write] = useLocalStorage({ key: "lectern-mcp-url", defaultValue: "" });
  const query = $api.useQuery("get", "/api/v1/system/mcp-address", {}, { staleTime: Number.POSITIVE_INFINITY });
  const told = query.data?.url ?? "";
  return { url: written || told, told, isUnknown: query.isError && !written, write };
}
