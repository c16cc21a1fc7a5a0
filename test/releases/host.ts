// An independent service with releases, built only from the table of requests, without code from src/.

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { Refusal } from "./refusal.ts";
import { readTar, unpack } from "./tar.ts";

export const API_KEY = "sk_live_8c1d5e9a70b24f36";

interface Page {
  readonly id: string;
  readonly title: string;
  readonly html: string;
  readonly version: number;
  readonly updatedAt: string;
  /** Set if somebody wrote it individually, outside of releases. */
  readonly byHand?: true;
}

interface ListedPage {
  readonly slug: string;
  readonly title: string;
  readonly hash: string;
}

interface Draft {
  readonly id: string;
  readonly siteId: string | null;
  readonly parent: string | null;
  readonly assets: readonly { readonly hash: string; readonly name: string; readonly contentType: string }[];
  readonly pages: Map<string, ListedPage>;
  readonly removes: Set<string>;
  state: "open" | "published";
  manifest: string | null;
  kept: readonly string[];
}

export interface ReleaseHost {
  readonly baseUrl: string;
  readonly requests: string[];
  /** What readers see, by slug. */
  readonly live: ReadonlyMap<string, Page>;
  readonly drafts: ReadonlyMap<string, Draft>;
  readonly files: ReadonlyMap<string, { readonly name: string; readonly bytes: Buffer }>;
  /** Called before every response. */
  before: (request: string) => void | Promise<void>;
  /** Called after a request was executed; returns whether the response gets lost. */
  after: (request: string) => "lose the answer" | undefined;
  /** Writes a page like a person or another program. */
  write(slug: string, html: string): void;
  /** Publishes another release of the site. */
  publishAnother(slug: string, html: string): void;
  /** Deletes content that no page uses. */
  loseContent(): void;
  /** Deletes everything that is not published. */
  expire(): void;
  close(): Promise<void>;
}

const hashOf = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

export interface ReleaseHostOptions {
  /** Rejects larger bodies, like a proxy. */
  readonly maxBodyBytes?: number;
}

