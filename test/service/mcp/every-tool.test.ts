import { describe, expect, it } from "vitest";
import { listOf } from "../../../src/contract/route.ts";
import { createTools } from "../../../src/service/mcp/tools.ts";
import { startHost } from "../../client/host.ts";
import { startDnsServer } from "../domains/dns-server.ts";
import { openRunningService } from "../open-service.ts";
import { releaseClientOf } from "../releases/publisher.ts";
import { send, leave, view } from "../visitors/beacon.ts";
import { CONTACT, submit } from "../visitors/visiting.ts";
import { connectV1, connectV2 } from "./connect.ts";

type Given = Readonly<Record<string, unknown>>;

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4" fill="#a63d1f"/></svg>`;
const HOME = `<title>Nordlicht</title><meta name="theme-color" content="#a63d1f"><h1>Lamps</h1>`;

async function open() {
  const dns = await startDnsServer();
  const service = await openRunningService({
    allowNetworks: ["127.0.0.0/8"],
    domains: { dnsServers: [dns.address] },
  });
  const host = await startHost(({ path }) =>
    path === "/mark.svg"
      ? { headers: { "content-type": "image/svg+xml" }, body: SVG }
      : { headers: { "content-type": "text/html" }, body: HOME },
  );
  return { service, address: host.baseUrl };
}

const connections = { "SDK v1": connectV1, "SDK v2": connectV2 } as const;

/** Each response is the operation's record in the contract, without the text that was just sent. */
function checkAnswer(name: string, answer: unknown): void {
  const tool = createTools().find((each) => each.name === name);
  const shapes = Object.values(tool?.contract.answers ?? {});
  const schemas = shapes.flatMap((shape) => {
    if (shape.kind === "record") return [shape.record.full];
    if (shape.kind === "list") return [listOf(shape.record.full)];
    return shape.kind === "json" ? [shape.schema] : [];
  });
  const fits = schemas.length === 0 || schemas.some((schema) => schema.safeParse(answer).success);
  expect([name, fits, fits ? undefined : answer]).toEqual([name, true, undefined]);
}

