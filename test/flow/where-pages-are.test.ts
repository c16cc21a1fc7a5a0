import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parseOptions, publish } from "../../src/publish.ts";
import { startService } from "../../src/service.ts";
import { startProxy } from "../faults/proxy.ts";
import { createTemporarySite } from "./temporary-site.ts";

/** A host that says nothing of where it shows pages, and shows them beside its API. */
async function openHost() {
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0, strict: true, routeSet: "a" });
  onTestFinished(() => service.close());
  const proxy = await startProxy(service.baseUrl("a"), service);
  onTestFinished(() => proxy.close());
  const site = await createTemporarySite();
  const run = (accept: boolean) =>
    publish({
      ...{ projectRoot: site.root, dist: join(site.root, "dist"), accept, options: parseOptions({ brandKit: false }) },
      target: {
        ...{ baseUrl: proxy.url, apiKey: service.apiKey, pagesUrl: undefined, routeSet: "a", identity: proxy.url },
        close: async () => {},
      },
    });
  const linksOf = async (slug: string) => [
    ...(await (await fetch(`${proxy.url}/p/${slug}`)).text()).matchAll(/<a href="([^"]*)"/g),
  ];
  return { proxy, run, linksOf };
}

it("a first page that could not be read is looked for again in the next run, and its links are put right", async () => {
  const { proxy, run, linksOf } = await openHost();
  proxy.meddle(({ path, answer }) =>
    path.startsWith("/api/") ? undefined : Promise.resolve(void answer.socket?.destroy()),
  );
  const first = await run(false);
  expect(first.entries.find(({ name }) => name === "pagesUrl")?.reason).toContain("it is not known where");
  proxy.meddle(() => undefined);
  const second = await run(false);
  expect(second.entries.filter(({ kind }) => kind === "blocked" || kind === "failed")).toEqual([]);
  expect(second.exitCode).toBe(0);
  expect((await linksOf("index")).map(([, href]) => href)).toEqual(["/p/index", "/p/about", "/p/services-letterpress"]);
});

it("pages that somebody accepted as hidden are not looked for in every run", async () => {
  const { proxy, run } = await openHost();
  const visited: string[] = [];
  proxy.meddle(({ path, answer }) => {
    if (path.startsWith("/api/")) return undefined;
    visited.push(path);
    return Promise.resolve(void answer.writeHead(404).end());
  });
  expect((await run(true)).exitCode).toBe(0);
  visited.length = 0;
  expect((await run(false)).exitCode).toBe(0);
  expect(visited).toEqual([]);
});