export async function startReleaseHost(options: ReleaseHostOptions = {}): Promise<ReleaseHost> {
  const pages = new Map<string, Page>();
  const sites = new Map<string, Readonly<Record<string, unknown>>>();
  const assets = new Map<string, { id: string; name: string; contentType: string; hash: string }>();
  const content = new Map<string, Buffer>();
  const drafts = new Map<string, Draft>();
  const requests: string[] = [];
  let [count, live, clock]: [number, string | null, number] = [0, null, Date.UTC(2026, 0, 1)];
  const newId = (kind: string) => `${kind}_${++count}`;
  const now = () => new Date((clock += 1000)).toISOString();

  function put(slug: string, { title, html }: { title: string; html: string }, byHand: boolean): Page {
    const before = pages.get(slug);
    const page = { id: before?.id ?? newId("pg"), title, html, version: (before?.version ?? 0) + 1, updatedAt: now() };
    const stored = byHand ? { ...page, byHand: true as const } : page;
    pages.set(slug, stored);
    return stored;
  }

  function shown(slug: string, { html, ...page }: Page) {
    return {
      ...page,
      slug,
      siteId: null,
      contentHash: hashOf(html),
      createdAt: page.updatedAt,
      url: `/edit/${page.id}`,
    };
  }

  const urlOf = (asset: { id: string; name: string }) => `${baseUrl()}/files/${asset.id}/${asset.name}`;
  const shownAsset = (asset: { id: string; name: string; contentType: string; hash: string }) => ({
    ...asset,
    url: urlOf(asset),
    size: content.get(asset.hash)?.length ?? 0,
  });

  function missingOf({ assets: named, pages: listed }: Draft): readonly string[] {
    const wanted = [...named.map(({ hash }) => hash), ...[...listed.values()].map(({ hash }) => hash)];
    return [...new Set(wanted)].filter((hash) => !content.has(hash));
  }

  function findDraft(id: string, needs: "open" | "any" = "open"): Draft {
    const draft = drafts.get(id);
    if (draft === undefined) throw new Refusal(404, "release_not_found");
    if (needs === "open" && draft.state !== "open") throw new Refusal(409, "release_outdated");
    return draft;
  }

  const shownRelease = (draft: Draft) => ({
    ...{ id: draft.id, siteId: draft.siteId, preview: null, state: draft.state, live: draft.id === live },
    ...{ parent: draft.parent, manifest: draft.manifest, rollbackOf: null, author: null },
    ...{ pages: draft.pages.size, removes: draft.removes.size, kept: draft.kept },
    ...{ createdAt: now(), publishedAt: draft.state === "published" ? now() : null, expiresAt: null, settledAt: null },
  });

  function publish(draft: Draft): void {
    const kept: string[] = [];
    for (const [slug, { title, hash }] of draft.pages) {
      if (pages.get(slug)?.byHand === true) kept.push(slug);
      else put(slug, { title, html: content.get(hash)?.toString() ?? "" }, false);
    }
    for (const slug of draft.removes) {
      if (pages.get(slug)?.byHand === true) kept.push(slug);
      else pages.delete(slug);
    }
    for (const asset of draft.assets) {
      if (![...assets.values()].some(({ hash }) => hash === asset.hash)) throw new Refusal(500, "internal");
    }
    Object.assign(draft, { state: "published", kept });
    live = draft.id;
  }

  function open(body: { siteId: string | null; parent: string | null; assets: Draft["assets"] }): Draft {
    if (body.parent !== live) throw new Refusal(409, "release_outdated");
    const draft: Draft = {
      ...{ id: newId("rel"), siteId: body.siteId, parent: body.parent, assets: body.assets },
      ...{ pages: new Map(), removes: new Set(), state: "open", manifest: null, kept: [] },
    };
    drafts.set(draft.id, draft);
    for (const { hash, name, contentType } of body.assets) {
      const isKnown = [...assets.values()].some((asset) => asset.hash === hash);
      const id = newId("as");
      if (!isKnown) assets.set(id, { id, name, contentType, hash });
    }
    return draft;
  }

  // One row for each request of the table, and other requests of a run.
  const routes: Readonly<
    Record<string, (call: { id: string; query: URLSearchParams; body: Buffer; request: IncomingMessage }) => unknown>
  > = {
    "GET /api/account": () => ({
      ...{ id: "acc_1", name: "Halden", plan: "pro", routeSet: "a", pagesUrl: baseUrl(), limits: {} },
      usage: { pages: pages.size, sites: sites.size, assets: assets.size, blogs: 0, posts: 0, brandKits: 0 },
      capabilities: { "posts.update": false, "posts.delete": false, "assets.types": "any", releases: true },
    }),
    "GET /api/pages": ({ query }) => {
      const since = query.get("updatedSince") ?? "";
      return list([...pages].map(([slug, page]) => shown(slug, page)).filter(({ updatedAt }) => updatedAt >= since));
    },
    "GET /api/pages/:id": ({ id }) => {
      const page = pages.get(id);
      if (page === undefined) throw new Refusal(404, "page_not_found");
      return { ...shown(id, page), html: page.html };
    },
    "PUT /api/pages/:id": ({ id, body, request }) => {
      const match = request.headers["if-match"];
      if (match !== undefined && match !== `"v${pages.get(id)?.version}"`) throw new Refusal(412, "version_mismatch");
      return shown(id, put(id, JSON.parse(body.toString()), true));
    },
    "DELETE /api/pages/:id": ({ id }) => void pages.delete(id),
    "GET /api/sites": () => list([...sites.values()]),
    "POST /api/sites": ({ body }) => {
      const site = { ...JSON.parse(body.toString()), id: newId("st"), createdAt: now(), updatedAt: now(), version: 1 };
      sites.set(site.id, site);
      return site;
    },
    "PATCH /api/sites/:id": ({ id, body }) => {
      const site = { ...sites.get(id), ...JSON.parse(body.toString()) };
      sites.set(id, site);
      return site;
    },
    "GET /api/library": () => list([...assets.values()].map(shownAsset).toReversed()),
    "POST /api/library": async ({ body, request }) => {
      const headers = { "content-type": request.headers["content-type"] ?? "" };
      const file = (await new Response(new Uint8Array(body), { headers }).formData()).get("file");
      if (!(file instanceof File)) throw new Refusal(422, "invalid_body");
      const bytes = Buffer.from(await file.arrayBuffer());
      const asset = { id: newId("as"), name: file.name, contentType: file.type, hash: hashOf(bytes) };
      content.set(asset.hash, bytes);
      assets.set(asset.id, asset);
      return shownAsset(asset);
    },
    "POST /api/releases": ({ body }) => {
      const draft = open(JSON.parse(body.toString()));
      const named = draft.assets.map(({ hash }) => [...assets.values()].find((asset) => asset.hash === hash));
      return {
        ...{ id: draft.id, state: "open", maxBundleBytes: 8_388_608, expiresAt: now() },
        assets: named.flatMap((asset) =>
          asset === undefined
            ? []
            : [{ hash: asset.hash, id: asset.id, url: urlOf(asset), missing: !content.has(asset.hash) }],
        ),
      };
    },
    "PUT /api/releases/:id/pages": ({ id, body }) => {
      const draft = findDraft(id);
      const { pages: listed, removes } = JSON.parse(body.toString());
      for (const page of listed) draft.pages.set(page.slug, page);
      for (const { slug } of removes) draft.removes.add(slug);
      return { missing: missingOf(draft), collisions: [] };
    },
    "PUT /api/releases/:id/content": ({ id, body, request }) => {
      const draft = findDraft(id);
      const refused: { name: string; detail: string }[] = [];
      let stored = 0;
      for (const { name, bytes } of readTar(unpack(body, request.headers["content-encoding"]))) {
        if (hashOf(bytes) !== name) refused.push({ name, detail: "its hash does not match" });
        else stored += content.set(name, Buffer.from(bytes)) === content ? 1 : 0;
      }
      return { stored, missing: missingOf(draft), refused };
    },
    "POST /api/releases/:id/publish": ({ id, body, request }) => {
      const draft = findDraft(id, "any");
      if (draft.state === "published") return shownRelease(draft);
      const match = request.headers["if-match"];
      if (draft.parent !== live || match !== (live === null ? undefined : `"${live}"`)) {
        throw new Refusal(409, "release_outdated");
      }
      if (missingOf(draft).length > 0) throw new Refusal(409, "release_incomplete");
      draft.manifest = JSON.parse(body.toString()).manifest;
      publish(draft);
      return shownRelease(draft);
    },
    "GET /api/releases": ({ query }) => {
      const all = [...drafts.values()].toReversed().filter(({ siteId }) => siteId === (query.get("siteId") ?? siteId));
      return list(all.map(shownRelease).filter((release) => query.get("live") !== "true" || release.live));
    },
    "GET /api/releases/:id": ({ id }) => shownRelease(findDraft(id, "any")),
  };

  function showFile(id: string, response: ServerResponse): void {
    const asset = assets.get(id);
    const bytes = asset && content.get(asset.hash);
    const headers = { "content-type": asset?.contentType, "access-control-allow-origin": "*" };
    response.writeHead(bytes === undefined ? 404 : 200, bytes === undefined ? {} : headers);
    response.end(bytes);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://host");
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    const [, , kind = "", id = "", action] = pathname.split("/");
    const path = [`/api/${kind}`, ...(id === "" ? [] : [":id"]), ...(action === undefined ? [] : [action])].join("/");
    const name = `${request.method} ${path}`;
    try {
      requests.push(name);
      await host.before(name);
      if (pathname.startsWith("/p/")) return void response.end(pages.get(decodeURIComponent(id || kind))?.html);
      if (pathname.startsWith("/files/")) return showFile(kind, response);
      if (body.length > (options.maxBodyBytes ?? Infinity)) throw new Refusal(413, "body_too_large");
      if (request.headers.authorization !== `Bearer ${API_KEY}`) throw new Refusal(401, "invalid_token");
      const route = routes[name];
      if (route === undefined) throw new Refusal(404, "no_such_route");
      const json = await route({ id: decodeURIComponent(id), query, body, request });
      if (host.after(name) !== undefined) return void request.socket.destroy();
      response.writeHead(json === undefined ? 204 : 200, { "content-type": "application/json" });
      response.end(json === undefined ? undefined : JSON.stringify(json));
    } catch (error) {
      const { status, code } = error instanceof Refusal ? error : { status: 500, code: String(error) };
      response.writeHead(status, { "content-type": "application/problem+json" });
      response.end(JSON.stringify({ type: "about:blank", title: code, status, code }));
    }
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  function baseUrl(): string {
    const address = server.address();
    return typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
  }

  const host: ReleaseHost = {
    baseUrl: baseUrl(),
    requests,
    live: pages,
    drafts,
    get files() {
      return new Map(
        [...assets.values()].map(({ id, name, hash }) => [id, { name, bytes: content.get(hash) ?? Buffer.of() }]),
      );
    },
    before: () => {},
    after: () => undefined,
    write: (slug, html) => void put(slug, { title: slug, html }, true),
    publishAnother(slug, html) {
      const siteId = [...sites.keys()][0] ?? null;
      const draft = open({ siteId, parent: live, assets: [] });
      content.set(hashOf(html), Buffer.from(html));
      draft.pages.set(slug, { slug, title: slug, hash: hashOf(html) });
      publish(draft);
    },
    loseContent() {
      const used = new Set([...pages.values()].map(({ html }) => hashOf(html)));
      for (const { hash } of assets.values()) used.add(hash);
      for (const hash of content.keys()) if (!used.has(hash)) content.delete(hash);
    },
    expire() {
      for (const [id, { state }] of drafts) if (state === "open") drafts.delete(id);
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
  return host;
}

function list(data: readonly unknown[]) {
  return { data, nextCursor: null };
}
