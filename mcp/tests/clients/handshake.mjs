// The client of the handshake revisions (to 2025-11-25). Arguments: address of the endpoint, key.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { walk } from "./walk.mjs";

const [url, key] = process.argv.slice(2);
const client = new Client({ name: "lectern-test", version: "1.0.0" });
await client.connect(
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${key}` } } }),
);
await walk(client);
