import { runCli } from "../../src/cli/run-cli.ts";
import type { RouteSetName } from "../../src/contract/route.ts";
import type { RunningService } from "../../src/service.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
  /** The standard output as JSON. */
  json(): unknown;
}

/** Runs commands in an empty folder against a service. */
export async function commandsFor(service: RunningService, routeSet: RouteSetName) {
  return await commandsAt(service.baseUrl(routeSet), service.apiKey);
}

/** Runs commands in an empty folder against any service. */
export async function commandsAt(address: string, apiKey: string) {
  const cwd = await temporaryFolder();
  async function run(...argv: readonly string[]): Promise<Ran> {
    const written = { out: "", error: "" };
    const code = await runCli(argv, {
      cwd,
      environment: { IMPRINT_API_KEY: apiKey, IMPRINT_SERVICE: address },
      out: { write: (text) => (written.out += text) },
      error: { write: (text) => (written.error += text) },
    });
    return { code, ...written, json: () => JSON.parse(written.out) };
  }
  return { cwd, run };
}
