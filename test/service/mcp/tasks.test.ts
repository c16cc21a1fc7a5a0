import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { clientOf, openRunningService, visit } from "../open-service.ts";
import { submit } from "../visitors/visiting.ts";
import { post } from "./connect.ts";

type Given = Readonly<Record<string, unknown>>;

// The calls of an agent for a task, as a script, and their cost: the bytes of the messages in both directions. The limits
// are what a model can reasonably read for such a task.

interface Cost {
  readonly task: string;
  readonly calls: number;
  readonly bytes: number;
}

const costs: Cost[] = [];

afterAll(() =>
  console.log(costs.map(({ task, calls, bytes }) => `${task}: ${calls} calls, ${bytes} bytes`).join("\n")),
);

async function openTask(task: string) {
  const service = await openRunningService();
  let [calls, bytes] = [0, 0];

  async function ask(method: string, params: object): Promise<Given> {
    const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await post({ url: service.url, apiKey: service.apiKey }, message);
    const text = await response.text();
    calls += 1;
    bytes += message.length + Buffer.byteLength(text);
    const { result } = JSON.parse(text.startsWith("{") ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? "{}"));
    return result;
  }

  return {
    service,
    send: clientOf(service, { routeSet: "a" }),
    ask,
    async call(name: string, given: Given = {}): Promise<Given> {
      const { isError, structuredContent, content } = await ask("tools/call", { name, arguments: given });
      expect([name, isError ?? false, isError === true ? content : []]).toEqual([name, false, []]);
      return Object(structuredContent);
    },
    cost(): Cost {
      const cost = { task, calls, bytes };
      costs.push(cost);
      return cost;
    },
  };
}

const LARGE = `<!doctype html><title>Handbook</title>${"<p>Lamps are checked before they are sent.</p>".repeat(3_200)}<p>We open at 10 am.</p>`;

describe("an agent's task", () => {
  it("starts with a list of tools that is smaller than 20 KB", async () => {
    const { ask, cost } = await openTask("list the tools");
    const { tools } = await ask("tools/list", {});
    expect(tools).toHaveLength(42);
    expect(cost().bytes).toBeLessThan(20_000);
  });

  it("changes one word in a page of 150 KB with two small calls", async () => {
    const { send, service, call, cost } = await openTask("change one word in a page of 150 KB");
    await send("PUT", "/api/pages/handbook", { json: { html: LARGE } });
    expect(LARGE.length).toBeGreaterThan(147_000);
    const found = await call("pages_get", { slug: "handbook", find: "10 am" });
    expect(found).toMatchObject({
      count: 1,
      version: 1,
      places: [{ text: expect.stringContaining("We open at 10 am.") }],
    });
    const edits = [{ find: "We open at 10 am.", replace: "We open at 9 am." }];
    expect(await call("pages_edit", { slug: "handbook", edits, ifVersion: 1 })).toMatchObject({ version: 2 });
    expect(await (await visit(service, "/p/handbook")).text()).toContain("We open at 9 am.");
    const { calls, bytes } = cost();
    expect(calls).toBe(2);
    expect(bytes).toBeLessThan(4_000);
  });

  it("hides a page with one call", async () => {
    const { send, service, call, cost } = await openTask("unpublish a page of 150 KB");
    await send("PUT", "/api/pages/handbook", { json: { html: LARGE } });
    await call("pages_patch", { slug: "handbook", status: "draft" });
    expect((await visit(service, "/p/handbook")).status).toBe(404);
    const { calls, bytes } = cost();
    expect(calls).toBe(1);
    expect(bytes).toBeLessThan(2_500);
  });

  it("publishes a page with an image that the agent created", async () => {
    const { service, call, cost } = await openTask("publish a page with an image");
    const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#2a6f97" } })
      .png()
      .toBuffer();
    const given = { name: "harbor.png", data: image.toString("base64"), alt: "The harbor" };
    const asset = await call("assets_upload", given);
    expect(asset).toMatchObject({ name: "harbor.png", contentType: "image/png", width: 64, alt: "The harbor" });
    const html = `<!doctype html><title>Harbor</title><h1>Harbor</h1><img src="${String(asset["url"])}" alt="The harbor">`;
    await call("pages_put", { slug: "harbor", html });
    expect(await (await visit(service, "/p/harbor")).text()).toContain(String(asset["url"]));
    const stored = await service.fetch(new Request(String(asset["url"])));
    expect(Buffer.from(await stored.arrayBuffer()).equals(image)).toBe(true);
    const { calls, bytes } = cost();
    expect(calls).toBe(2);
    expect(bytes).toBeLessThan(5_000);
  });

  it("reports the pages' analytics", async () => {
    const { send, service, call, cost } = await openTask("report on ten pages");
    for (let index = 0; index < 10; index++) {
      const html = `<title>Page ${index}</title><form method="post"><input name="email"></form>`;
      await send("PUT", `/api/pages/page-${index}`, { json: { html } });
    }
    await submit(service, "page-3", { fields: { email: "ada@example.org" } });
    expect(await call("analytics_summary")).toMatchObject({ totals: { submissions: 1 } });
    expect(await call("forms_list", { pageSlug: "page-3" })).toMatchObject({ data: [{ submissionCount: 1 }] });
    const { calls, bytes } = cost();
    expect(calls).toBe(2);
    expect(bytes).toBeLessThan(8_000);
  });
});

describe("a file from a model", () => {
  it.each([
    ["nothing", {}, "/data"],
    ["text that isn't base64", { data: "<svg>" }, "/data"],
  ])("is rejected if it sends %s", async (_, given, pointer) => {
    const { ask } = await openTask("refused");
    const { isError, content } = await ask("tools/call", { name: "assets_upload", arguments: { name: "a", ...given } });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain(pointer);
  });

  it("is stored once, even if sent as a data address", async () => {
    const { call } = await openTask("twice");
    const data = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString("base64");
    const first = await call("assets_upload", { name: "a.svg", data });
    const second = await call("assets_upload", { name: "b.svg", data: `data:image/svg+xml;base64,${data}` });
    expect(second["id"]).toBe(first["id"]);
  });
});

describe("prompts", () => {
  it("exist for publishing and for reporting", async () => {
    const { ask } = await openTask("prompts");
    const { prompts } = await ask("prompts/list", {});
    expect(prompts).toMatchObject([
      { name: "publish", title: "Publish this", arguments: [{ name: "content" }, { name: "slug" }] },
      { name: "report", title: "How did my pages do?", arguments: [{ name: "days" }] },
    ]);
    const publish = await ask("prompts/get", { name: "publish", arguments: { content: "our menu", slug: "menu" } });
    expect(JSON.stringify(publish)).toMatch(/our menu.*slug \\"menu\\".*pages_put/);
    const report = await ask("prompts/get", { name: "report", arguments: {} });
    expect(JSON.stringify(report)).toMatch(/last 30 days.*analytics_summary/);
  });
});
