import { describe, expect, it, onTestFinished } from "vitest";
import { startProxy } from "../../faults/proxy.ts";
import { dialectA, dialectB, type Dialect } from "../../strangers/dialect.ts";
import { API_KEY, startStranger } from "../../strangers/host.ts";
import { openProject } from "./project.ts";

interface Stray {
  readonly request: RegExp;
  /** Since which request. Default: since the first one. */
  readonly since?: RegExp;
  /** How many such requests are passed on before. */
  readonly after: number;
  readonly times: number;
  readonly status?: number;
}

/** A project behind a proxy that responds to some requests with its own web page after the host handled them. */
async function openBehindProxy(dialect: Dialect, stray: Stray) {
  const { request, since, after, times, status = 200 } = stray;
  const stranger = await startStranger(dialect);
  onTestFinished(() => stranger.close());
  const proxy = await startProxy(stranger.baseUrl);
  onTestFinished(() => proxy.close());
  const project = await openProject({ baseUrl: proxy.url, apiKey: API_KEY }, { posts: false });
  let [passed, left, hasBegun] = [after, times, since === undefined];
  proxy.meddle(({ method, path, answer, forward }) => {
    hasBegun ||= since?.test(`${method} ${path}`) === true;
    if (!hasBegun || left === 0 || !request.test(`${method} ${path}`)) return undefined;
    if (passed-- > 0) return undefined;
    left -= 1;
    const body = "<!doctype html><title>Just a moment</title><h1>Checking your browser</h1>";
    return forward().then(() => void answer.writeHead(status, { "content-type": "text/html" }).end(body));
  });
  return { ...project, stranger, relent: () => (left = 0) };
}

describe("a web page instead of a page's response, from a host that responded before", () => {
  it("is retried if that changes nothing more", async () => {
    const { stranger, run } = await openBehindProxy(dialectA("A"), { request: /^PUT .*about/, after: 0, times: 1 });
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect([...stranger.world.pages.keys()].toSorted()).toEqual(["about", "index", "services-letterpress"]);
  });

  it.each([
    { dialect: dialectA("A"), request: /^PUT .*about/, after: 0, times: 9 },
    { dialect: dialectB("B"), request: /^POST .*pages/, after: 2, times: 1 },
  ])("is reported as that page's failure in $dialect.name", async ({ dialect, ...stray }) => {
    const { stranger, run, relent } = await openBehindProxy(dialect, stray);
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("a web page instead of JSON") });
    expect(said).not.toContain("SERVICE_WRONG_ADDRESS");
    expect([...stranger.world.pages.keys()].toSorted()).toEqual(["about", "index", "services-letterpress"]);
    relent();
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
  });
});

it.each([dialectA("A"), dialectB("B")])(
  "maintenance of $name that begins during a run and responds with a web page is called temporary",
  async (dialect) => {
    const stray = { request: /^\w+ \/api\//, after: 1, times: Infinity };
    const { stranger, run, relent } = await openBehindProxy(dialect, { ...stray, since: /^PUT|^POST .*pages/ });
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("may be down for maintenance") });
    expect(said).toContain("Checking your browser");
    expect(said).not.toContain("has no");
    relent();
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.sites.size).toBe(1);
    expect(stranger.world.brandKits.size).toBe(1);
  },
);

it.each([0, 2])("a new page whose response is lost to a 502 is published, after %i others", async (after) => {
  const stray = { request: /^POST .*pages/, after, times: 1, status: 502 };
  const { stranger, run } = await openBehindProxy(dialectB("B"), stray);
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 published") });
  expect([...stranger.world.pages.keys()].toSorted()).toEqual(["about", "index", "services-letterpress"]);
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
});
