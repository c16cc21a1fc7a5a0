import { readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createService, startService } from "../../src/service.ts";
import { clientOf, openRunningService, openService, visit } from "./open-service.ts";
import { isOnPostgres } from "./backend.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const PORTS = { port: 0, pagesPort: 0 } as const;

describe("a started service", () => {
  it("keeps everything across a restart", async () => {
    const dataDir = await temporaryFolder();
    const first = await startService({ dataDir, ...PORTS });
    const { apiKey } = await first.createKey({ name: "ci" });
    const form = new FormData();
    form.append("file", new File(["a{}"], "a.css"));
    await clientOf(first, { routeSet: "a" })("PUT", "/api/pages/one", { apiKey, json: { html: "<p>1</p>" } });
    const { body: asset } = await clientOf(first, { routeSet: "a" })("POST", "/api/library", { apiKey, form });
    await first.close();

    const second = await openRunningService({ ephemeral: false, dataDir });
    const send = clientOf(second, { routeSet: "a" });
    expect((await send("GET", "/api/pages", { apiKey })).items).toMatchObject([{ slug: "one" }]);
    expect(await (await visit(second, new URL(String(asset.url)).pathname)).text()).toBe("a{}");
    expect((await send("GET", "/api/pages", { apiKey: first.apiKey })).status).toBe(401);
  });

  it("listens only on the loopback interface, with two host names", async () => {
    const service = await openRunningService();
    expect(service.url).toBe(`http://localhost:${service.port}`);
    expect(service.pagesUrl).toBe(`http://127.0.0.1:${service.pagesPort}`);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    const home = await fetch(service.url);
    expect(await home.text()).toContain("An Imprint service runs here");
    expect(home.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
  });

  it("leaves nothing in the temporary folder if it's ephemeral", async () => {
    vi.stubEnv("TMPDIR", await temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const service = await startService({ ephemeral: true, ...PORTS });
    await service.snapshot();
    expect(await readdir(tmpdir())).not.toEqual([]);
    await service.close();
    expect(await readdir(tmpdir())).toEqual([]);
  });

  it("completes running requests when it is closed, and can be closed twice", async () => {
    const service = await openRunningService();
    const socket = connect(service.port, "127.0.0.1");
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n");
    await service.close();
    await service.close();
    await closed;
    await expect(fetch(`${service.url}/healthz`)).rejects.toThrow();
    await expect(service.fetch(new Request(`${service.url}/healthz`))).rejects.toMatchObject({
      code: "SERVICE_UNREACHABLE",
    });
  });

  it("returns a problem for a request with an invalid address", async () => {
    const service = await openRunningService();
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(service.port, "127.0.0.1");
      socket.once("data", (data) => resolve(data.toString()));
      socket.write("GET /api/pages HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n");
    });
    expect(answer).toContain("400 Bad Request");
    expect(answer).toContain("application/problem+json");
  });

  it("names the port that is taken, and releases the other one", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const address = other.address();
    const taken = typeof address === "object" && address !== null ? address.port : 0;
    const { port } = await openRunningService().then(async (service) => {
      await service.close();
      return service;
    });
    await expect(startService({ ephemeral: true, port, pagesPort: taken })).rejects.toMatchObject({
      code: "PORT_TAKEN",
      message: expect.stringContaining(String(taken)),
    });
    const again = await startService({ ephemeral: true, port, pagesPort: 0 });
    await again.close();
  });

  it("doesn't mistake another machine's address for a port that is taken", async () => {
    // Reserved for documentation (RFC 5737): no machine uses it.
    await expect(startService({ ephemeral: true, ...PORTS, hostname: "192.0.2.1" })).rejects.toMatchObject({
      code: "OPTIONS_INVALID",
      message: expect.stringContaining("EADDRNOTAVAIL"),
    });
  });

  it("reports that its folder isn't writable", async () => {
    const file = join(await temporaryFolder(), "file");
    await writeFile(file, "");
    await expect(startService({ dataDir: join(file, "data"), ...PORTS })).rejects.toMatchObject({
      code: "STATE_UNWRITABLE",
    });
  });

  it.skipIf(isOnPostgres)("rejects a file that isn't a database", async () => {
    const dataDir = await temporaryFolder();
    await writeFile(
      join(dataDir, "service.sqlite"),
      "this is no database, but it is long enough to look at".repeat(20),
    );
    await expect(startService({ dataDir, ...PORTS })).rejects.toMatchObject({ code: "STATE_UNREADABLE" });
  });

  it.skipIf(isOnPostgres)("rejects a database of a newer version", async () => {
    const dataDir = await temporaryFolder();
    await (await startService({ dataDir, ...PORTS })).close();
    const database = new DatabaseSync(join(dataDir, "service.sqlite"));
    database.exec("insert into schema_version values (9999, 'future', 0)");
    database.close();
    await expect(startService({ dataDir, ...PORTS })).rejects.toMatchObject({ code: "STATE_UNREADABLE" });
  });

  it("rejects one host name for the API and the published pages", async () => {
    expect(() => createService({ appUrl: "https://example.org", pagesUrl: "https://example.org:444" })).toThrow(
      expect.objectContaining({ code: "OPTIONS_INVALID" }),
    );
    await expect(startService({ ephemeral: true, pagesUrl: "http://localhost:1", ...PORTS })).rejects.toMatchObject({
      code: "OPTIONS_INVALID",
    });
  });
});

