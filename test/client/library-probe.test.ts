import { describe, expect, it, onTestFinished } from "vitest";
import { connect, type RequestEvent } from "../../src/client.ts";
import { PROBE_FILES, probeLibrary } from "../../src/client/library-probe.ts";
import type { RouteSetName } from "../../src/contract/route.ts";
import { startService } from "../../src/service.ts";
import { closePages, openBrowser } from "../browser.ts";
import { passOn, startProxy } from "../faults/proxy.ts";
import { testClient } from "./clients.ts";
import { startHost } from "./host.ts";

interface World {
  readonly routeSet: RouteSetName;
  readonly strict: boolean;
  readonly libraryHeaders: "typed" | "opaque";
}

const worlds = (["a", "b"] as const).flatMap((routeSet) =>
  [true, false].flatMap((strict) =>
    (["typed", "opaque"] as const).map((libraryHeaders) => ({ routeSet, strict, libraryHeaders })),
  ),
);

async function open({ routeSet, strict, libraryHeaders }: World) {
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0, strict, quirks: { libraryHeaders } });
  onTestFinished(() => service.close());
  async function connectTo(set: RouteSetName) {
    const api = await connect({ baseUrl: service.baseUrl(set), apiKey: service.apiKey });
    onTestFinished(() => api.close());
    return api;
  }
  return { service, connectTo, api: await connectTo(routeSet) };
}

const FOUND = {
  "a typed": { images: "served", drawings: "served", scripts: "served", styles: "served", fonts: "served" },
  "a opaque": { images: "served", drawings: "unusable", scripts: "unusable", styles: "unusable", fonts: "unusable" },
  "b typed": { images: "served", drawings: "served", scripts: "refused", styles: "refused", fonts: "refused" },
  "b opaque": { images: "served", drawings: "unusable", scripts: "refused", styles: "refused", fonts: "refused" },
} as const;

describe.each(worlds)("a library of route set $routeSet, strict: $strict, $libraryHeaders", (world) => {
  const { routeSet, libraryHeaders } = world;

  it("gets the correct findings", async () => {
    const { api } = await open(world);
    const { findings } = await probeLibrary(api);
    const kinds = Object.fromEntries(Object.entries(findings).map(([name, { kind }]) => [name, kind]));
    const files = routeSet === "a" ? "served" : "refused";
    expect(kinds).toEqual({ ...FOUND[`${routeSet} ${libraryHeaders}`], files });
  });

  it("contains no probe files afterwards if it can delete, and each file once otherwise", async () => {
    const { api } = await open(world);
    const first = await probeLibrary(api);
    const { items } = await api.assets.list();
    expect(await probeLibrary(api)).toEqual(first);
    expect((await api.assets.list()).items).toEqual(items);
    const { images, drawings } = PROBE_FILES;
    expect(first.left).toEqual(routeSet === "a" ? [] : [images.name, drawings.name]);
    expect(items.map(({ name }) => name).toSorted()).toEqual([...first.left].toSorted());
    expect(api.capabilities.operations.has("audit.list") ? await api.audit.list({ limit: 10 }) : []).toEqual([]);
  });
});

