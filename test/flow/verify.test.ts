import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished, describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { parseOptions, publish, type PublishRequest, type Report } from "../../src/publish.ts";
import { startService, type RunningService } from "../../src/service.ts";
import { renderText } from "../../src/sync/report/render-text.ts";
import { createTemporarySite, htmlPage, type TemporarySite } from "./temporary-site.ts";

/** Responds instead of the service's own pages; `false` passes a request on to them. */
type Stranger = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A service whose pages and files readers get through a proxy that can change responses. */
interface StrangeHost {
  readonly service: RunningService;
  readonly pagesUrl: string;
  /** Paths requested at the public address. */
  readonly asked: string[];
  stranger: Stranger;
}

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${Object(server.address()).port}`;
}

async function openHost({ strict = false } = {}): Promise<StrangeHost> {
  const asked: string[] = [];
  const world: { host?: StrangeHost; own: string } = { own: "" };
  const pagesUrl = await listen((request, response) => {
    asked.push(request.url ?? "");
    if (world.host?.stranger(request, response) === true) return;
    void pass(world.own + request.url, request, response);
  });
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0, pagesUrl, strict });
  onTestFinished(() => service.close());
  world.own = `http://127.0.0.1:${service.pagesPort}`;
  world.host = { service, pagesUrl, asked, stranger: () => false };
  return world.host;
}