describe.each(Object.entries(connections))("every tool, called by a client of %s", (_, connect) => {
  it("performs its operation and responds as in its schema", async () => {
    const { service, address } = await open();
    const client = await connect(service);
    await client.listTools();
    const called = new Set<string>();

    async function call(name: string, given: Given = {}): Promise<Given> {
      called.add(name);
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: given });
      expect({ name, isError: isError ?? false, content: isError === true ? content : [] }).toEqual({
        ...{ name, isError: false, content: [] },
      });
      checkAnswer(name, structuredContent);
      return Object(structuredContent);
    }

    const kit = await call("brand_kits_create", { name: "Kit", colors: [{ role: "primary", hex: "#a63d1f" }] });
    await call("brand_kits_put", { kitId: kit["id"], name: "Kit 2", ifVersion: kit["version"] });
    expect(await call("brand_kits_list")).toMatchObject({ data: [{ name: "Kit 2", colors: [] }] });
    expect(await call("brand_kits_extract", { url: address, save: false })).toMatchObject({ name: "Nordlicht" });

    const site = await call("sites_create", { name: "Site", slug: "site", brandKitId: kit["id"] });
    const siteId = site["id"];
    expect(await call("sites_patch", { siteId, homeSlug: "contact" })).toMatchObject({ homeSlug: "contact" });
    expect(await call("sites_list")).toMatchObject({ data: [{ id: siteId }] });

    const page = await call("pages_put", { slug: "contact", html: CONTACT, siteId });
    expect(await call("pages_list", { siteId, q: "cont" })).toMatchObject({ data: [{ slug: "contact" }] });
    expect(await call("pages_get", { slug: "contact", include: "html" })).toMatchObject({ html: CONTACT });

    expect(await call("pages_patch", { slug: "contact", title: "Contact us" })).toMatchObject({ title: "Contact us" });

    await call("pages_edit", { slug: "contact", edits: [{ find: "</form>", replace: "</form><!-- 1 -->" }] });
    await call("assets_upload", { name: "dot.svg", data: Buffer.from(SVG.replace("4", "5")).toString("base64") });

    const asset = await call("assets_import", { url: `${address}/mark.svg`, alt: "A mark" });
    const assetId = asset["id"];
    expect(await call("assets_patch", { assetId, tags: ["mark"] })).toMatchObject({ tags: ["mark"] });
    expect(await call("assets_list", { type: "image", q: "mark" })).toMatchObject({ data: [{ id: assetId }] });

    await call("blogs_create", { name: "Journal", slug: "journal" });
    expect(await call("blogs_list")).toMatchObject({ data: [{ slug: "journal" }] });
    await call("posts_create", { blogId: "journal", slug: "one", title: "One", markdown: "# One" });
    await call("posts_patch", { blogId: "journal", slug: "one", title: "First", ifVersion: 1 });
    const link = await call("preview_links_create", { blogId: "journal", slug: "one", expiresInDays: 1 });
    expect(link).toMatchObject({ url: expect.stringContaining("/_preview/pv_") });
    expect(await call("posts_list", { blogId: "journal", include: "content" })).toMatchObject({
      data: [{ title: "First", markdown: "# One" }],
    });

    const pageId = String(page["id"]);
    await send(service, view(pageId));
    await send(service, leave(pageId, { c: [[500, 100, "a"]] }));
    await submit(service, "contact", { fields: { name: "Anna", email: "anna@example.org" } });
    expect(await call("analytics_summary")).toMatchObject({ totals: { views: 1, visitors: 1, submissions: 1 } });
    expect(await call("analytics_page", { page: "contact", interval: "day" })).toMatchObject({ totals: { views: 1 } });
    expect(await call("analytics_visits", { page: "contact" })).toMatchObject({ totals: { visits: 1 } });
    expect(await call("analytics_heatmap", { slug: "contact" })).toMatchObject({ points: [{ count: 1 }] });
    expect(await call("analytics_scroll_depth", { slug: "contact" })).toMatchObject({ views: 1 });
    expect(await call("forms_list", { pageSlug: "contact" })).toMatchObject({ data: [{ submissionCount: 1 }] });
    const submissions = await call("submissions_list", { pageSlug: "contact", limit: 5 });
    expect(submissions).toMatchObject({ data: [{ fields: { name: "Anna" } }] });
    const [submission]: readonly Given[] = Array.isArray(submissions["data"]) ? submissions["data"] : [];
    const { submissionId } = { ...submission };
    expect(await call("submissions_patch", { submissionId, read: true })).toMatchObject({ submissionId, read: true });
    await call("submissions_delete", { pageSlug: "contact", submissionId: submission?.["submissionId"] });

    await call("domains_create", { domain: "www.example.org", siteId });
    expect(await call("domains_patch", { domain: "www.example.org", verify: true })).toMatchObject({
      domain: "www.example.org",
    });
    expect(await call("domains_list")).toMatchObject({ data: [{ domain: "www.example.org" }] });

    await call("domains_delete", { domain: "www.example.org" });
    await call("posts_delete", { blogId: "journal", slug: "one" });
    await call("assets_delete", { assetId });
    await call("pages_delete", { slug: "contact" });
    const { body: first } = await releaseClientOf(service).publish({ home: HOME });
    await releaseClientOf(service).publish({}, { parent: String(first["id"]), removes: ["home"] });
    expect(await call("releases_rollback", { id: first["id"] })).toMatchObject({ rollbackOf: first["id"], pages: 1 });
    expect(await call("releases_list", { live: true })).toMatchObject({ data: [{ rollbackOf: first["id"] }] });
    await call("sites_delete", { siteId });
    await call("brand_kits_delete", { kitId: kit["id"] });
    expect(createTools().filter(({ name }) => !called.has(name))).toEqual([]);
  });
});
