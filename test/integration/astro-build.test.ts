import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type AstroInlineConfig, type AstroIntegration } from "astro";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { connect } from "../../src/client.ts";
import imprint, { type ImprintOptions } from "../../src/index.ts";
import { startService, type RunningService } from "../../src/service.ts";
import { copyFixture, hashFiles } from "./blog-site.ts";

async function copySite(): Promise<string> {
  const root = await copyFixture("small-site");
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

async function openService(): Promise<RunningService> {
  const service = await startService({ ephemeral: true, dev: true, port: 0, pagesPort: 0 });
  onTestFinished(() => service.close());
  vi.stubEnv("IMPRINT_API_KEY", service.apiKey);
  vi.stubEnv("NODE_ENV", "production");
  onTestFinished(() => void vi.unstubAllEnvs());
  return service;
}

function buildSite(
  root: string,
  integrations: readonly AstroIntegration[],
  redirects: AstroInlineConfig["redirects"] = {},
): Promise<void> {
  return build({ root, logLevel: "silent", integrations: [...integrations], redirects, configFile: false });
}

function serverAdapter(): AstroIntegration {
  const serverEntrypoint = join(import.meta.dirname, "../fixtures/server-entry.js");
  const supportedAstroFeatures = {
    staticOutput: "stable",
    serverOutput: "stable",
    hybridOutput: "stable",
    sharpImageService: "stable",
  } as const;
  return {
    name: "adapter",
    hooks: {
      "astro:config:done": ({ setAdapter }) =>
        setAdapter({ name: "adapter", serverEntrypoint, entrypointResolution: "auto", supportedAstroFeatures }),
    },
  };
}

/** Captures what the build prints until the test ends, on both streams. */
function captureTerminal(): () => string {
  const writes = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, "write").mockReturnValue(true));
  onTestFinished(() => writes.forEach((write) => void write.mockRestore()));
  return () => writes.flatMap(({ mock }) => mock.calls.map(([text]) => String(text))).join("");
}

