import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

/** Runs `imprint serve` until the test ends; returns its JSON output. */
async function serve(...flags: readonly string[]) {
  const stop = new AbortController();
  const cwd = await temporaryFolder();
  const said = Promise.withResolvers<string>();
  const ended = runCli(["serve", "--ephemeral", "--port", "0", "--pages-port", "0", "--json", ...flags], {
    ...{ cwd, environment: {}, signal: stop.signal },
    out: { write: (text) => said.resolve(text) },
    error: { write() {} },
  });
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return JSON.parse(await said.promise);
}

it("imprint serve limits requests per minute and key, and returns when to retry", async () => {
  const { routeSetA, apiKey } = await serve("--rate-limit", "2");
  const ask = () => fetch(`${routeSetA}/api/pages`, { headers: { Authorization: `Bearer ${apiKey}` } });
  const answers = [await ask(), await ask(), await ask()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(Number(answers[2]?.headers.get("Retry-After"))).toBeGreaterThan(0);
});

it.each(["0", "many", "1.5"])("imprint serve rejects the rate limit %s", async (limit) => {
  let errors = "";
  const code = await runCli(["serve", "--ephemeral", "--rate-limit", limit], {
    ...{ cwd: await temporaryFolder(), environment: {} },
    out: { write() {} },
    error: { write: (text) => (errors += text) },
  });
  expect(code).toBe(2);
  expect(errors).toContain(`--rate-limit accepts a number of requests per minute, not "${limit}".`);
});

it("imprint serve names free ports if its own are taken", async () => {
  const { api, pages } = await serve();
  const run = async (...flags: readonly string[]) => {
    const stop = new AbortController();
    let errors = "";
    const code = await runCli(["serve", "--ephemeral", ...flags], {
      ...{ cwd: await temporaryFolder(), environment: {}, signal: stop.signal },
      out: { write: () => stop.abort() },
      error: { write: (text) => (errors += text) },
    });
    return { code, errors };
  };
  const taken = ["--port", new URL(api).port, "--pages-port", new URL(pages).port];
  const { code, errors } = await run(...taken);
  const [, command = ""] = /`imprint serve (--port \d+ --pages-port \d+)`/.exec(errors.replaceAll(/\s+/g, " ")) ?? [];
  expect([code, command]).toEqual([1, expect.stringContaining("--port")]);
  expect(await run(...command.split(" "))).toMatchObject({ code: 0 });
});
