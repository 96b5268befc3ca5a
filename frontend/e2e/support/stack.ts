import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const REPOSITORY = join(import.meta.dirname, "..", "..", "..");
const SAMPLES_LOADED = "The sample documents are loaded.";
const STARTED = "Lectern is ready after";
const START_MS = 240_000;
/** Variables of the machine that must not reach the stack under test. */
const OURS = /^(LECTERN_|DATABASE_|MCP_|ADMIN_|JWT_|BACKEND_|OPENAI_|OIDC_|COOKIE_|VITEST)/;

/** The running stack, as tests need it. */
export interface Stack {
  url: string;
  mcpUrl: string;
  email: string;
  password: string;
  dataFolder: string;
  documents: string;
  pid: number;
}

/** The Python that has Lectern and what its tests need. */
function python(): string {
  const found = process.env.LECTERN_E2E_PYTHON ?? join(REPOSITORY, ".lectern", "venv", "bin", "python");
  if (!existsSync(found)) {
    throw new Error(`There is no Python at ${found}: run \`./lectern test --help\` once, which makes it.`);
  }
  return found;
}

function environment(changes: Record<string, string> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !OURS.test(name));
  const path = [join(REPOSITORY, "api", "src"), join(REPOSITORY, "mcp", "src")].join(":");
  return { ...Object.fromEntries(kept), PYTHONPATH: path, LECTERN_EMBEDDINGS: "hash:64", ...changes };
}

/** Run a script of `support/` to its end; what it printed. */
export function runPython(script: string, ...parameters: string[]): string {
  return execFileSync(python(), [join(import.meta.dirname, script), ...parameters], {
    env: environment(),
    encoding: "utf-8",
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** Another embedding model, beside the one that is searched. */
export const NEXT_MODEL = "hash:48";

/** `lectern up --demo` with the built UI in a data folder of its own, and the documents that tests upload. */
export class RunningStack {
  readonly #child: ChildProcess;
  readonly #folder: string;
  #output = "";

  private constructor(
    readonly stack: Stack,
    child: ChildProcess,
    folder: string,
  ) {
    this.#child = child;
    this.#folder = folder;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (data: Buffer) => {
        this.#output += data.toString();
      });
    }
    process.once("exit", () => child.kill("SIGKILL"));
  }

  /** `variables` are more settings, given the address of the stack. */
  static async start({
    hasSamples = true,
    variables = (_url: string): Record<string, string> | Promise<Record<string, string>> => ({}),
  } = {}): Promise<RunningStack> {
    const folder = await mkdtemp(join(tmpdir(), "lectern-e2e-"));
    await chmod(folder, 0o711); // the database may run under another account
    const [port, mcpPort] = [await freePort(), await freePort()];
    const [email, password] = ["admin@example.com", "quiet-harbour-4711"];
    const [dataFolder, documents] = [join(folder, "data"), join(folder, "documents")];
    const places = ["--data-dir", dataFolder, "--port", String(port), "--mcp-port", String(mcpPort)];
    const [url, mcpUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${mcpPort}/mcp`];
    const more = await variables(url);
    const ui = process.env.LECTERN_E2E_UI_DIR;
    const child = spawn(python(), ["-m", "lectern", "up", ...(hasSamples ? ["--demo"] : []), ...places], {
      cwd: folder, // no .env of the clone
      env: environment({
        ADMIN_EMAIL: email,
        ADMIN_PASSWORD: password,
        LECTERN_RATE_LIMIT_PER_MINUTE: "0", // tests are quicker than people
        LECTERN_EMBEDDINGS_NEXT: NEXT_MODEL,
        LECTERN_FOLDER_ROOTS: JSON.stringify([documents]),
        ...(ui ? { LECTERN_UI_DIR: ui } : {}),
        ...more,
      }),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true, // a Ctrl-C at the terminal is ours to pass on
    });
    const running = new RunningStack(
      { url, mcpUrl, email, password, dataFolder, documents, pid: child.pid ?? 0 },
      child,
      folder,
    );
    try {
      runPython("make_documents.py", documents);
      await running.#seen(hasSamples ? SAMPLES_LOADED : STARTED);
    } catch (error) {
      await running.stop();
      throw error;
    }
    return running;
  }

  /** Wait until something that was printed holds `text`. */
  #seen(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (reason: string) => reject(new Error(`${reason}\n${this.#output}`));
      const timer = setTimeout(() => fail(`"${text}" was not seen`), START_MS);
      const look = () => {
        if (!this.#output.includes(text)) return;
        clearTimeout(timer);
        resolve();
      };
      this.#child.stdout?.on("data", look);
      this.#child.once("exit", (code) => fail(`lectern ended with ${code}`));
      look();
    });
  }

  /** Ctrl-C, then the data are removed. */
  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = new Promise((resolve) => this.#child.once("exit", resolve));
      this.#child.kill("SIGCONT");
      this.#child.kill("SIGINT");
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || !address) throw new Error("no port is free");
  return address.port;
}

/** The process of the API below the supervisor. */
export async function pidOfApi({ pid }: Stack): Promise<number> {
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const [stat, command] = await Promise.all(
      ["stat", "cmdline"].map((file) => readFile(`/proc/${entry}/${file}`, "utf-8").catch(() => "")),
    );
    const parent = Number(stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    if (parent === pid && command?.split("\0").includes("serve")) return Number(entry);
  }
  throw new Error("the API does not run");
}
