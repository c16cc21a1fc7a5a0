import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/client.ts";
import { parseOptions, publish } from "../../src/publish.ts";
import { startProxy } from "../faults/proxy.ts";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite } from "./temporary-site.ts";

const NAME = "Halden Press";

it.each([
  { request: "POST /api/sites", strict: false, fault: "cut off" },
  { request: "POST /api/sites", strict: false, fault: "answered 500" },
  { request: "POST /api/brand-kits", strict: false, fault: "cut off" },
  { request: "POST /api/brand-kits", strict: true, fault: "cut off" },
  { request: "PATCH /api/sites", strict: true, fault: "cut off" },
])(
  "creates no duplicate if $request was $fault, strict: $strict, and doesn't touch records with the same name",
  async (row) => {
    const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: row.strict })];
    const proxy = await startProxy(host.baseUrl);
    onTestFinished(() => proxy.close());
    const api = await connect(host);
    onTestFinished(() => api.close());
    const others = [await api.brandKits.create({ name: NAME }), await api.sites.create({ name: NAME, slug: "other" })];
    const run = () =>
      publish({
        ...{ projectRoot: site.root, dist: site.dist, options: parseOptions({ site: { name: NAME } }) },
        target: { ...host, baseUrl: proxy.url, routeSet: "auto", identity: proxy.url, close: async () => {} },
      });
    const spoil = (answer: ServerResponse) => {
      if (row.fault === "cut off") answer.socket?.destroy();
      else answer.writeHead(500).end();
    };
    proxy.meddle(({ method, path, answer, forward }) =>
      `${method} ${path}`.startsWith(row.request) ? forward().then(() => spoil(answer)) : undefined,
    );
    // A run continues without a site that couldn't be created.
    if (row.fault === "cut off") await expect(run()).rejects.toThrow("broke during");
    else expect((await run()).entries.find(({ resource }) => resource === "site")?.error?.code).toBe("SERVICE_FAILED");
    proxy.meddle(() => undefined);
    await run();
    const all = [...(await api.sites.list()).items, ...(await api.brandKits.list()).items].map(({ id }) => id);
    const own = all.filter((id) => others.every((other) => other.id !== id));
    expect(own).toHaveLength(2);
    const lock = await readFile(join(site.root, "imprint.lock.json"), "utf8");
    expect(own.filter((id) => !lock.includes(`"${id}"`))).toEqual([]);
  },
);

it.each(["before", "after"])(
  "route set B: creates the blog once, and posts to it, if the connection dropped %s its creation",
  async (moment) => {
    const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "b", strict: false })];
    const proxy = await startProxy(host.baseUrl);
    onTestFinished(() => proxy.close());
    const run = () =>
      publish({
        ...{ projectRoot: site.root, dist: site.dist, options: parseOptions({ posts: { blog: { create: true } } }) },
        target: { ...host, baseUrl: proxy.url, routeSet: "auto", identity: proxy.url, close: async () => {} },
      });
    proxy.meddle(({ method, path, answer, forward }) => {
      if (`${method} ${path}` !== "POST /api/blogs") return undefined;
      const done = moment === "after" ? forward() : Promise.resolve();
      return done.then(() => void answer.socket?.destroy());
    });
    await expect(run()).rejects.toThrow("broke during POST /api/blogs");
    proxy.meddle(() => undefined);
    expect(await run()).toMatchObject({ exitCode: 0, counts: { blog: { blocked: 0 }, post: { create: 2 } } });
    const api = await connect({ ...host, baseUrl: host.baseUrl.replace(/b$/, "a") });
    onTestFinished(() => api.close());
    const { items: blogs } = await api.blogs.list();
    expect(blogs.map(({ slug }) => slug)).toEqual(["blog"]);
    expect((await api.posts.list("blog")).items).toHaveLength(2);
  },
);
