import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OPERATIONS, type OperationName, extensionRoutes, routesOf } from "../../src/contract/operations.ts";
import { startHost } from "../client/host.ts";
import { openRunningService } from "../service/open-service.ts";
import { startReceiver } from "../service/webhooks/receiver.ts";
import { CONTACT, submit } from "../service/visitors/visiting.ts";
import { commandsFor } from "./run.ts";

const SENT = { fields: { name: "Anna", email: "anna@example.org", message: "Hello" } };

async function open(routeSet: "a" | "b") {
  const service = await openRunningService({ allowNetworks: ["127.0.0.0/8"] });
  const commands = await commandsFor(service, routeSet);
  await writeFile(join(commands.cwd, "page.html"), CONTACT);
  await writeFile(join(commands.cwd, "empty.tar"), new Uint8Array(1024));
  await writeFile(join(commands.cwd, "logo.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const asked = new Set<string>();

  async function api(operation: OperationName, ...fields: readonly string[]) {
    asked.add(operation);
    const ran = await commands.run("api", operation, ...fields.flatMap((field) => ["--field", field]));
    expect([operation, ran.error]).toEqual([operation, ""]);
    return ran.out.startsWith("{") ? JSON.parse(ran.out) : ran.out;
  }

  function unasked() {
    const names = [...routesOf(routeSet), ...extensionRoutes()].map(({ operation }) => operation);
    return names.filter((name) => !asked.has(name));
  }
  return { ...commands, service, api, unasked };
}

type Api = Awaited<ReturnType<typeof open>>["api"];

async function useExtensions(api: Api, blog: Readonly<Record<string, string>>) {
  const receiver = await startReceiver();
  expect((await api("account.get")).plan).toBeDefined();
  expect((await api("openapi.get")).openapi).toMatch(/^3\./);
  expect((await api("pages.patch", "slug=contact", "title=Contact us")).title).toBe("Contact us");
  await api("pages.edit", "slug=contact", 'edits=[{"find":"</form>","replace":"</form><p>Soon"}]');
  await api("posts.patch", `blogId=${blog["id"]}`, "slug=first", "title=Second", 'tags=["x","y"]');
  await api("previewLinks.create", `blogId=${blog["id"]}`, "slug=first", "expiresInDays=3");
  expect(await api("previewLinks.delete", `blogId=${blog["id"]}`, "slug=first")).toBe("");
  expect(await api("posts.delete", `blogId=${blog["id"]}`, "slug=first")).toBe("");
  const key = await api("keys.create", "name=CI", "scopes=pages:read", "scopes=pages:write");
  expect(key.scopes).toEqual(["pages:read", "pages:write"]);
  expect((await api("keys.list")).data).toMatchObject([{ id: key.id }]);
  await api("keys.delete", `id=${key.id}`);
  await api("signInLinks.create");
  const user = await api("users.create", "email=ada@example.org", "role=editor");
  expect((await api("users.patch", `id=${user.id}`, "role=viewer")).role).toBe("viewer");
  await api("users.invite", `id=${user.id}`);
  expect((await api("users.list")).data).toHaveLength(2);
  expect((await api("users.get", `id=${user.id}`)).email).toBe("ada@example.org");
  await api("users.delete", `id=${user.id}`, "keys=revoke");
  expect((await api("audit.list", "action=user.deleted")).data).toHaveLength(1);
  const webhook = await api("webhooks.create", `url=${receiver.url}`, "events=page.published");
  expect((await api("webhooks.patch", `id=${webhook.id}`, "enabled=true")).enabled).toBe(true);
  expect((await api("webhooks.get", `id=${webhook.id}`)).events).toEqual(["page.published"]);
  const delivery = await api("webhooks.test", `id=${webhook.id}`);
  expect((await api("deliveries.list", `id=${webhook.id}`, "limit=1")).data).toHaveLength(1);
  await api("deliveries.retry", `id=${delivery.id}`);
  await api("webhooks.list");
  await api("webhooks.delete", `id=${webhook.id}`);
  await api("events.list", "type=page.published");
  // The log is written once a second.
  await expect.poll(async () => (await api("requests.list", "limit=1")).data).toHaveLength(1);
  expect((await api("analytics.visits", "source=direct")).totals.all).toBe(0);
  const release = await api("releases.open", "parent=null", "assets=[]");
  await api("releases.putPages", `id=${release.id}`, "pages=[]");
  await api("releases.putContent", `id=${release.id}`, "file=@empty.tar");
  expect((await api("releases.publish", `id=${release.id}`, "manifest=none")).state).toBe("published");
  expect((await api("releases.get", `id=${release.id}`)).live).toBe(true);
  expect((await api("releases.list", "live=true")).data).toHaveLength(1);
  expect((await api("releases.diff", `id=${release.id}`)).data).toEqual([]);
  const back = await api("releases.rollback", `id=${release.id}`, "force=true");
  const small = await api("releases.publishSmall", `parent=${back.id}`, "pages=[]", "html=[]", "manifest=small");
  expect(small.release.live).toBe(true);
}

async function useBrandKits(api: Api) {
  const site = await startHost(() => ({ headers: { "content-type": "text/html" }, body: "<title>Shop</title>" }));
  const kit = await api("brandKits.create", "name=Kit", 'colors=[{"role":"primary","hex":"#0a2540"}]');
  expect((await api("brandKits.list")).data[0].colors).toMatchObject([{ hex: "#0a2540" }]);
  await api("brandKits.extract", `url=${site.baseUrl}/`, "save=false");
  return kit;
}

describe("imprint api", () => {
  it("sends every operation of route set A", async () => {
    const { api, run, service, unasked } = await open("a");
    await api("pages.put", "slug=contact", "html=@page.html", "title=Contact", "status=published");
    expect((await api("pages.get", "slug=contact", "include=html")).html).toBe(CONTACT);
    expect((await api("pages.list", "q=contact")).data).toHaveLength(1);
    const site = await api("sites.create", "name=Shop", "homeSlug=contact");
    expect((await api("sites.patch", `siteId=${site.id}`, "homeSlug=null")).homeSlug).toBeNull();
    await api("sites.get", `siteId=${site.id}`);
    await api("sites.list");
    const asset = await api("assets.upload", "file=@logo.svg", "alt=Our logo");
    expect(asset).toMatchObject({ name: "logo.svg", alt: "Our logo" });
    await api("assets.patch", `assetId=${asset.id}`, "tags=logo");
    await api("assets.list", "q=logo");
    await api("assets.delete", `assetId=${asset.id}`, "force=true");
    const blog = await api("blogs.create", "name=Blog", "language=fr");
    expect(blog.language).toBe("fr");
    await api("posts.create", `blogId=${blog.id}`, "slug=first", "title=First", "html=<p>Hello");
    await api("posts.list", `blogId=${blog.id}`);
    await api("blogs.list");
    await useExtensions(api, blog);
    await submit(service, "contact", SENT);
    const [form] = (await api("forms.list")).data;
    expect(form.pageSlug).toBe("contact");
    const [submission] = (await api("submissions.list", "pageSlug=contact")).data;
    expect((await api("submissions.patch", `submissionId=${submission.submissionId}`, "read=true")).read).toBe(true);
    await api("submissions.delete", "pageSlug=contact", `submissionId=${submission.submissionId}`);
    await api("analytics.summary", "from=2026-08-01");
    await api("pages.analytics", "slug=contact");
    await api("domains.create", "domain=www.example.org", `siteId=${site.id}`);
    await api("domains.patch", "domain=www.example.org", "redirectTo=null");
    await api("domains.list");
    await api("domains.delete", "domain=www.example.org");
    const kit = await useBrandKits(api);
    await api("brandKits.get", `kitId=${kit.kitId}`);
    await api("brandKits.put", `kitId=${kit.kitId}`, "name=Our kit");
    await api("brandKits.delete", `kitId=${kit.kitId}`);
    await api("sites.delete", `siteId=${site.id}`, "pages=keep");
    await api("pages.put", "slug=other", "html=<p>Other", "title=Other");
    const { out } = await run("api", "pages.delete", "--field", "slug=other", "--json");
    expect(out).toBe("null\n");
    await api("pages.delete", "slug=contact");
    expect(unasked()).toEqual([]);
  });

  it("sends every operation of route set B", async () => {
    const { api, run, service, unasked } = await open("b");
    const files = await startHost(() => ({
      headers: { "content-type": "image/svg+xml" },
      body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    }));
    await api("pages.create", "slug=contact", "html=@page.html", "title=Contact");
    const page = await api("pages.put", "slug=contact", "html=@page.html", "title=Contact us");
    expect(page.title).toBe("Contact us");
    expect(await api("pages.raw", "slug=contact")).toBe(CONTACT);
    await api("pages.list");
    const site = await api("sites.create", "name=Shop");
    await api("sites.put", `id=${site.id}`, "name=Our shop");
    await api("sites.list");
    await api("assets.uploadImages", "file=@logo.svg");
    await api("assets.import", `url=${files.baseUrl}/far.svg`);
    expect((await api("assets.list")).data.length).toBeGreaterThan(0);
    const blog = await api("blogs.create", "name=Blog", "language=fr");
    expect(blog.language).toBe("fr");
    await api("posts.create", `id=${blog.id}`, "slug=first", "title=First", "markdown=Hello");
    await api("posts.list", `id=${blog.id}`);
    await useExtensions(api, blog);
    await submit(service, "contact", SENT);
    const [submission] = (await api("submissions.list", "id=contact")).data;
    expect((await api("submissions.patch", `submissionId=${submission.submissionId}`, "read=true")).read).toBe(true);
    await api("pages.analytics", "slug=contact");
    expect(await api("forms.export", "format=csv", "leadsOnly=true")).toContain("anna@example.org");
    await api("analytics.page", "id=contact");
    await api("analytics.heatmap", "slug=contact");
    await api("analytics.scrollDepth", "slug=contact", "device=mobile");
    const domain = await api("domains.create", "domain=www.example.org");
    await api("domains.list");
    await api("domains.delete", `id=${domain.id}`);
    await useBrandKits(api);
    await api("pages.delete", "slug=contact");
    // Both are for OAuth clients, so the service rejects these fields.
    for (const operation of ["oauth.authorize", "oauth.token"]) {
      expect((await run("api", operation, "--field", "grant_type=none")).error).toMatch(/\((?:400|401)\)/);
    }
    expect(unasked()).toEqual(["oauth.authorize", "oauth.token"]);
  });

  it.each([
    [["pages.publish"], 'no operation "pages.publish"'],
    [["pages.put", "--field", "slug=home"], "html"],
    [["pages.put", "--field", "html=x"], 'needs the field "slug"'],
    [["pages.put", "--field", "slug=home", "--field", "html=x", "--field", "draft=true"], 'has no field "draft"'],
    [["pages.list", "--field", "limit=many"], "limit"],
    [["pages.put", "--field", "slug=home", "--field", "html=@none.html"], "none.html can't be read"],
    [["assets.upload"], 'needs the field "file"'],
    [["keys.create", "--field", "name"], "--field accepts name=value"],
  ])("rejects %j before sending anything", async (argv, message) => {
    const { run } = await open("a");
    const { code, error } = await run("api", ...argv);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });

  it("lists all operations, without a service and in its help", async () => {
    const { run } = await open("a");
    const listed = (await run("api", "--json")).json();
    expect(listed).toHaveLength(Object.keys(OPERATIONS).length);
    expect((await run("api", "--help")).out).toMatch(
      / {2}pages\.put +PUT \/api\/pages\/:slug +PUT \/api\/pages\/:slug\n/,
    );
    expect((await run("api", "analytics.heatmap", "--field", "slug=x")).error).toContain(
      "Route set A has no analytics.heatmap",
    );
  });
});
