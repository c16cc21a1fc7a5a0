import { describe, expect, it } from "vitest";
import { extractBrand } from "../../src/brand/extract.ts";
import { toBrandKit } from "../../src/brand/kit.ts";
import { startHost } from "../client/host.ts";
import { clientOf, openService } from "./open-service.ts";

const HEADER = `<header><a href="/" aria-label="Nordlicht"><img class="logo" src="/logo.svg" alt="Nordlicht" width="120" height="40"></a>
<nav><a href="/about/">About</a> <a href="/blog/">Blog</a></nav></header>`;

function page(title: string): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title><meta name="theme-color" content="#a63d1f">
<meta property="og:site_name" content="Nordlicht"><link rel="stylesheet" href="/site.css"><link rel="icon" href="/icon.svg"></head>
<body>${HEADER}<main><h1>${title}</h1><p>We make lamps that last, out of wood and paper, in a workshop by the sea.</p>
<a class="button" href="/about/">Read more</a> <a href="/blog/">Journal</a></main></body></html>`;
}

/** A small built site: its files by path. */
const SITE: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  "/": { type: "text/html", text: page("Lamps by the sea") },
  "/about/": { type: "text/html", text: page("About us") },
  "/blog/": { type: "text/html", text: page("Journal") },
  "/site.css": {
    type: "text/css",
    text: `@import "/fonts.css"; :root { --primary: #a63d1f; --ink: #22303c; } body { background: #fdf8f2; color: var(--ink); font-family: "Source Sans 3", sans-serif; }
h1 { font-family: Literata, serif; } a { color: #1f5fa6; } .button { background: var(--primary); color: #fff; padding: 8px 16px; border-radius: 4px; }`,
  },
  "/fonts.css": {
    type: "text/css",
    text: `@font-face { font-family: Literata; src: url(/literata.woff2) format("woff2"); font-weight: 700; }`,
  },
  "/logo.svg": {
    type: "image/svg+xml",
    text: `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" fill="#a63d1f"/></svg>`,
  },
  "/icon.svg": {
    type: "image/svg+xml",
    text: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle r="16" fill="#a63d1f"/></svg>`,
  },
};

async function startSite() {
  return await startHost(({ path }) => {
    const file = SITE[path];
    return file === undefined ? { status: 404, body: "" } : { headers: { "content-type": file.type }, body: file.text };
  });
}

/** The kit that the publisher extracts from the same files. */
async function kitFromFolder(origin: string) {
  const findings = await extractBrand({
    home: `${origin}/`,
    async read(address) {
      const file = SITE[new URL(address).pathname];
      return file && { content: file.text, contentType: file.type };
    },
  });
  return toBrandKit(findings);
}

describe.each(["a", "b"] as const)("extracting a brand kit, route set %s", (routeSet) => {
  function open(allowNetworks: readonly string[] = ["127.0.0.0/8"]) {
    const service = openService({ allowNetworks });
    return { service, send: clientOf(service, { routeSet }) };
  }

  it("returns the kit that the publisher extracts from the built files", async () => {
    const { baseUrl } = await startSite();
    const { status, body } = await open().send("POST", "/api/brand-kits/extract", { json: { url: baseUrl } });
    const expected = await kitFromFolder(baseUrl);
    expect(status).toBe(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(expected)));
    expect(body.name).toBe("Nordlicht");
    expect(body.colors).toContainEqual(expect.objectContaining({ role: "primary", hex: "#a63d1f" }));
    expect(body.fonts).toContainEqual(expect.objectContaining({ role: "heading", family: "Literata" }));
    expect(body.logos).toContainEqual(expect.objectContaining({ kind: "logo", url: `${baseUrl}/logo.svg` }));
  });

  it("saves it on request, with its logos in the library", async () => {
    const { baseUrl } = await startSite();
    const { service, send } = open();
    const request = { json: { url: baseUrl, name: "Mine", save: true } };
    const { status, body, headers } = await send("POST", "/api/brand-kits/extract", request);
    expect([status, body.name, body.sourceUrl]).toEqual([201, "Mine", baseUrl]);
    expect(headers.get("Location")).toContain("/api/brand-kits");
    const { colors, fonts } = JSON.parse(JSON.stringify(await kitFromFolder(baseUrl)));
    expect([body.colors, body.fonts]).toEqual([colors, fonts]);
    const logos = Array.isArray(body.logos) ? body.logos : [];
    expect(logos.map(({ kind }) => kind)).toEqual(["logo", "icon"]);
    for (const { url } of logos) {
      expect(url).toContain(`${service.pagesUrl}/library/`);
      expect((await service.fetch(new Request(url))).headers.get("Content-Type")).toContain("image/svg+xml");
    }
    expect((await send("GET", "/api/brand-kits")).items.map(({ id }) => id)).toEqual([body.id]);
  });

  it("rejects addresses that aren't public", async () => {
    const { baseUrl, received } = await startSite();
    for (const url of [baseUrl, "http://[::1]/", "file:///etc/passwd", "nonsense"]) {
      const { status, body } = await open([]).send("POST", "/api/brand-kits/extract", { json: { url } });
      expect([status, body.code]).toEqual([422, "extract_refused"]);
    }
    expect(received).toEqual([]);
  });

  it("fails if the address has no HTML page", async () => {
    const { baseUrl } = await startSite();
    for (const path of ["/none", "/site.css"]) {
      const request = { json: { url: `${baseUrl}${path}` } };
      const { status, body } = await open().send("POST", "/api/brand-kits/extract", request);
      expect([status, body.code]).toEqual([422, "extract_failed"]);
    }
  });

  it("skips files that it isn't allowed to fetch", async () => {
    const { baseUrl } = await startHost(({ path }) => {
      const links = `<link rel="stylesheet" href="http://10.0.0.1/secret.css"><link rel="icon" href="http://169.254.169.254/icon.png">`;
      return path === "/"
        ? { headers: { "content-type": "text/html" }, body: page("Home").replace("</head>", `${links}</head>`) }
        : { status: 404, body: "" };
    });
    const { status, body } = await open().send("POST", "/api/brand-kits/extract", { json: { url: baseUrl } });
    expect([status, body.name, body.logos]).toEqual([200, "Nordlicht", []]);
  });
});
