import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./stack";

const FOLDER = join(import.meta.dirname, "..", "provider");

/** True if the packages of the provider are installed: `npm --prefix e2e/provider ci`. */
export const HAS_PROVIDER = existsSync(join(FOLDER, "node_modules", "oidc-provider"));

/** A real OpenID provider in a process of its own. */
export class RunningProvider {
  private constructor(
    readonly url: string,
    readonly child: ChildProcess,
  ) {}

  static async start(appUrl: string): Promise<RunningProvider> {
    const port = await freePort();
    const child = spawn(process.execPath, ["provider.mjs", String(port), appUrl], { cwd: FOLDER });
    process.once("exit", () => child.kill("SIGKILL"));
    await new Promise<void>((resolve, reject) => {
      child.stdout.on("data", (data: Buffer) => data.includes("ready") && resolve());
      child.once("exit", (code) => reject(new Error(`the provider ended with ${code}`)));
    });
    return new RunningProvider(`http://127.0.0.1:${port}`, child);
  }

  /** The settings of Lectern that name this provider. */
  get variables(): Record<string, string> {
    return {
      OIDC_ISSUER: this.url,
      OIDC_CLIENT_ID: "lectern",
      OIDC_CLIENT_SECRET: "a secret of the tests 0123456789",
    };
  }

  async setGroups(login: string, groups: string[]): Promise<void> {
    await fetch(`${this.url}/test/groups/${encodeURIComponent(login)}`, {
      method: "PUT",
      body: JSON.stringify(groups),
    });
  }

  stop(): void {
    this.child.kill();
  }
}
