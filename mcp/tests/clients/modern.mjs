// The client of revision 2026-07-28, without falling back. Arguments: address of the endpoint, key.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { walk } from "./walk.mjs";

const [url, key] = process.argv.slice(2);
const client = new Client(
  { name: "lectern-test", version: "1.0.0" },
  { versionNegotiation: { mode: { pin: "2026-07-28" } } },
);
await client.connect(
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${key}` } } }),
);
await walk(client);