describe("probeLibrary", () => {
  it("doesn't conclude from uploads in route set A what route set B accepts", async () => {
    const { api, connectTo } = await open({ routeSet: "a", strict: true, libraryHeaders: "typed" });
    await probeLibrary(api);
    const { scripts, files } = (await probeLibrary(await connectTo("b"))).findings;
    expect([scripts.kind, files.kind]).toEqual(["refused", "refused"]);
  });

  it("throws errors that prevent every upload", async () => {
    const { api, service } = await open({ routeSet: "a", strict: false, libraryHeaders: "typed" });
    await service.close();
    await expect(probeLibrary(api)).rejects.toMatchObject({ code: "SERVICE_UNREACHABLE" });
  });

  it("doesn't interpret a 413 as a rejected file type, because every probe file is tiny", async () => {
    const { service } = await open({ routeSet: "a", strict: false, libraryHeaders: "typed" });
    const proxy = await startProxy(service.baseUrl("a"));
    onTestFinished(() => proxy.close());
    const api = await connect({ baseUrl: proxy.url, apiKey: service.apiKey });
    onTestFinished(() => api.close());
    let uploads = 0;
    proxy.meddle(({ method, answer }) => {
      if (method !== "POST" || ++uploads !== 4) return undefined;
      answer.writeHead(413).end();
      return Promise.resolve();
    });
    await expect(probeLibrary(api)).rejects.toMatchObject({ code: "SERVICE_REFUSED" });
  });

  it("learns the part's name once, and reports rejected types with the library's message", async () => {
    const { baseUrl, received } = await startHost(async ({ method, path, headers, body }) => {
      if (method === "GET" && path.startsWith("/f/"))
        return { body: "compressed", headers: { "content-type": "image/png" } };
      if (method !== "POST") return { body: [] };
      const type = headers["content-type"] ?? "";
      const file = (await new Response(body, { headers: { "content-type": type } }).formData()).get("image");
      if (!(file instanceof File)) return { status: 400, body: { error: "Missing part image" } };
      return file.type === "image/png"
        ? { status: 201, body: { id: 1, url: "/f/1" } }
        : { status: 422, body: { error: `We don't take ${file.type}` } };
    });
    const { findings, left } = await probeLibrary(testClient({ baseUrl }));
    expect(findings.images.kind).toBe("served");
    expect(findings.drawings).toEqual({
      kind: "refused",
      why: 'the library refuses them (422 "We don\'t take image/svg+xml")',
      status: 422,
    });
    expect(left).toEqual([]);
    expect(received.filter(({ method }) => method === "POST")).toHaveLength(7);
    expect(received.filter(({ method }) => method === "DELETE")).toHaveLength(1);
  });

  it.each([400, 403, 404, 415, 422])("finds that a library rejects everything with %i", async (status) => {
    const { baseUrl, received } = await startHost(({ path }) =>
      path === "/api/pages" ? { body: [] } : { status, body: { error: "Files of this type can't be uploaded" } },
    );
    const { findings, left } = await probeLibrary(testClient({ baseUrl }));
    expect(Object.values(findings).map(({ kind }) => kind)).toEqual(Array(6).fill("refused"));
    expect(findings.images.why).toContain(`${status} "Files of this type can't be uploaded"`);
    expect(left).toEqual([]);
    expect(received.length).toBeLessThan(12);
  });

  it("reports what it couldn't delete, and uses new idempotency keys each time", async () => {
    const { baseUrl, received } = await startHost(({ method }) => {
      if (method === "POST") return { status: 201, body: { id: 1, url: "/f/1" } };
      return method === "DELETE" ? { status: 405 } : { body: [] };
    });
    const api = testClient({ baseUrl });
    expect((await probeLibrary(api)).left).toHaveLength(6);
    await probeLibrary(api);
    const keys = received.filter(({ method }) => method === "POST").map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(12);
  });

  it("stops when it is interrupted", async () => {
    const { api } = await open({ routeSet: "a", strict: false, libraryHeaders: "typed" });
    await expect(probeLibrary(api, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("completes the uploads in progress when it is interrupted", async () => {
    const { service } = await open({ routeSet: "a", strict: false, libraryHeaders: "typed" });
    const proxy = await startProxy(service.baseUrl("a"));
    onTestFinished(() => proxy.close());
    const controller = new AbortController();
    const { signal } = controller;
    const events: RequestEvent[] = [];
    const onRequest = (event: RequestEvent) => void events.push(event);
    const api = await connect({ baseUrl: proxy.url, apiKey: service.apiKey, stop: signal, onRequest });
    proxy.meddle(({ method, answer, forward }) => {
      if (method !== "POST") return undefined;
      controller.abort();
      return forward().then((answerOfService) => passOn(answer, answerOfService));
    });
    await expect(probeLibrary(api, { signal })).rejects.toMatchObject({ code: "ABORTED" });
    await api.close();
    const uploads = events.filter(({ method }) => method === "POST");
    expect(uploads.length).toBeGreaterThan(0);
    expect(uploads.map(({ status }) => status)).toEqual(uploads.map(() => 201));
  });

  it("sends a font that browsers can load", async () => {
    const browser = await openBrowser();
    onTestFinished(() => closePages(browser));
    const page = await browser.newPage();
    const address = `data:font/woff2;base64,${Buffer.from(PROBE_FILES.fonts.bytes).toString("base64")}`;
    const status = await page.evaluate(`new FontFace("Probe", "url(${address})").load().then(({ status }) => status)`);
    expect(status).toBe("loaded");
  });
});