describe("astro build with imprint()", () => {
  it("publishes pages and posts after the build", async () => {
    const [root, service] = [await copySite(), await openService()];
    const moved = {
      "/now": { status: 302, destination: "/about" },
      "/same": { status: 307, destination: "/about" },
    } as const;
    await buildSite(root, [imprint({ service: service.baseUrl("a"), posts: {} })], { "/old": "/about", ...moved });
    for (const [slug, status] of Object.entries({ old: 301, now: 302, same: 307 })) {
      const response = await fetch(`${service.pagesUrl}/p/${slug}`, { redirect: "manual" });
      expect([slug, response.status, response.headers.get("Location")]).toEqual([slug, status, "/p/about"]);
    }
    const home = await (await fetch(`${service.pagesUrl}/p/index`)).text();
    expect(home).toContain('href="/p/about"');
    const writes = service.requests().filter(({ method }) => method !== "GET");
    expect(writes.filter(({ operation }) => operation === "posts.create")).toHaveLength(1);
  });

  it.each(["a", "b"] as const)(
    "publishes redirects that Astro leaves to an adapter, and names those whose addresses are unknown, route set %s",
    async (routeSet) => {
      const [root, service] = [await copySite(), await openService()];
      await mkdir(join(root, "src/pages/new"));
      const page = `---\nexport const getStaticPaths = () => ["1", "2"].map((id) => ({ params: { id } }));\n---\n<html lang="en"><head><title>{Astro.params.id}</title></head><body><a href="/k">K</a><a href="/former/1">1</a><a href="/out/3">3</a></body></html>`;
      await writeFile(join(root, "src/pages/new/[id].astro"), page);
      await mkdir(join(root, "src/pages/members"));
      await writeFile(
        join(root, "src/pages/members/[id].astro"),
        "---\nexport const prerender = false;\n---\n<h1>You</h1>",
      );
      const redirects: AstroInlineConfig["redirects"] = {
        "/k": { status: 302, destination: "/about/" },
        "/ext": "https://x.example/",
        "/former/[id]": "/new/[id]",
        "/out/[id]": "/members/[id]",
      };
      const readTerminal = captureTerminal();
      const adapter: AstroIntegration = serverAdapter();
      const integrations = [imprint({ service: service.baseUrl(routeSet), posts: false })];
      const config = {
        root,
        integrations,
        adapter,
        redirects,
        build: { redirects: false },
        configFile: false,
      } as const;
      await build({ ...config, logLevel: "info" });
      const said = readTerminal();
      for (const [slug, status, location] of [
        ["k", 302, "/p/about"],
        ["ext", 301, "https://x.example/"],
        ["former-1", 301, "/p/new-1"],
        ["former-2", 301, "/p/new-2"],
      ]) {
        const response = await fetch(`${service.pagesUrl}/p/${slug}`, { redirect: "manual" });
        expect([slug, response.status, response.headers.get("Location")]).toEqual([slug, status, location]);
      }
      expect(said).toContain("/out/[id]  The redirect needs a server");
      expect(said).toContain("/out/3 leads to a redirect that needs a server");
      expect(said).not.toContain("Broken link");
      const before = service.requests().length;
      await build({ ...config, logLevel: "silent" });
      const writes = service
        .requests()
        .slice(before)
        .filter(({ method }) => method !== "GET");
      expect(writes.map(({ path }) => path)).toEqual([]);
    },
  );

  it("publishes a server island as its fallback, and names what only a server can render", async () => {
    const [root, service] = [await copySite(), await openService()];
    await mkdir(join(root, "src/pages/api"));
    await writeFile(join(root, "src/pages/account.astro"), "---\nexport const prerender = false;\n---\n<h1>You</h1>");
    const endpoint = "export const prerender = false;\nexport const POST = () => new Response();\n";
    await writeFile(join(root, "src/pages/api/[name].ts"), endpoint);
    await writeFile(join(root, "src/Cart.astro"), "---\nconst { of } = Astro.props;\n---\n<p>Cart of {of}</p>");
    const page = `---\nimport Cart from "../Cart.astro";\n---\n<html lang="en"><head><title>Shop</title></head><body><Cart server:defer of="Ann"><p slot="fallback">Empty cart</p></Cart><a href="/account">You</a><form action="/api/order" method="post"></form></body></html>`;
    await writeFile(join(root, "src/pages/shop.astro"), page);
    const options = { service: service.baseUrl("a"), posts: {} };
    const readTerminal = captureTerminal();
    const adapter = serverAdapter();
    await build({ root, logLevel: "info", integrations: [imprint(options)], adapter, configFile: false });
    expect(readTerminal().match(/server island .*/gi)).toEqual([expect.stringContaining("server island Cart needs")]);
    expect(readTerminal()).toMatch(/rendered on demand.*\n +\/account\n +\/api\/\[name\]\n/);
    expect(readTerminal()).toContain("/account leads to a route that is rendered on demand");
    expect(readTerminal()).toContain("/api/order leads to a route that is rendered on demand");
    expect(readTerminal()).not.toContain("Broken link");
    const html = await (await fetch(`${service.pagesUrl}/p/shop`)).text();
    expect(html).toContain("<p>Empty cart</p>");
    expect(html).not.toContain("/_server-islands/");
    const before = service.requests().length;
    await build({ root, logLevel: "silent", integrations: [imprint(options)], adapter, configFile: false });
    const writes = service
      .requests()
      .slice(before)
      .filter(({ method }) => method !== "GET");
    expect(writes.map(({ path }) => path)).toEqual([]);
  });

  it("runs after integrations that write files after the build, however late they are added", async () => {
    const [root, service] = [await copySite(), await openService()];
    const late: AstroIntegration = {
      name: "late",
      hooks: {
        "astro:config:setup": ({ updateConfig }) => {
          updateConfig({ integrations: [{ name: "later", hooks: { "astro:build:done": writeLatePage } }] });
        },
      },
    };
    async function writeLatePage({ dir }: { readonly dir: URL }): Promise<void> {
      await cp(new URL("about/index.html", dir), new URL("late/index.html", dir));
    }
    await buildSite(root, [imprint({ service: service.baseUrl("a") }), late]);
    expect((await fetch(`${service.pagesUrl}/p/late`)).status).toBe(200);
    expect(service.requests().filter(({ operation }) => operation === "releases.publish")).toHaveLength(1);
  });

  it("rejects a misspelled option before the build", async () => {
    const root = await copySite();
    const misspelled: object = { servise: "embedded" };
    const built = buildSite(root, [imprint(misspelled as ImprintOptions)]);
    await expect(built).rejects.toThrow("Did you mean `service`?");
  });

  it("reports a missing key before the build, with where to set it", async () => {
    const root = await copySite();
    vi.stubEnv("IMPRINT_API_KEY", "");
    onTestFinished(() => void vi.unstubAllEnvs());
    const error: unknown = await buildSite(root, [imprint({ service: "https://pages.example.org" })]).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ name: "KEY_MISSING", hint: expect.stringContaining("IMPRINT_API_KEY") });
  });

  it("sends nothing if `publish` is false, and writes the same bytes with and without the dev toolbar's panel", async () => {
    const [root, service] = [await copySite(), await openService()];
    const built = [];
    for (const toolbar of [true, false]) {
      await buildSite(root, [imprint({ service: service.baseUrl("a"), publish: false, toolbar })]);
      built.push(await hashFiles(join(root, "dist")));
    }
    expect(service.requests()).toEqual([]);
    expect(Object.keys(built[0] ?? {})).toContain("about/index.html");
    expect(built[0]).toEqual(built[1]);
  });

  it("fails with the blocked entries, their remedy, and one line for all pages that it blocks", async () => {
    const [root, service] = [await copySite(), await openService()];
    const api = await connect({ baseUrl: service.baseUrl("a"), apiKey: service.apiKey });
    onTestFinished(() => api.close());
    for (const slug of ["index", "about"]) await api.pages.create({ slug, title: slug, html: "<h1>By hand</h1>" });
    const readTerminal = captureTerminal();
    const integrations = [imprint({ service: service.baseUrl("a") })];
    await expect(build({ root, logLevel: "info", integrations, configFile: false })).rejects.toMatchObject({
      message: expect.stringContaining("the service has a page with this slug that imprint did not publish"),
      hint: expect.stringContaining("`slugs` option"),
    });
    expect(readTerminal().match(/that imprint did not publish/g)).toHaveLength(1);
    expect(readTerminal()).toMatch(/! (?:index, about|about, index): /);
  });

  it("publishes nothing from a branch that isn't published, needs no key, and reports why", async () => {
    const [root, service] = [await copySite(), await openService()];
    vi.stubEnv("IMPRINT_API_KEY", "");
    vi.stubEnv("IMPRINT_BRANCH", "feature/nav");
    const readTerminal = captureTerminal();
    const integrations = [imprint({ service: service.baseUrl("a"), publish: { branches: ["main"] } })];
    await build({ root, logLevel: "info", integrations, configFile: false });
    expect(service.requests()).toEqual([]);
    expect(readTerminal().match(/Not published.*/g)).toEqual([
      expect.stringContaining("this is the branch feature/nav"),
    ]);
  });

  it.each([
    ["prints nothing if the build logs only warnings and there are none", "", false],
    ["prints the report if the build logs only warnings and there are some", '<img src="/missing.png" alt="">', true],
  ])("%s", async (_name, content, isShown) => {
    const [root, service] = [await copySite(), await openService()];
    await writeFile(join(root, "src/pages/index.astro"), `<html><head></head><body>${content}</body></html>`);
    const readTerminal = captureTerminal();
    await build({
      root,
      logLevel: "warn",
      integrations: [imprint({ service: service.baseUrl("a") })],
      configFile: false,
    });
    expect(readTerminal().includes("missing.png")).toBe(isShown);
    if (!isShown) expect(readTerminal()).not.toContain("imprint");
  });

  it("publishes a preview if branches get one, or if the environment names one", async () => {
    const [root, service] = [await copySite(), await openService()];
    const options = { service: service.baseUrl("a"), publish: { branches: ["main"], previews: true } };
    vi.stubEnv("IMPRINT_BRANCH", "feature/nav");
    await buildSite(root, [imprint(options)]);
    vi.stubEnv("IMPRINT_PREVIEW", "pr-12");
    await buildSite(root, [imprint(options)]);
    const written = service.requests().filter(({ operation }) => operation === "pages.put");
    expect(new Set(written.map(({ path }) => path.replace(/^.*\/api\/pages\/|--.*$/g, "")))).toEqual(
      new Set(["preview-feature-nav", "preview-pr-12"]),
    );
    expect((await fetch(`${service.pagesUrl}/p/preview-pr-12--about`)).status).toBe(200);
    expect((await fetch(`${service.pagesUrl}/p/about`)).status).toBe(404);
  });

  it.each<[string, ImprintOptions]>([
    ["dev", { publish: true, toolbar: false }],
    ["preview", { publish: { branches: ["main"], previews: true } }],
    ["sync", { preview: "pr-12" }],
  ])("adds nothing to astro %s, whatever the options", async (command, options) => {
    const updateConfig = vi.fn<(change: unknown) => void>();
    const setup = imprint({ service: "embedded", ...options }).hooks["astro:config:setup"];
    await Reflect.apply(setup ?? (() => {}), undefined, [{ command, updateConfig }]);
    expect(updateConfig).not.toHaveBeenCalled();
  });
});
