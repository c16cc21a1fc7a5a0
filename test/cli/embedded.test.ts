import { createHash } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { htmlPage } from "../flow/temporary-site.ts";
import { openProject, serve, serveAsConfigured } from "./embedded-project.ts";

/** Everything that a page loads, and what its stylesheets load, with the status of each. */
async function loadAll(address: string): Promise<ReadonlyMap<string, number>> {
  const loaded = new Map<string, number>();
  const html = await (await fetch(address)).text();
  const wanted = [...html.matchAll(/(?:\b(?:src|href|content)=["']|url\(["']?)([^"')\s]*\/library\/[^"')\s]+)/g)];
  const queue = wanted.map(([, found = ""]) => new URL(found, address).href);
  for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
    if (loaded.has(url)) continue;
    const answer = await fetch(url).catch(() => undefined);
    loaded.set(url, answer?.status ?? 0);
    if (answer?.headers.get("Content-Type")?.startsWith("text/css") !== true) continue;
    for (const [, inner = ""] of (await answer.text()).matchAll(/url\(["']?([^"')]+)/g)) {
      queue.push(new URL(inner, url).href);
    }
  }
  return loaded;
}

const changesOf = (report: { entries: { resource: string; kind: string; name: string; reason: string }[] }) =>
  report.entries
    .filter(({ kind }) => kind !== "keep")
    .map(({ resource, kind, name, reason }) => `${kind} ${resource} ${name}: ${reason}`);

describe("content published to the embedded service", () => {
  it("loads all its files, whatever ports it is served on", async () => {
    const { site, publish } = await openProject();
    await publish();
    for (const slug of ["p/index", "p/shared", "blog/blog/ink"]) {
      const first = await serve(site);
      const loaded = await loadAll(`${first.pages}/${slug}`);
      expect(loaded.size).toBeGreaterThan(1);
      expect([...loaded].filter(([url, status]) => status !== 200 || !url.startsWith(first.pages))).toEqual([]);
      await first.close();
    }
  });

  it("has its current address in canonical links and in its policy", async () => {
    const { site, publish } = await openProject();
    await publish();
    const { pages } = await serve(site);
    const html = await (await fetch(`${pages}/p/shared`)).text();
    expect(html).toContain(`<link rel="canonical" href="${pages}/p/shared">`);
    expect(html).toContain(`<meta property="og:image" content="${pages}/library/as_`);
    const [, policy = ""] = /Content-Security-Policy" content="([^"]+)/.exec(html) ?? [];
    const [, style = ""] = /<style>(h1[^<]+)/.exec(html) ?? [];
    expect(style).toContain(`url(${pages}/library/as_`);
    expect(policy).toContain(`img-src ${pages}`);
    expect(policy).toContain(createHash("sha256").update(style).digest("base64"));
    expect(html).not.toContain("http://127.0.0.1:4401");
  });

  it("isn't cached by browsers with the address of another port", async () => {
    const { site, publish } = await openProject();
    await publish();
    const readTag = async () => {
      const { pages, close } = await serve(site);
      const answer = await fetch(`${pages}/p/index`);
      const again = await fetch(`${pages}/p/index`, { headers: { "If-None-Match": answer.headers.get("ETag") ?? "" } });
      await close();
      expect([answer.status, again.status]).toEqual([200, 304]);
      return answer.headers.get("ETag");
    };
    expect(await readTag()).not.toBe(await readTag());
  });

  it("isn't published again because its ports changed", async () => {
    const { site, publish } = await openProject();
    await publish();
    const first = await serve(site);
    await site.write("dist/new/index.html", htmlPage("New", `<img src="/extra.svg" alt="">`));
    await site.write("dist/extra.svg", `<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1"/></svg>`);
    expect(changesOf(await publish())).toEqual([
      "create asset extra.svg: the library does not have it",
      "create page new: the service has no such page",
    ]);
    await first.close();
    const second = await serve(site);
    expect(changesOf(await publish())).toEqual([]);
    await site.remove(".imprint/memory.sqlite");
    expect(changesOf(await publish())).toEqual([]);
    expect(new Set((await loadAll(`${second.pages}/p/new`)).values())).toEqual(new Set([200]));
  });

  it("is returned by the API byte for byte as it was sent", async () => {
    const { site, publish } = await openProject();
    await publish();
    const raw: string[] = [];
    for (const _ of [1, 2]) {
      const { api, close } = await serve(site);
      const { apiKey } = JSON.parse(await readFile(join(site.root, ".imprint/service.json"), "utf8"));
      const answer = await fetch(`${api}/a/api/pages/index?include=html`, {
        headers: { Authorization: `Bearer ${apiKey}` },
      });
      raw.push(JSON.stringify(await answer.json()));
      await close();
    }
    expect(raw[0]).toContain("/library/as_");
    const htmlOf = (text: string | undefined) =>
      JSON.stringify(JSON.parse(text ?? "{}")).match(/"html":".*?[^\\]"/)?.[0];
    expect(htmlOf(raw[1])).toBe(htmlOf(raw[0]));
  });
});

describe("imprint publish beside a running service with the same folder", () => {
  it("publishes through it and prints its addresses", async () => {
    const { site, publish } = await openProject('"embedded"');
    const { api, pages } = await serve(site);
    const report = await publish();
    expect(report.target.baseUrl).toBe(`${api}/a`);
    expect(report.links.home).toBe(`${pages}/p/index`);
    expect((await fetch(report.links.home)).status).toBe(200);
    expect(report.seeWith).toBeUndefined();
  });

  it("finds it by its folder at any address", async () => {
    const { site, publish } = await openProject('{ dataDir: "data/service" }');
    const { pages } = await serve(site, "--data", "data/service");
    expect((await publish()).links.home).toBe(`${pages}/p/index`);
  });

  it("uses the ports and the folder that the project's options name", async () => {
    const { site, run, publish } = await openProject('{ port: 0, pagesPort: 45123, dataDir: ".mydata" }');
    await publish();
    const { pages, data, config, close } = await serveAsConfigured(site);
    expect({ pages, data, config }).toEqual({
      ...{ pages: "http://127.0.0.1:45123", data: ".mydata", config: "imprint.config.mjs" },
    });
    expect((await fetch(`${pages}/p/index`)).status).toBe(200);
    const other = await serveAsConfigured(site, "--pages-port", "0", "--data", ".imprint");
    expect(other.pages).not.toBe(pages);
    expect((await fetch(`${other.pages}/p/index`)).status).toBe(404);
    await close();
    const { out } = await run("backup", "saved.tar.gz", "--json");
    expect(JSON.parse(out).rows).toBeGreaterThan(0);
    expect((await run("restore", "saved.tar.gz")).error).toContain(".mydata");
  });

  it("explains how to view the site if none is running", async () => {
    const { run } = await openProject("{ port: 0, pagesPort: 45111 }");
    const { out } = await run("publish");
    expect(out).toContain("Site  http://127.0.0.1:45111/p/index");
    expect(out).toContain(
      "To see it, run  npx imprint serve --pages-port 45111\n  Site  http://127.0.0.1:45111/p/index",
    );
  });

  it("finds it through a file that only the folder's owner can read", async () => {
    const { site } = await openProject();
    await serve(site);
    expect((await stat(join(site.root, ".imprint/service.json"))).mode & 0o777).toBe(0o600);
  });

  it("forgets it when it is closed", async () => {
    const { site, publish } = await openProject();
    const { close } = await serve(site);
    await close();
    await expect(readFile(join(site.root, ".imprint/service.json"))).rejects.toThrow("ENOENT");
    expect((await publish()).seeWith).toContain("npx imprint serve");
  });

  it("ignores the leftovers of a killed service, even if another program has its port", async () => {
    const { site, publish } = await openProject();
    const asked: string[] = [];
    const other = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end(JSON.stringify({ status: "ok", items: [], data: [] }));
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === "object" ? address?.port : 0;
    const left = { version: 1, pid: 2 ** 22 + 1, host: hostname(), url: `http://localhost:${port}` };
    const write = (fields: object) =>
      site.write(
        ".imprint/service.json",
        JSON.stringify({ ...left, pagesUrl: left.url, apiKey: "imp_dev_x", ...fields }),
      );
    await write({});
    expect((await publish()).seeWith).toContain("npx imprint serve");
    expect(asked).toEqual([]);
    // Another process got its process id.
    await write({ pid: process.pid });
    expect((await publish()).target.baseUrl).not.toContain(left.url);
    await writeFile(join(site.root, ".imprint/service.json"), "{ damaged");
    expect((await publish()).exitCode).toBe(0);
  });
});
