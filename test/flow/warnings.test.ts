import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { parseOptions, publish } from "../../src/publish.ts";
import { startService } from "../../src/service.ts";
import { createTemporarySite } from "./temporary-site.ts";

const TROUBLES: readonly (readonly [code: string, line: number, markup: string])[] = [
  ["dangling-link", 7, `<a href="/shop/">Shop</a>`],
  ["missing-file", 8, `<img src="/lost.png" alt="">`],
  [
    "script-reads-path",
    9,
    `<script>const here = location.pathname; if (here === "/") document.body.className = "home";</script>`,
  ],
  ["pagefind", 10, `<script type="module">import("/pagefind/pagefind.js");</script>`],
  ["server-island", 11, `<script>fetch("/_server-islands/Avatar?e=default");</script>`],
  ["action", 12, `<form method="post" action="/_actions/subscribe"><button>Go</button></form>`],
];

const DEAD = [`<form method="post" action="/about/"><button>Go</button></form>`, `<a href="/paper.pdf">Paper</a>`];

async function openSite(markup: readonly string[] = TROUBLES.map(([, , each]) => each)) {
  const [site, service] = [await createTemporarySite(), await startService({ ephemeral: true, port: 0, pagesPort: 0 })];
  onTestFinished(() => service.close());
  const head = ["<!doctype html>", "<html>", "<head>", "<title>Troubles</title>", "</head>", "<body>"];
  await site.write("dist/troubles/index.html", [...head, ...markup, ""].join("\n"));
  await site.write("dist/paper.pdf", "%PDF-1.4");
  await site.write("dist/pagefind/pagefind.js", "export const search = () => [];");
  async function run(...argv: readonly string[]) {
    const written = { out: "", error: "" };
    const code = await runCli([...argv, "--service", service.baseUrl("b")], {
      cwd: site.root,
      environment: { IMPRINT_API_KEY: service.apiKey },
      out: { write: (text) => (written.out += text) },
      error: { write: (text) => (written.error += text) },
    });
    return { code, ...written };
  }
  return { run, service };
}

describe("unsupported content", () => {
  it("is reported by `imprint plan` with the page and the line, as text and as JSON", async () => {
    const { run } = await openSite();
    const { code, out } = await run("plan");
    expect(code).toBe(0);
    for (const [, line] of TROUBLES) expect(out).toContain(`! troubles/index.html:${line}  `);

    const { warnings } = JSON.parse((await run("plan", "--json")).out);
    const found = warnings.map(({ code, file, line }: Record<string, unknown>) => ({ code, file, line }));
    expect(found).toEqual(TROUBLES.map(([code, line]) => ({ code, file: "troubles/index.html", line })));
  });

  it("fails a run only with --strict, after publishing", async () => {
    const { run } = await openSite();
    expect((await run("plan", "--strict")).code).toBe(1);
    expect((await run("publish", "--strict")).code).toBe(1);
    expect((await run("publish")).code).toBe(0);
  });
});

it("fails a run with links to files and forms that can't work at this host, with the reason, until accepted", async () => {
  const { run } = await openSite(DEAD);
  const published = await run("publish");
  expect(published.code).toBe(1);
  expect(published.out).toContain(
    "! files: 1 file can't be published, because the library of route set B accepts only images; links keep their address on the site, which doesn't work here\n      /paper.pdf  troubles/index.html:8\n",
  );
  expect(published.out).toContain("! form actions: 1 form action can't work");
  expect(published.out).toContain("      /about/  troubles/index.html:7\n");
  expect((await run("plan")).code).toBe(1);
  expect((await run("publish", "--accept")).code).toBe(0);
  expect((await run("publish")).code).toBe(0);
});

it("reports a manifest and a service worker, which need their own host, without failing a strict run", async () => {
  const [site, service] = [await createTemporarySite(), await startService({ ephemeral: true, port: 0, pagesPort: 0 })];
  onTestFinished(() => service.close());
  const register = `<script>navigator.serviceWorker.register("/sw.js")</script>`;
  const head = `<link rel="manifest" href="/app.webmanifest">\n${register}`;
  await site.write("dist/index.html", `<!doctype html><title>App</title>\n${head}\n<h1>App</h1>`);
  await site.write("dist/app.webmanifest", `{"name":"App"}`);
  await site.write("dist/sw.js", "self.skipWaiting()");
  const report = await publish({
    projectRoot: site.root,
    dist: site.dist,
    options: parseOptions({ strict: true, exclude: ["/about/", "/services/**"] }),
    target: {
      baseUrl: service.baseUrl("a"),
      apiKey: service.apiKey,
      pagesUrl: service.pagesUrl,
      routeSet: "a",
      identity: "t",
      close: async () => {},
    },
  });
  expect(report.warnings.map(({ code, line, isNotice }) => [code, line, isNotice])).toEqual([
    ["manifest-dropped", 2, true],
    ["service-worker", 3, true],
  ]);
  expect(report.exitCode).toBe(0);
});

