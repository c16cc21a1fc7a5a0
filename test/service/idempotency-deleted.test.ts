import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { migrate } from "../../src/service/store/migrate.ts";
import { isOnPostgres } from "./backend.ts";
import { signIn } from "./dashboard/signed-in.ts";
import { connectV2 } from "./mcp/connect.ts";
import {
  clientOf,
  fileForm,
  openRunningService,
  openService,
  pageForm,
  visit,
  type Answer,
  type Send,
  type SendOptions,
} from "./open-service.ts";

const KEY = { "Idempotency-Key": "key-1" };
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
  "base64",
);

function onePage(): SendOptions {
  return { form: pageForm({ html: "<p>1</p>", title: "One", slug: "one" }), headers: KEY };
}

function onePost(): SendOptions {
  return { json: { slug: "first", title: "First", html: "<p>1</p>" }, headers: KEY };
}

const oneFile = (): SendOptions => ({ form: fileForm(["a.txt", "one"]), headers: KEY });

async function createBlog(send: Send): Promise<string> {
  const { body } = await send("POST", "/api/blogs", { json: { name: "Blog", slug: "blog" } });
  return `/api/blogs/${String(body.id)}/posts`;
}

function expectNew(first: Answer, second: Answer): void {
  expect([second.status, second.headers.get("Idempotent-Replayed")]).toEqual([201, null]);
  expect(second.body.id).not.toBe(first.body.id);
}

