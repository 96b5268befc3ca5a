const PROTOCOL = "2025-06-18";
const TIMEOUT_MS = 8_000;

export type TestResult = { tools: string[] } | { reason: string };

interface Answer {
  result?: { tools?: { name: string }[] };
  error?: { message?: string };
}

/** Return true if the page may call the service: the content policy allows its own origin only. */
export function isSameOrigin(url: string, origin: string): boolean {
  try {
    return new URL(url).origin === origin;
  } catch {
    return false;
  }
}

/** A handshake with the MCP service as an agent does it: initialize, then the list of its tools. */
export async function testMcp(url: string, key: string): Promise<TestResult> {
  try {
    const opened = await call(url, key, {
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: PROTOCOL,
        capabilities: {},
        clientInfo: { name: "lectern-browser", version: "1" },
      },
    });
    const listed = await call(url, key, { id: 2, method: "tools/list", params: {} }, opened.session);
    return { tools: (listed.answer.result?.tools ?? []).map((tool) => tool.name) };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

async function call(url: string, key: string, message: object, session?: string | null) {
  const response = await fetch(url, {
    method: "POST",
    credentials: "omit",
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": PROTOCOL,
      ...(session ? { "Mcp-Session-Id": session } : {}),
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const answer = readAnswer(await response.text());
  if (answer.error) throw new Error(answer.error.message ?? "error");
  return { answer, session: response.headers.get("Mcp-Session-Id") };
}

/** The answer in a body that is JSON or a stream of events with one. */
export function readAnswer(body: string): Answer {
  const data = body
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trim())
    .filter(Boolean);
  return JSON.parse(data.at(-1) ?? body) as Answer;
}
