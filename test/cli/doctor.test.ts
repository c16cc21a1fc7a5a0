import { createServer } from "node:http";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import type { RouteSetName } from "../../src/contract/route.ts";
import { startService, type ServiceOptions } from "../../src/service.ts";
import { createTemporarySite } from "../flow/temporary-site.ts";
import { findFreePort } from "../service/mail/mail-server.ts";
import { sampleOf } from "../whole.ts";

interface Found {
  readonly id: string;
  readonly status: string;
  readonly finding: string;
  readonly remedy?: string;
}

async function openService(options: Partial<ServiceOptions> = {}) {
  const service = await startService({ ephemeral: true, dev: true, port: 0, pagesPort: 0, ...options });
  onTestFinished(() => service.close());
  return service;
}

async function openProject(environment: NodeJS.ProcessEnv) {
  const site = await createTemporarySite();
  async function run(...argv: readonly string[]) {
    let out = "";
    const code = await runCli(["doctor", ...argv], {
      cwd: site.root,
      environment,
      out: { columns: 80, write: (text) => (out += text) },
      error: { write() {} },
    });
    return { code, out };
  }
  async function find(...argv: readonly string[]) {
    const { code, out } = await run(...argv, "--json");
    const checks: readonly Found[] = JSON.parse(out).checks;
    return { code, checks, of: (id: string) => checks.find((check) => check.id === id) };
  }
  return { site, run, find };
}

async function openBoth(options: Partial<ServiceOptions> & { readonly set: RouteSetName }) {
  const { set, ...rest } = options;
  const service = await openService(rest);
  const project = await openProject({ IMPRINT_API_KEY: service.apiKey, IMPRINT_SERVICE: service.baseUrl(set) });
  return { service, ...project };
}

const ORDER = [
  ...["config", "api-key", "service", "route-set", "account", "clock"],
  ...["images", "svg", "scripts", "fonts", "styles", "files", "pages", "state", "node", "built-site"],
];

const WORLDS = (["a", "b"] as const).flatMap((set) => [true, false].map((strict) => ({ set, strict })));

describe.each(sampleOf(WORLDS, ({ set, strict }) => strict === (set === "b")))(
  "imprint doctor, route set $set, strict: $strict",
  ({ set, strict }) => {
    it("checks everything in order, and detects the library's capabilities", async () => {
      const { find } = await openBoth({ set, strict });
      const { code, checks, of } = await find();
      expect(code).toBe(0);
      // Route set B can't delete the files that probed the library.
      const left = ORDER.toSpliced(ORDER.indexOf("files") + 1, 0, "probe-files");
      // Our own service has both route sets, unless it acts like a stranger's.
      const all = (set === "a" ? ORDER : left).filter((id) => strict || id !== "route-set");
      expect(checks.map(({ id }) => id)).toEqual(all);
      expect(of("route-set")?.finding).toBe(strict ? set.toUpperCase() : undefined);
      expect(of("scripts")?.finding).toBe(
        set === "a"
          ? "from the library, served as text/javascript with CORS"
          : "inlined in each page that uses them, because the library accepts only images",
      );
      expect(of("files")?.status).toBe(set === "a" ? "good" : "warning");
      expect(of("built-site")?.finding).toBe("dist, 3 pages");
      expect(of("account")?.finding).toContain(strict ? "reports neither plan nor limits" : "plan pro");
    });

    it("detects a library without types and CORS, and explains the effects", async () => {
      const { find } = await openBoth({ set, strict, quirks: { libraryHeaders: "opaque" } });
      const { code, of } = await find();
      expect(code).toBe(0);
      expect(of("svg")?.status).toBe("warning");
      expect(of("fonts")).toMatchObject(
        set === "a"
          ? { status: "warning", finding: expect.stringContaining("without Access-Control-Allow-Origin") }
          : { status: "good", finding: expect.stringContaining("accepts only images") },
      );
    });
  },
);

