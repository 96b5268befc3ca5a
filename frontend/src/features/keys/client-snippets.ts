/** Return the configuration of MCP clients, with the key in its place. */
export interface Snippet {
  name: string;
  file: string;
  text: string;
  /** A link that makes the client add the server itself. */
  link?: string;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** Return the link that Cursor adds a server from: its configuration is JSON in base64. */
function cursorLink(config: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(config));
  const parameters = new URLSearchParams({ name: "lectern", config: btoa(String.fromCharCode(...bytes)) });
  return `cursor://anysphere.cursor-deeplink/mcp/install?${parameters}`;
}

/** Return the link that VS Code adds a server from: its query is JSON. */
function vsCodeLink(config: object): string {
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "lectern", ...config }))}`;
}

export function clientSnippets({ url, key }: { url: string; key: string }): Snippet[] {
  const headers = { Authorization: `Bearer ${key}` };
  return [
    {
      name: "Claude Desktop",
      file: "claude_desktop_config.json",
      // It starts its servers itself: mcp-remote carries what it says to an address. The blank of the header is in a
      // variable because the client splits arguments at blanks on Windows.
      text: json({
        mcpServers: {
          lectern: {
            command: "npx",
            args: [
              "-y",
              "mcp-remote",
              url,
              "--header",
              // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in
              "Authorization:${LECTERN_KEY}",
              ...(url.startsWith("http:") ? ["--allow-http"] : []),
            ],
            env: { LECTERN_KEY: headers.Authorization },
          },
        },
      }),
    },
    {
      name: "Claude Code",
      file: "terminal",
      text: `claude mcp add --transport http lectern ${url} --header "Authorization: Bearer ${key}"`,
    },
    {
      name: "Cursor",
      file: ".cursor/mcp.json",
      text: json({ mcpServers: { lectern: { url, headers } } }),
      link: cursorLink({ url, headers }),
    },
    {
      name: "VS Code",
      file: ".vscode/mcp.json",
      text: json({ servers: { lectern: { type: "http", url, headers } } }),
      link: vsCodeLink({ type: "http", url, headers }),
    },
    {
      name: "OpenCode",
      file: "opencode.json",
      text: json({ mcp: { lectern: { type: "remote", url, headers, enabled: true } } }),
    },
    {
      name: "curl",
      file: "terminal",
      text: [
        `curl -X POST ${url} -H "Authorization: Bearer ${key}" \\`,
        '  -H "Content-Type: application/json" -H "Accept: application/json, text/event-stream" \\',
        `  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_tags","arguments":{}}}'`,
      ].join("\n"),
    },
  ];
}
