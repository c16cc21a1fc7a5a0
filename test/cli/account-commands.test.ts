import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { createClient } from "../../src/client.ts";
import { startService } from "../../src/service.ts";
import { openRunningService } from "../service/open-service.ts";
import { startReceiver } from "../service/webhooks/receiver.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

async function open() {
  const service = await openRunningService({ allowNetworks: ["127.0.0.0/8"] });
  const cwd = await temporaryFolder();
  async function runAs(apiKey: string, ...argv: readonly string[]) {
    const written = { out: "", error: "" };
    const environment = { IMPRINT_API_KEY: apiKey, IMPRINT_SERVICE: service.baseUrl("b") };
    const code = await runCli(argv, {
      ...{ cwd, environment },
      out: { write: (text) => (written.out += text) },
      error: { write: (text) => (written.error += text) },
    });
    return { code, ...written, json: () => JSON.parse(written.out) };
  }
  return { service, runAs, run: (...argv: readonly string[]) => runAs(service.apiKey, ...argv) };
}

describe("imprint keys", () => {
  it("creates, lists, and revokes keys", async () => {
    const { run, service } = await open();
    const made = await run("keys", "create", "CI", "--scope", "pages:read", "pages:write", "--json");
    expect([made.code, made.json().scopes]).toEqual([0, ["pages:read", "pages:write"]]);
    const { id, key, lastFour } = made.json();
    const api = createClient({ baseUrl: service.baseUrl("b"), apiKey: key, routeSet: "b" });
    onTestFinished(() => api.close());
    expect((await api.pages.list()).items).toEqual([]);
    const listed = await run("keys", "list");
    expect(listed.out).toContain(`${id}  CI  …${lastFour}  pages:read pages:write`);
    expect(listed.out).not.toContain(key);
    expect((await run("keys", "revoke", id)).out).toBe(`Revoked the key ${id}.\n`);
    await expect(api.pages.list()).rejects.toMatchObject({ code: "KEY_REJECTED" });
    expect((await run("keys", "list")).out).toContain("There are no API keys.");
  });

  it("shows a new key once, in text output", async () => {
    const { run } = await open();
    expect((await run("keys", "create", "laptop", "--expires", "2999-01-31")).out).toMatch(/imp_dev_\w+/);
    expect((await run("keys", "list")).out).toContain("expires 2999-01-31 00:00 UTC");
  });

  it.each([
    [["keys", "create", "x", "--scope", "everything"], "isn't a scope"],
    [["keys", "create", "x", "--expires", "soon"], "--expires accepts a date"],
    [["keys", "revoke", "key_of_nobody"], 'no API key with the ID "key_of_nobody"'],
    [["webhooks", "add", "https://example.org", "--event", "all"], "isn't an event type"],
    [["webhooks", "remove", "wh_of_nobody"], 'no webhook with the ID "wh_of_nobody"'],
  ])("rejects %j as invalid usage", async (argv, message) => {
    const { run } = await open();
    const { code, error } = await run(...argv);
    expect(code).toBe(2);
    expect(error).toContain(message);
  });
});

describe("imprint dashboard", () => {
  it("returns a link that opens the dashboard once", async () => {
    const { run, service } = await open();
    const { code, out } = await run("dashboard");
    expect(code).toBe(0);
    const link = /http\S+/.exec(out)?.[0] ?? "";
    const press = async () => {
      const body = new URLSearchParams({ token: new URL(link).searchParams.get("token") ?? "" });
      const headers = { Origin: service.url, "Sec-Fetch-Site": "same-origin" };
      return (await fetch(`${service.url}/sign-in`, { method: "POST", body, headers, redirect: "manual" })).status;
    };
    expect([await press(), await press()]).toEqual([303, 410]);
    expect(link.startsWith(`${service.url}/sign-in?token=`)).toBe(true);
  });

  it("returns a link to the embedded service that another process runs for the project", async () => {
    const [cwd, written] = [await temporaryFolder(), { out: "", error: "" }];
    const serving = await startService({ dataDir: join(cwd, ".imprint"), port: 0, pagesPort: 0 });
    onTestFinished(() => serving.close());
    const { port, pagesPort } = serving;
    const config = `export default { service: { port: ${port}, pagesPort: ${pagesPort} } };\n`;
    await writeFile(join(cwd, "imprint.config.mjs"), config);
    const code = await runCli(["dashboard", "--json"], {
      ...{ cwd, environment: {} },
      out: { write: (text) => (written.out += text) },
      error: { write: (text) => (written.error += text) },
    });
    expect([code, written.error]).toEqual([0, ""]);
    const { url } = JSON.parse(written.out);
    expect(url.startsWith(`http://localhost:${port}/sign-in?token=`)).toBe(true);
    expect((await fetch(url)).status).toBe(200);
  });

  it("requires a key with all scopes", async () => {
    const { runAs, service } = await open();
    const { apiKey } = await service.createKey({ name: "narrow", scopes: ["account:read", "account:write"] });
    const { code, out } = await runAs(apiKey, "dashboard", "--json");
    expect(code).not.toBe(0);
    expect(out).toContain("Dashboard links require a key with all scopes.");
  });

  it("suggests a key with sufficient scopes if the current one can't read the account", async () => {
    const { runAs, service } = await open();
    const { apiKey } = await service.createKey({ name: "narrow", scopes: ["pages:read"] });
    const dashboard = await runAs(apiKey, "dashboard");
    expect([dashboard.code, dashboard.error]).toEqual([1, expect.stringContaining("Use a key with all scopes")]);
    const keys = await runAs(apiKey, "keys", "list");
    expect([keys.code, keys.error]).toEqual([1, expect.stringContaining("use a key with the scope account:read")]);
  });
});

describe("imprint webhooks", () => {
  it("adds, tests, shows, resends, and removes", async () => {
    const receiver = await startReceiver((_, count) => ({ status: count === 1 ? 500 : 200 }));
    const { run } = await open();
    const { id, secret } = (await run("webhooks", "add", receiver.url, "--event", "page.published", "--json")).json();
    expect((await run("webhooks", "list")).out).toContain(`${id}  on  ${receiver.url}  page.published`);
    const failed = await run("webhooks", "test", id, "--json");
    expect([failed.code, failed.json().lastAttempt.status]).toEqual([1, 500]);
    expect((await run("webhooks", "deliveries", id)).out).toContain("The receiver returned HTTP status 500.");
    const repeated = await run("webhooks", "retry", failed.json().id);
    expect([repeated.code, repeated.out]).toEqual([0, expect.stringContaining("delivered")]);
    expect(receiver.messages(secret).map((message) => message.id)).toEqual([failed.json().id, failed.json().id]);
    expect((await run("webhooks", "remove", id)).code).toBe(0);
    expect((await run("webhooks", "list", "--json")).json()).toEqual([]);
  });

  it("shows a new secret once, in text output", async () => {
    const { run } = await open();
    expect((await run("webhooks", "add", "https://example.org/hook")).out).toMatch(/whsec_\S{44}/);
    expect((await run("webhooks", "list")).out).not.toContain("whsec_");
  });

  it("reports why an address is rejected", async () => {
    const { run } = await open();
    const { code, error } = await run("webhooks", "add", "http://10.0.0.1/");
    expect([code, error]).toEqual([1, expect.stringContaining("10.0.0.1 is not a public address.")]);
  });
});