describe("the stored response for a deleted record is removed", () => {
  it("when route set B deletes a page, so that creating it again publishes it", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "b" });
    const first = await send("POST", "/api/pages", onePage());
    await send("DELETE", "/api/pages/one");
    expectNew(first, await send("POST", "/api/pages", onePage()));
    expect((await visit(service, "/p/one")).status).toBe(200);
  });

  it("when route set A deletes a page", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "b" });
    const first = await send("POST", "/api/pages", onePage());
    await clientOf(service, { routeSet: "a" })("DELETE", "/api/pages/one");
    expectNew(first, await send("POST", "/api/pages", onePage()));
  });

  it("when the dashboard deletes a page", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "b" });
    const first = await send("POST", "/api/pages", onePage());
    const opened = await signIn(service);
    await opened.post(`/pages/${String(first.body.id)}/delete`);
    expectNew(first, await send("POST", "/api/pages", onePage()));
  });

  it("when MCP deletes a page", async () => {
    const service = await openRunningService();
    const send = clientOf(service, { routeSet: "b", transport: "over HTTP" });
    const first = await send("POST", "/api/pages", onePage());
    const client = await connectV2(service);
    await client.callTool({ name: "pages_delete", arguments: { slug: "one" } });
    expectNew(first, await send("POST", "/api/pages", onePage()));
  });

  it("when a page is deleted with its site", async () => {
    const service = openService();
    const [a, b] = [clientOf(service, { routeSet: "a" }), clientOf(service, { routeSet: "b" })];
    const site = await a("POST", "/api/sites", { json: { name: "Site" }, headers: KEY });
    const first = await b("POST", "/api/pages", onePage());
    await a("PUT", "/api/pages/one", { json: { html: "<p>1</p>", siteId: site.body.id } });
    expect((await a("DELETE", `/api/sites/${String(site.body.id)}?pages=delete`)).status).toBe(204);
    expectNew(first, await b("POST", "/api/pages", onePage()));
    expectNew(site, await a("POST", "/api/sites", { json: { name: "Site" }, headers: KEY }));
  });

  it.each(["a", "b"] as const)("when route set %s deletes a post", async (routeSet) => {
    const send = clientOf(openService(), { routeSet });
    const posts = await createBlog(send);
    const first = await send("POST", posts, onePost());
    expect((await send("DELETE", `${posts}/first`)).status).toBe(204);
    expectNew(first, await send("POST", posts, onePost()));
  });

  it("when the dashboard deletes a post", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const posts = await createBlog(send);
    const first = await send("POST", posts, onePost());
    const opened = await signIn(service);
    expect((await opened.post("/blogs/blog/posts/first/delete", { version: "1" })).status).toBe(303);
    expectNew(first, await send("POST", posts, onePost()));
  });

  it("when route set A deletes a file, including one of several uploaded together", async () => {
    const service = openService();
    const [a, b] = [clientOf(service, { routeSet: "a" }), clientOf(service, { routeSet: "b" })];
    const first = await a("POST", "/api/library", oneFile());
    await a("DELETE", `/api/library/${String(first.body.id)}`);
    expectNew(first, await a("POST", "/api/library", oneFile()));

    const images = () => ({ form: fileForm(["a.png", PIXEL]), headers: KEY });
    const [image] = (await b("POST", "/api/assets/upload", images())).items;
    await a("DELETE", `/api/library/${String(image?.id)}`);
    const again = await b("POST", "/api/assets/upload", images());
    expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([201, null]);
    expect(again.items[0]?.id).not.toBe(image?.id);
  });

  it("when the dashboard deletes a file", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const first = await send("POST", "/api/library", oneFile());
    const opened = await signIn(service);
    await opened.post(`/library/${String(first.body.id)}/delete`);
    expectNew(first, await send("POST", "/api/library", oneFile()));
  });

  it.each([
    ["/api/brand-kits", { name: "Kit" }, "kitId"],
    ["/api/webhooks", { url: "https://example.org/hook", events: ["page.published"] }, "id"],
    ["/api/keys", { name: "CI" }, "id"],
    ["/api/custom-domains", { domain: "www.example.org" }, "domain"],
  ])("when a record of %s is deleted", async (path, json, name) => {
    const send = clientOf(openService(), { routeSet: "a" });
    const first = await send("POST", path, { json, headers: KEY });
    expect(first.status).toBe(201);
    expect((await send("DELETE", `${path}/${String(first.body[name])}`)).status).toBe(204);
    const second = await send("POST", path, { json, headers: KEY });
    expect([second.status, second.headers.get("Idempotent-Replayed")]).toEqual([201, null]);
  });

  it("when the request's path contains it: a deleted webhook isn't tested", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const json = { url: "https://example.org/hook", events: ["page.published"] };
    const { body } = await send("POST", "/api/webhooks", { json });
    const path = `/api/webhooks/${String(body.id)}`;
    expect((await send("POST", `${path}/test`, { headers: KEY })).status).toBeLessThan(300);
    await send("DELETE", path);
    expect((await send("POST", `${path}/test`, { headers: KEY })).status).toBe(404);
  });

  it("but those for other records stay", async () => {
    const send = clientOf(openService(), { routeSet: "b" });
    await send("POST", "/api/pages", onePage());
    const two = () => ({
      form: pageForm({ html: "<p>2</p>", title: "Two", slug: "two" }),
      headers: { "Idempotency-Key": "key-2" },
    });
    await send("POST", "/api/pages", two());
    await send("DELETE", "/api/pages/one");
    const again = await send("POST", "/api/pages", two());
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  });

  it.skipIf(isOnPostgres)("even if an earlier version stored it without noting its records", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "imprint-test-"));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    const before = openService({ ephemeral: false, dataDir });
    const first = await clientOf(before, { routeSet: "b" })("POST", "/api/pages", onePage());
    await before.close();
    forgetMigration(join(dataDir, "service.sqlite"));
    const send = clientOf(openService({ ephemeral: false, dataDir }), { routeSet: "b" });
    expect((await send("POST", "/api/pages", onePage())).headers.get("Idempotent-Replayed")).toBe("true");
    await send("DELETE", "/api/pages/one");
    expectNew(first, await send("POST", "/api/pages", onePage()));
  });
});

/** Rolls the database back to before responses noted their records, and forward again. */
function forgetMigration(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec("drop table idempotent_record; delete from schema_version where version = 9");
    migrate(database, new Date(0));
  } finally {
    database.close();
  }
}
