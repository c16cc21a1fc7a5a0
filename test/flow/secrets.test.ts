import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { startProxy } from "../faults/proxy.ts";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite } from "./temporary-site.ts";
import { sampleOf } from "../whole.ts";

const ROUNDS = [
  ["plan"],
  ["plan", "--json", "--out", "plan.json"],
  ["publish", "--json"],
  ["publish"],
  ["diff", "about"],
  ["assets", "prune"],
  ["status", "--json"],
  ["doctor"],
  ["posts", "plan"],
  ["posts", "sync", "--json"],
  ["posts", "list"],
  ["forms", "list"],
  ["analytics"],
  ["keys", "list"],
  ["webhooks", "list"],
  ["publish", "--prunee"],
] as const;

const AFTER_FAULTS = [["publish"], ["publish", "--json"], ["status"], ["doctor"], ["posts", "sync"]] as const;

async function textsBelow(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== ".env");
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), "latin1")));
}

function formsOf(key: string): readonly string[] {
  return [key, encodeURIComponent(key), Buffer.from(key).toString("base64").replace(/=+$/, "")];
}

describe.each(["a", "b"] as const)("the API key of a service with route set %s", (routeSet) => {
  it("is in no output, no state file, and no error, whatever fails", async () => {
    const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet, strict: false })];
    const proxy = await startProxy(host.baseUrl);
    onTestFinished(() => proxy.close());
    const key = host.apiKey;
    // The key comes from a file that isn't committed, and the service echoes it in its response.
    await site.write(".env", `IMPRINT_API_KEY=${key}\n`);
    let output = "";
    const environment = {
      IMPRINT_SERVICE: proxy.url,
      GITHUB_ACTIONS: "true",
      GITHUB_STEP_SUMMARY: join(site.root, "summary.md"),
      IMPRINT_DEBUG: "1",
    };
    const write = (text: string) => void (output += text);
    const run = (args: readonly string[]) =>
      runCli(args, { cwd: site.root, environment, out: { write }, error: { write } });
    for (const args of ROUNDS) await run(args);
    const statuses = sampleOf([302, 400, 401, 402, 403, 413, 422, 429], (status) => {
      return routeSet === "a" || status === 302 || status === 403;
    });
    for (const status of statuses) {
      proxy.meddle(({ answer, number }) => {
        if (number < 3) return undefined;
        const body = { title: `Bearer ${key}`, detail: encodeURIComponent(key), code: key, requestId: key };
        const location = `https://login.example.org/?key=${key}`;
        const headers = { "content-type": "application/problem+json", "x-request-id": key, location };
        answer.writeHead(status, { ...headers, "retry-after": "900" }).end(JSON.stringify(body));
        return Promise.resolve();
      });
      for (const args of AFTER_FAULTS) await run(args);
    }
    expect(output).toContain("[key]");
    const everything = [output, ...(await textsBelow(site.root))].join("\n");
    for (const form of formsOf(key)) expect(everything).not.toContain(form);
  });
});

const OWN = "imp_live_0123456789abcdefghijAB_zzzzzz";
const HOSTED = "hosted-key_0123456789abc+DEF=";

describe.each([OWN, HOSTED])("the key %s", (key) => {
  it.each([
    ["instead of the address", ["publish"], { IMPRINT_SERVICE: key, IMPRINT_API_KEY: "http://127.0.0.1:9" }],
    ["instead of the address, without one", ["publish"], { IMPRINT_SERVICE: key }],
    ["in the address flag", ["publish", "--service", key], {}],
    ["in the address", ["publish"], { IMPRINT_SERVICE: `http://user:${key}@127.0.0.1:9`, IMPRINT_API_KEY: key }],
    [
      "in the query of the address",
      ["status"],
      { IMPRINT_SERVICE: `http://127.0.0.1:9/?key=${key}`, IMPRINT_API_KEY: key },
    ],
    ["with its scheme", ["status"], { IMPRINT_SERVICE: "http://127.0.0.1:9", IMPRINT_API_KEY: `Bearer ${key}` }],
    ["in quotation marks", ["status"], { IMPRINT_SERVICE: "http://127.0.0.1:9", IMPRINT_API_KEY: `"${key}"` }],
    ["in an unknown flag", ["publish", `--key=${key}`], {}],
    ["if nothing listens", ["status"], { IMPRINT_SERVICE: "http://127.0.0.1:9", IMPRINT_API_KEY: key }],
  ] as const)("isn't printed %s", async (_, args, environment) => {
    const site = await createTemporarySite();
    let output = "";
    const write = (text: string) => void (output += text);
    const code = await runCli(args, { cwd: site.root, environment, out: { write }, error: { write } });
    expect(code).not.toBe(0);
    expect(output).not.toBe("");
    for (const form of formsOf(key)) expect(output).not.toContain(form);
  });

  it("is neither printed nor used from a config file", async () => {
    const site = await createTemporarySite();
    await site.write("imprint.config.mjs", `export default { service: "http://127.0.0.1:9", apiKey: "${key}" };`);
    let output = "";
    const write = (text: string) => void (output += text);
    const context = { cwd: site.root, environment: {}, out: { write }, error: { write } };
    expect(await runCli(["publish"], context)).toBe(2);
    expect(output).toContain("apiKey");
    expect(output).not.toContain(key);
  });
});