describe("imprint doctor", () => {
  it("deletes every file that it uploads", async () => {
    const { service, run } = await openBoth({ set: "a" });
    await run();
    const writes = service.requests().filter(({ method }) => method !== "GET");
    const operations = writes.map(({ operation }) => operation).toSorted();
    expect(operations).toEqual([...Array(6).fill("assets.delete"), ...Array(6).fill("assets.upload")]);
  });

  it("never shows the key", async () => {
    const { service, run } = await openBoth({ set: "a" });
    const { out } = await run();
    expect(out).not.toContain(service.apiKey);
    expect(out).toContain(`imp_…${service.apiKey.slice(-4)}`);
  });

  it("fits into 80 columns and prints each remedy once", async () => {
    const { run } = await openBoth({ set: "a", strict: true, quirks: { libraryHeaders: "opaque" } });
    const { out } = await run();
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(out.match(/Pages work, but are larger/g)).toHaveLength(1);
    expect(out).toContain("  ! Scripts     inlined in each page");
    expect(out).toContain("warnings to review.");
  });

  it.each([
    ["no key", {}, "IMPRINT_API_KEY is not set"],
    ["a mistyped key", { IMPRINT_API_KEY: "imp_live_1234" }, "checksum"],
    ["another account's key", { IMPRINT_API_KEY: "other-service-key" }, "401"],
  ])("fails for %s, with a remedy, and checks the rest", async (_, environment, words) => {
    const service = await openService();
    const { find } = await openProject({ ...environment, IMPRINT_SERVICE: service.baseUrl("a") });
    const { code, of } = await find();
    expect(code).toBe(1);
    expect(of("api-key")).toMatchObject({ status: "bad", finding: expect.stringContaining(words) });
    expect(of("api-key")?.remedy).toMatch(/key|IMPRINT_API_KEY/);
    expect(of("state")?.status).toBe("good");
  });

  it("reports whether the service has pending mail", async () => {
    const port = await findFreePort();
    const mail = { smtpUrl: `smtp://imprint:s3cret@127.0.0.1:${port}`, from: "imprint@example.org" };
    const { service, run, find } = await openBoth({ set: "a", mail, background: false });
    expect((await find()).of("mail")).toMatchObject({ status: "good", finding: expect.stringContaining("no delays") });
    const headers = { Authorization: `Bearer ${service.apiKey}`, "Content-Type": "application/json" };
    const body = JSON.stringify({ email: "ada@example.org", role: "viewer" });
    await fetch(`${service.baseUrl("a")}/api/users`, { method: "POST", headers, body });
    await service.sendMails();
    const { code, of } = await find();
    expect([code, of("mail")]).toMatchObject([
      0,
      { status: "warning", remedy: expect.stringContaining("No mail is lost") },
    ]);
    expect((await run()).out).not.toMatch(/s3cret|ECONNREFUSED/);
  });

  it("distinguishes a service that doesn't respond from a wrong route set", async () => {
    const { find, service } = await openBoth({ set: "a" });
    const wrongSet = await find("--route-set", "b");
    expect([wrongSet.code, wrongSet.of("service")?.status, wrongSet.of("route-set")?.status]).toEqual([
      1,
      "good",
      "bad",
    ]);
    await service.close();
    const closed = await find();
    expect([closed.code, closed.of("api-key")?.status, closed.of("service")?.status]).toEqual([1, "good", "bad"]);
  });

  it("names a service that wasn't set explicitly", async () => {
    const { site, find } = await openProject({ IMPRINT_API_KEY: "key", CI: "true" });
    await site.write("imprint.config.mjs", "export default {};");
    const { code, of } = await find();
    expect([code, of("service")?.finding]).toEqual([1, "No service is configured."]);
  });

  it("reports a folder that is no project", async () => {
    const { site, find } = await openProject({ IMPRINT_API_KEY: "key" });
    const { code, of } = await find();
    const finding = `${site.root} has no Astro config, and no service is named.`;
    expect([code, of("config")?.finding]).toEqual([1, finding]);
  });

  it("reports invalid options, and a missing or incomplete build", async () => {
    const { site, find } = await openBoth({ set: "a" });
    await site.write("dist/.prerender/entry.mjs", "");
    expect((await find()).of("built-site")?.status).toBe("bad");
    await site.remove("dist");
    const missing = await find();
    expect([missing.code, missing.of("built-site")?.status]).toEqual([0, "warning"]);
    await site.write("imprint.config.mjs", "export default { servise: 1 };");
    expect((await find()).of("config")?.finding).toContain("Did you mean `service`?");
  });

  it("reports a folder without write access", async () => {
    const { site, find } = await openBoth({ set: "a" });
    await writeFile(join(site.root, ".imprint"), "a file in the way");
    const { code, of } = await find();
    expect([code, of("state")?.status]).toEqual([1, "bad"]);
  });

  it("warns if the clocks differ by more than a minute", async () => {
    const late = createServer((_, response) => {
      response.setHeader("date", new Date(Date.now() + 600_000).toUTCString());
      response.end(`{"data":[]}`);
    });
    await once(late.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void late.close());
    const address = late.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { find } = await openProject({ IMPRINT_API_KEY: "key", IMPRINT_SERVICE: `http://127.0.0.1:${port}` });
    expect((await find()).of("clock")).toMatchObject({
      status: "warning",
      finding: expect.stringMatching(/^this machine's clock is (?:599|600|601) s behind the service's$/),
    });
  });

  it("reads a published page at its public address", async () => {
    const { service, find } = await openBoth({ set: "b", strict: true });
    expect((await find()).of("pages")).toMatchObject({
      status: "warning",
      remedy: expect.stringContaining("pagesUrl"),
    });
    const headers = { authorization: `Bearer ${service.apiKey}` };
    const body = new FormData();
    body.set("html", new Blob(["<!doctype html><title>Hello</title>"], { type: "text/html" }), "hello.html");
    body.set("title", "Hello");
    body.set("slug", "hello");
    expect((await fetch(`${service.baseUrl("b")}/api/pages`, { method: "POST", headers, body })).status).toBe(201);
    expect((await find()).of("pages")).toMatchObject({
      status: "good",
      finding: `${service.pagesUrl}/p/hello can be read`,
    });
  });
});