async function pass(address: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await fetch(address, { redirect: "manual", headers: { accept: request.headers.accept ?? "*/*" } });
  const type = answer.headers.get("content-type");
  response.writeHead(answer.status, type === null ? {} : { "content-type": type });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

interface Run extends Pick<PublishRequest, "onPlanned" | "onStep" | "verify"> {
  readonly waits?: number[];
}

type Place = Pick<StrangeHost, "service"> & { readonly pagesUrl: string | undefined };

function run(site: TemporarySite, { service, pagesUrl }: Place, { waits = [], ...more }: Run = {}) {
  const baseUrl = service.baseUrl("a");
  return publish({
    projectRoot: site.root,
    dist: site.dist,
    options: parseOptions({ posts: { blog: { create: true } }, site: { name: "Halden Press" } }),
    target: { baseUrl, apiKey: service.apiKey, pagesUrl, routeSet: "a", identity: baseUrl, close: async () => {} },
    verify: true,
    connection: { sleep: async (ms) => void waits.push(ms) },
    ...more,
  });
}

function problemsOf({ verified }: Report) {
  return verified?.problems.map(({ kind, found, usedBy }) => `${kind} ${usedBy.join(",")}: ${found}`);
}

describe("publish with verify", () => {
  it("finds everything live, and requests each address once", async () => {
    const [site, host] = [await createTemporarySite(), await openHost()];
    await run(site, host, { verify: false });
    host.asked.length = 0;
    const steps: string[] = [];
    const report = await run(site, host, { onStep: ({ kind }) => void steps.push(kind) });
    expect(problemsOf(report)).toEqual([]);
    expect(report.exitCode).toBe(0);
    expect(report.verified).toEqual({ pages: 3, posts: 2, files: 6, links: 3, problems: [], redirects: [] });
    expect(renderText(report)).toContain("  Verified 3 pages, 2 posts, 6 files and 3 links: all live.\n");
    expect(host.asked.toSorted()).toEqual([...new Set(host.asked)].toSorted());
    expect(steps.at(-1)).toBe("verify");
  });

  it("names a page and a file that were deleted on the service, the file once for all its pages", async () => {
    const [site, host] = [await createTemporarySite(), await openHost()];
    await run(site, host);
    const waits: number[] = [];
    const report = await run(site, host, {
      waits,
      async onPlanned({ api }) {
        const { items } = await api.assets.list();
        for (const { id, name } of items)
          if (/^logo.*webp$/.test(name ?? "")) await api.assets.delete(id, { ifUsed: "delete" });
        await api.pages.delete("about");
      },
    });
    expect(problemsOf(report)).toEqual(["page about: 410", "file index,services-letterpress: 404"]);
    expect(report.exitCode).toBe(1);
    expect(waits).toEqual([1000, 3000, 9000]);
    const text = renderText(report);
    expect(text).toContain("Nothing changed at");
    expect(text).toContain("but not everything is live.");
    expect(text).toContain("  Verified 3 pages, 2 posts, 6 files and 3 links: 2 problems.");
    expect(text).toContain(`x page about ${host.pagesUrl}/p/about: 410\n`);
    expect(text).toContain("      used by 2 pages: index, services-letterpress\n");
  });

  it("says that pages behind a check for robots couldn't be verified", async () => {
    const [site, host] = [await createTemporarySite(), await openHost()];
    await run(site, host, { verify: false });
    host.stranger = ({ url }, response) => {
      if (url !== "/p/about") return false;
      response.writeHead(403, { "content-type": "text/html" }).end("<title>Just a moment...</title>");
      return true;
    };
    const report = await run(site, host);
    expect(problemsOf(report)).toContain("page about: 403 with a bot check");
    expect(report.verified?.problems.map(({ hint }) => hint).join()).toContain("astro-imprint (verify)");
    expect(renderText(report)).not.toContain("pagesUrl");
  });

  it("names a page that was edited on the service", async () => {
    const [site, host] = [await createTemporarySite(), await openHost()];
    await run(site, host);
    const report = await run(site, host, {
      async onPlanned({ api }) {
        const html = await api.pages.readHtml("about");
        await api.pages.update({ slug: "about", title: "About", html: html?.replace("<h1>About", "<h1>Around") ?? "" });
      },
    });
    expect(problemsOf(report)).toEqual(["page about: the text of the page differs from what was published"]);
    expect(report.exitCode).toBe(1);
  });

  it("waits for a host that shows the older version for a while, and names a page that stays old", async () => {
    const [site, host] = [await createTemporarySite(), await openHost()];
    await run(site, host, { verify: false });
    const old = await (await fetch(`${host.pagesUrl}/p/about`)).text();
    // The publish itself checks once, too.
    let left = 3;
    host.stranger = ({ url }, response) => {
      if (url !== "/p/about" || left === 0) return false;
      left -= 1;
      response.writeHead(200, { "content-type": "text/html" }).end(old);
      return true;
    };
    await site.write("dist/about/index.html", htmlPage("About", "<h1>About us</h1>"));
    const waits: number[] = [];
    expect(problemsOf(await run(site, host, { waits }))).toEqual([]);
    expect(waits).toEqual([1000, 3000]);

    left = Number.POSITIVE_INFINITY;
    const report = await run(site, host);
    expect(problemsOf(report)).toEqual(["page about: an older version of the page is shown"]);
    expect(report.exitCode).toBe(1);
  });

  it("accepts a page whose host removes the marker and adds text", async () => {
    const [site, host] = [await createTemporarySite(), await openHost()];
    let title = "About";
    host.stranger = ({ url }, response) => {
      if (url !== "/p/about") return false;
      const html = htmlPage(title, "<h1>About</h1><p><a href='/#top'>Home</a></p><footer>Powered by Host</footer>");
      const plain = html.replace(/<(?:link|img|script)[^>]*>/g, "").replace(/href="[^"]*"/g, 'href="/p/about"');
      response
        .writeHead(200, { "content-type": "text/html; charset=utf-8" })
        .end(plain.replaceAll("/#top", "/p/index"));
      return true;
    };
    expect(problemsOf(await run(site, host))).toEqual([]);
    title = "Parked";
    expect(problemsOf(await run(site, host))).toEqual(["page about: another page or an older version of it is shown"]);
  });

  it("names files with a type that browsers reject, and pages that aren't HTML", async () => {
    const [site, host] = [await createTemporarySite(), await openHost()];
    await run(site, host);
    host.stranger = ({ url = "" }, response) => {
      const type = /photo/.test(url) ? "text/html" : /favicon/.test(url) ? "application/octet-stream" : "text/plain";
      if (!/photo|favicon|p\/about/.test(url)) return false;
      response.writeHead(200, { "content-type": type }).end("something else");
      return true;
    };
    expect(problemsOf(await run(site, host))).toEqual([
      "page about: text/plain instead of text/html",
      "file index,services-letterpress,ink,paper: application/octet-stream instead of image/svg+xml",
      "file index: text/html instead of image/webp",
    ]);
  });

  it("names dead links and missing anchors, and follows redirects", async () => {
    const [site, host] = [await createTemporarySite(), await openHost()];
    host.stranger = ({ url }, response) => {
      if (url !== "/moved") return false;
      response.writeHead(301, { location: "/p/index" }).end();
      return true;
    };
    const links = [
      ...["/about/#there", "/about/#none", "#here", "#gone", "/nowhere/", `${host.pagesUrl}/moved`],
      ...["mailto:a@halden.example", "#/route", "#:~:text=Halden"],
    ];
    const body = links.map((href) => `<a href="${href}">x</a>`).join("");
    await site.write("dist/index.html", htmlPage("Halden Press", `<h1 id="here">Halden</h1>${body}`));
    await site.write("dist/about/index.html", htmlPage("About", `<h1 id="there">About</h1>`));
    const report = await run(site, host);
    expect(report.verified?.problems.map(({ address, found }) => [address, found])).toEqual([
      [`${host.pagesUrl}/p/index#gone`, "the page has no #gone"],
      [`${host.pagesUrl}/p/about#none`, "the page has no #none"],
      [`${host.pagesUrl}/nowhere/`, "404"],
    ]);
    expect(report.verified?.redirects).toEqual([{ address: `${host.pagesUrl}/moved`, to: `${host.pagesUrl}/p/index` }]);
  });

  it("checks what stylesheets load, and names their pages", async () => {
    const [site, host] = [await createTemporarySite(), await openHost()];
    host.stranger = ({ url = "" }, response) => {
      const sheets: Readonly<Record<string, string>> = {
        "/css/a.css": '@import "b.css";',
        "/css/b.css": "p { background: url(../lost.png) }",
      };
      const css = sheets[url];
      if (css !== undefined) response.writeHead(200, { "content-type": "text/css" }).end(css);
      return css !== undefined;
    };
    const body = `<style>@import "${host.pagesUrl}/css/a.css";</style>`;
    await site.write("dist/index.html", htmlPage("Halden Press", body));
    await site.write("dist/about/index.html", htmlPage("About", body));
    const report = await run(site, host);
    expect(report.verified?.problems).toMatchObject([
      { kind: "file", address: `${host.pagesUrl}/lost.png`, found: "404", usedBy: ["index", "about"] },
    ]);
  });

  it("never contacts hosts other than those of the pages and the library, even on a redirect", async () => {
    const [site, host] = [await createTemporarySite(), await openHost()];
    const others: string[] = [];
    const other = await listen(({ url = "" }, response) => {
      others.push(url);
      response.end();
    });
    host.stranger = ({ url }, response) => {
      if (url !== "/away") return false;
      response.writeHead(302, { location: `${other}/target` }).end();
      return true;
    };
    const body = `<img src="${other}/a.png"><a href="${other}/b"></a><a href="${host.pagesUrl}/away"></a>
      <style>@import "${other}/c.css"; p { background: url(${other}/d.png) }</style>`;
    await site.write("dist/index.html", htmlPage("Halden Press", body));
    const report = await run(site, host);
    expect(problemsOf(report)).toEqual([]);
    expect(others).toEqual([]);
    expect(report.verified?.redirects).toEqual([{ address: `${host.pagesUrl}/away`, to: `${other}/target` }]);
  });

  it("warns once if the address of pages is unknown", async () => {
    const [site, host] = [await createTemporarySite(), await openHost({ strict: true })];
    const report = await run(site, { ...host, pagesUrl: undefined });
    expect(report.verified).toBeUndefined();
    expect(report.warnings.filter(({ code }) => code === "not-verified")).toHaveLength(1);
    expect(renderText(report)).toContain("! pagesUrl  Nothing could be verified, because");
  });

  it("runs with `imprint publish --verify`, and exits with 1 if something isn't live", async () => {
    const [site, host] = [await createTemporarySite(), await openHost()];
    const environment = { IMPRINT_API_KEY: host.service.apiKey, IMPRINT_SERVICE: host.service.baseUrl("a") };
    async function publishCli(...flags: readonly string[]) {
      const written = { out: "", error: "" };
      const code = await runCli(["publish", "--root", site.root, ...flags], {
        ...{ cwd: site.root, environment },
        out: { write: (text) => (written.out += text) },
        error: { write: (text) => (written.error += text) },
      });
      return { code, ...written };
    }
    const good = await publishCli("--verify", "--json");
    expect(good.code).toBe(0);
    expect(JSON.parse(good.out).verified).toMatchObject({ pages: 3, problems: [] });
    await site.write("dist/about/index.html", htmlPage("About", `<a href="#gone">x</a>`));
    const bad = await publishCli("--verify");
    expect(bad.code).toBe(1);
    expect(bad.out).toContain("the page has no #gone");
    const wrong = await publishCli("--verify=firefox");
    expect(wrong.code).toBe(2);
  });
});
