import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { startProxy } from "../faults/proxy.ts";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite } from "./temporary-site.ts";

const ROUNDS = [
  ["plan"],
  ["plan", "--json", "--out", "plan.json"],
  ["publish", "--json"],
  ["publish"],
  ["diff", "about"],
  ["assets", "prune"],
  ["status", "--json"],
  ["publish", "--prunee"],
] as const;

async function textsBelow(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== ".env");
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), "latin1")));
}

describe("the API key", () => {
  it("is in no output, no state file and no error, whatever goes wrong", async () => {
    const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
    const proxy = await startProxy(host.baseUrl);
    onTestFinished(() => proxy.close());
    const key = host.apiKey;
    // The key comes from a file that is not committed, and the service echoes it in what it answers.
    await site.write(".env", `IMPRINT_API_KEY=${key}\n`);
    let told = "";
    const environment = {
      IMPRINT_SERVICE: proxy.url,
      GITHUB_ACTIONS: "true",
      GITHUB_STEP_SUMMARY: join(site.root, "summary.md"),
      IMPRINT_DEBUG: "1",
    };
    const write = (text: string) => void (told += text);
    const run = (args: readonly string[]) =>
      runCli(args, { cwd: site.root, environment, out: { write }, error: { write } });
    for (const args of ROUNDS) await run(args);
    for (const status of [400, 401, 402, 403, 422, 500]) {
      proxy.meddle(({ answer, number }) => {
        if (number < 3) return undefined;
        const body = { title: `Bearer ${key}`, detail: encodeURIComponent(key), code: key, requestId: key };
        answer.writeHead(status, { "content-type": "application/problem+json", "x-request-id": key });
        answer.end(JSON.stringify(body));
        return Promise.resolve();
      });
      if (status < 500) await run(["publish"]);
      else await run(["publish", "--json"]);
    }
    expect(told).toContain("[key]");
    const everything = [told, ...(await textsBelow(site.root))].join("\n");
    expect(everything).not.toContain(key);
    expect(everything).not.toContain(Buffer.from(key).toString("base64").replace(/=+$/, ""));
  });
});