it("names a service worker only if the script does", async () => {
  const calls = [`"/sw.js"`, "`/sw.js`, { scope: `/` }", `base + "/sw.js"`, "`/` + `sw.js`", '"/" + name'];
  const scripts = calls.map((call) => `<script>navigator.serviceWorker.register(${call})</script>`);
  const { run } = await openSite(scripts);
  const { warnings } = JSON.parse((await run("plan", "--json")).out);
  const found = warnings.filter(({ code }: { code: string }) => code === "service-worker");
  expect(found.flatMap(({ message }: { message: string }) => /registers (.*?),/.exec(message)?.[1] ?? [])).toEqual([
    "the service worker /sw.js",
    "a service worker",
  ]);
});

it.each(["a", "b"] as const)("doesn't name parts of pages that pages contain for their scripts, on %s", async (set) => {
  const [site, service] = [await createTemporarySite(), await startService({ ephemeral: true, port: 0, pagesPort: 0 })];
  onTestFinished(() => service.close());
  const routes = ["hx", "fetched", "framed", "unused"].map((name) => {
    const files = [`parts/${name}/index.html`];
    return { pattern: `/parts/${name}`, type: "page" as const, template: `src/pages/parts/${name}.astro`, files };
  });
  for (const { files } of routes) await site.write(`dist/${files[0]}`, "<p>A part</p>");
  await site.write("dist/parts/prices.html", "<ul><li>Prints 5 €</li></ul>");
  const head = "<!doctype html><html><head><title>Parts</title></head><body>";
  const script = `<script>fetch("/parts/fetched/").then(show); fetch("/parts/prices.html").then(show);</script>`;
  const frame = `<iframe srcdoc='<script>fetch("/parts/framed/")</script>'></iframe>`;
  await site.write("dist/parts/index.html", `${head}<p hx-get="/parts/hx/"></p>${frame}${script}</body></html>`);
  const request = {
    ...{ projectRoot: site.root, dist: site.dist, options: parseOptions({ brandKit: false }), hints: { routes } },
    target: {
      ...{ baseUrl: service.baseUrl(set), apiKey: service.apiKey, pagesUrl: service.pagesUrl },
      ...{ routeSet: set, identity: "parts", close: async () => {} },
    },
  };
  for (const run of ["first", "from the cache"]) {
    const { warnings } = await publish(request);
    const named = warnings.filter(({ code }) => code === "partial-page").map(({ file }) => file);
    expect([run, named]).toEqual([run, ["parts/unused/index.html"]]);
  }
});

it("names HTML files that aren't published as pages, unless a page loads them", async () => {
  const [site, service] = [await createTemporarySite(), await startService({ ephemeral: true, port: 0, pagesPort: 0 })];
  onTestFinished(() => service.close());
  await site.write("dist/google12.html", "google-site-verification: google12.html");
  await site.write("dist/500.html", "<!doctype html><title>Error</title><h1>Error</h1>");
  await site.write("dist/card/index.html", "<p>A card</p>");
  await site.write("dist/parts/prices.html", "<ul><li>Prints 5 €</li></ul>");
  const script = `<script>fetch("/parts/prices.html").then((response) => response.text()).then((text) => (document.body.innerHTML = text));</script>`;
  await site.write("dist/prices/index.html", `<!doctype html><title>Prices</title><body>${script}</body>`);
  const { warnings, exitCode } = await publish({
    projectRoot: site.root,
    dist: site.dist,
    options: parseOptions({ brandKit: false }),
    hints: {
      routes: [{ pattern: "/card", type: "page", template: "src/pages/card.astro", files: ["card/index.html"] }],
    },
    target: {
      ...{ baseUrl: service.baseUrl("a"), apiKey: service.apiKey, pagesUrl: service.pagesUrl },
      ...{ routeSet: "auto", identity: "partial", close: async () => {} },
    },
  });
  const named = warnings.filter(({ code }) => code === "partial-page" || code === "error-page");
  expect(named.toSorted((one, other) => (one.file < other.file ? -1 : 1))).toMatchObject([
    { file: "500.html", message: expect.stringContaining("only an Astro server shows it") },
    { file: "card/index.html", message: expect.stringContaining("from src/pages/card.astro, is not published") },
    { file: "google12.html", message: expect.stringContaining("not published as a page") },
  ]);
  expect(exitCode).toBe(0);
});