describe("a full disk", () => {
  it.skipIf(isOnPostgres)("returns 507 if a file can't be stored, and leaves no record behind", async () => {
    const dataDir = await temporaryFolder();
    const service = await openRunningService({ ephemeral: false, dataDir });
    const send = clientOf(service, { routeSet: "a" });
    await rm(join(dataDir, "blobs"), { recursive: true });
    await writeFile(join(dataDir, "blobs"), "in the way");
    const form = new FormData();
    form.append("file", new File(["a{}"], "a.css"));
    const { status, body, text } = await send("POST", "/api/library", { form });
    expect([status, body.code]).toEqual([507, "storage_full"]);
    expect(text).not.toContain(dataDir);
    expect((await send("GET", "/api/library")).items).toHaveLength(0);
  });
});

describe("a service without ports", () => {
  it.skipIf(isOnPostgres)("opens its folder on the first request", async () => {
    const dataDir = join(await temporaryFolder(), "data");
    const service = openService({ ephemeral: false, dataDir });
    await expect(readdir(dataDir)).rejects.toThrow();
    await service.fetch(new Request(`${service.url}/healthz`));
    expect(await readdir(dataDir)).toContain("service.sqlite");
  });

  it("serves the configured route set at the root", async () => {
    const service = openService({ routeSet: "b" });
    const answer = await service.fetch(new Request(`${service.url}/api/assets`));
    expect(answer.headers.get("Imprint-Route-Set")).toBe("b");
    expect(answer.status).toBe(401);
  });
});

describe("published pages", () => {
  it("are revalidated by their content", async () => {
    const service = openService();
    await clientOf(service, { routeSet: "a" })("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
    const page = await visit(service, "/p/one");
    expect(page.headers.get("Cache-Control")).toBe("no-cache");
    const etag = page.headers.get("ETag") ?? "";
    expect((await visit(service, "/p/one", { headers: { "If-None-Match": etag } })).status).toBe(304);
    expect(await (await visit(service, "/p/one", { method: "HEAD" })).text()).toBe("");
  });

  it("are read-only", async () => {
    const answer = await visit(openService(), "/p/one", { method: "DELETE" });
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("that don't exist show a page without scripts that search engines don't index", async () => {
    const answer = await visit(openService(), "/p/none");
    expect(answer.status).toBe(404);
    expect(answer.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(await answer.text()).toContain('content="noindex"');
  });
});
