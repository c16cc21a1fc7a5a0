import fc from "fast-check";
import { parse as parseCss, walk } from "css-tree";
import { parse, type DefaultTreeAdapterTypes } from "parse5";
import { describe, expect, it } from "vitest";
import sharp from "sharp";
import { fileForm, openService, visit } from "../open-service.ts";
import { openBrandedSite, SURFACES } from "./branding.ts";

const KIT = {
  name: "Tern & Quire",
  colors: [
    { role: "background", hex: "#f2f3ef" },
    { role: "text", hex: "#13232b" },
    { role: "primary", hex: "#0d4658" },
  ],
  fonts: [{ role: "body", family: "Literata" }],
};

async function openSite(name = "Tern & Quire") {
  const service = openService();
  return { service, ...(await openBrandedSite(service, { name })) };
}

describe("the service's own pages", () => {
  it.each(SURFACES)("%s has the site's brand kit and name", async (path) => {
    const { service, wear } = await openSite();
    await wear(KIT);
    const html = await (await visit(service, path)).text();
    expect(html).toContain("--paper: #f2f3ef");
    expect(html).toContain("--fill: #0d4658");
    expect(html).toContain('--body: "Literata", ui-serif');
    expect(html).toContain('<header class="top"><a href="/p/index"><span>Tern &#38; Quire</span></a></header>');
    expect(html).toContain('<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f2f3ef">');
  });

  it("have it also after an invalid form, a rejected method, and an error", async () => {
    const { service, wear } = await openSite();
    await wear(KIT);
    const form = await visit(service, "/p/index", { method: "POST", body: new URLSearchParams({ name: "Ada" }) });
    const sent = await visit(service, "/blog/notes", { method: "POST" });
    service.setFaults({ maxConcurrent: 0 });
    const busy = await visit(service, "/p/index");
    expect([form.status, sent.status, busy.status]).toEqual([404, 405, 503]);
    for (const answer of [form, sent, busy]) expect(await answer.text()).toContain("--paper: #f2f3ef");
  });

  it("follow a change of the kit at once, and lose it when it is deleted", async () => {
    const { service, send, wear } = await openSite();
    const id = await wear(KIT);
    await send("PUT", `/api/brand-kits/${id}`, { json: { ...KIT, colors: [{ role: "background", hex: "#fff8e1" }] } });
    expect(await (await visit(service, "/blog/notes")).text()).toContain("--paper: #fff8e1");
    await send("DELETE", `/api/brand-kits/${id}`);
    const html = await (await visit(service, "/blog/notes")).text();
    expect(html).not.toContain("#fff8e1");
    expect(html).toContain("Tern &#38; Quire");
  });

  it("use the site of the page or blog if there are several", async () => {
    const { service, send, wear } = await openSite();
    await wear(KIT);
    const kit = await send("POST", "/api/brand-kits", {
      json: { name: "Other", colors: [{ role: "background", hex: "#e0f7fa" }] },
    });
    await send("PUT", "/api/pages/other", { json: { html: "<h1>Other</h1>" } });
    const site = await send("POST", "/api/sites", {
      json: { name: "Other", homeSlug: "other", brandKitId: kit.body.id },
    });
    await send("PUT", "/api/pages/other", { json: { html: "<h1>Other</h1>", siteId: site.body.id } });
    const paperOf = async (path: string) => /--paper: (#\w+)/.exec(await (await visit(service, path)).text())?.[1];
    expect(await paperOf("/_thanks/other")).toBe("#e0f7fa");
    expect(await paperOf("/blog/notes")).toBe("#f2f3ef");
    expect(await paperOf("/nowhere")).toBe("#e0f7fa");
  });

  it("leave the author's page unchanged", async () => {
    const { service, wear } = await openSite();
    await wear(KIT);
    expect(await (await visit(service, "/p/index")).text()).toBe("<!doctype html><title>Home</title><h1>Home</h1>");
  });
});

async function upload(send: Awaited<ReturnType<typeof openSite>>["send"], name: string): Promise<string> {
  const color = `#${Buffer.from(name).toString("hex").slice(0, 4)}66`;
  const png = await sharp({ create: { width: 240, height: 40, channels: 3, background: color } })
    .png()
    .toBuffer();
  const { body } = await send("POST", "/api/library", { form: fileForm([name, new Uint8Array(png)]) });
  return String(body.url);
}

describe("logos, icons and font files", () => {
  it("are served from the library: one logo per scheme if there are two", async () => {
    const { service, send, wear } = await openSite();
    const [logo, dark, icon] = [
      await upload(send, "a1.png"),
      await upload(send, "b2.png"),
      await upload(send, "c3.png"),
    ];
    const size = { width: 240, height: 40 };
    const logos = [
      { kind: "logo", url: logo, ...size },
      { kind: "logo-dark", url: dark, ...size },
      { kind: "icon", url: icon },
    ];
    await wear({ ...KIT, colors: [...KIT.colors, { role: "dark-background", hex: "#0b0014" }], logos });
    const html = await (await visit(service, "/blog/notes")).text();
    const path = (url: string) => new URL(url).pathname;
    expect(html).toContain(
      `<picture><source media="(prefers-color-scheme: dark)" srcset="${path(dark)}"><img src="${path(logo)}" alt="Tern &#38; Quire"></picture></a>`,
    );
    expect(html).toContain(`<link rel="icon" href="${path(icon)}">`);
    await wear({ ...KIT, logos });
    expect(await (await visit(service, "/blog/notes")).text()).toContain(
      `<picture><img src="${path(logo)}" alt="Tern &#38; Quire"></picture></a>`,
    );
  });

  it("are shown on the background that a single logo was drawn for", async () => {
    const { service, send, wear } = await openSite();
    const colors = KIT.colors.filter(({ role }) => role === "primary");
    await wear({ ...KIT, colors, logos: [{ kind: "logo", url: await upload(send, "a1.png") }] });
    const html = await (await visit(service, "/blog/notes")).text();
    expect(html).toContain('<picture class="plate"><img');
    expect(html).toContain("--plate: transparent");
    expect(html).toContain("--plate: #f2fcff");
    // Its size is unknown, so the name is shown beside it.
    expect(html).toContain("<span>Tern &#38; Quire</span>");
  });

  it("from other hosts aren't loaded, which would reveal readers to them", async () => {
    const { service, wear } = await openSite();
    await wear({
      ...KIT,
      fonts: [
        { role: "body", family: "Literata", source: "google", url: "https://fonts.gstatic.com/s/literata.woff2" },
      ],
      logos: [
        { kind: "logo", url: "https://cdn.example/logo.svg" },
        { kind: "icon", url: "data:image/png;base64,AA==" },
      ],
    });
    const html = await (await visit(service, "/blog/notes")).text();
    expect(html).not.toMatch(/gstatic|cdn\.example|data:|@font-face/);
  });

  it("in the library define a font face", async () => {
    const { service, wear } = await openSite();
    const url = `${service.pagesUrl}/library/as_123/literata.woff2`;
    await wear({ ...KIT, fonts: [{ role: "body", family: "Literata", weights: [400], url }] });
    const html = await (await visit(service, "/blog/notes")).text();
    expect(html).toContain(
      '@font-face { font-family: "Brand body"; src: url("/library/as_123/literata.woff2"); font-weight: 400; font-display: swap }',
    );
    expect(html).toContain('--body: "Brand body", "Literata", ui-serif');
  });
});

const POLICY =
  /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/;

function elementsOf(node: DefaultTreeAdapterTypes.Node): readonly DefaultTreeAdapterTypes.Element[] {
  const children = "childNodes" in node ? node.childNodes.flatMap(elementsOf) : [];
  return "tagName" in node ? [node, ...children] : children;
}

/** The structure of a page: its elements with the names of their attributes, and the rules of its style. */
function skeletonOf(html: string) {
  const elements = elementsOf(parse(html));
  const style = elements.find(({ tagName }) => tagName === "style")?.childNodes[0];
  const names: string[] = [];
  const errors: unknown[] = [];
  const text = style !== undefined && "value" in style ? style.value : "";
  walk(parseCss(text, { onParseError: (error) => errors.push(error) }), (node) => {
    if (node.type === "Atrule") names.push(node.name);
    if (node.type === "Declaration") names.push(node.property);
    if (node.type === "Url") names.push(node.value);
  });
  const tags = elements.map(({ tagName, attrs }) => `${tagName} ${attrs.map(({ name }) => name).join(" ")}`);
  return { tags, names, errors };
}

const nasty = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 50 }),
  fc
    .array(
      fc.constantFrom(
        ..."\"'<>;{}()\\/\n\r\f*@:,".split(""),
        ...[
          "</style>",
          "<script>",
          "url(",
          "*/",
          "expression(",
          "x",
          " ",
          "javascript:",
          "onerror=",
          "\u2028",
          "&quot;",
          "]]>",
        ],
      ),
      { minLength: 1, maxLength: 8 },
    )
    // Roles of a kit have at most 60 characters.
    .map((parts) => parts.join("").slice(0, 50)),
);

describe("hostile values in a kit", () => {
  it("change only text: they add no element, attribute, rule, or policy", async () => {
    const { service, wear } = await openSite("Plain name");
    await wear({
      ...KIT,
      fonts: [
        { role: "heading", family: "Some" },
        { role: "body", family: "Other" },
        { role: "mono", family: "Third" },
      ],
    });
    const plain = skeletonOf(await (await visit(service, "/p/nowhere")).text());
    expect(plain.errors).toEqual([]);
    await fc.assert(
      fc.asyncProperty(nasty, nasty, nasty, async (first, second, third) => {
        const path = `${service.pagesUrl}/library/`;
        await wear({
          name: `${first}x`,
          colors: [...KIT.colors, { role: second, hex: "#123456", name: third }],
          fonts: [
            { role: "heading", family: first, url: path + second, source: third },
            { role: "body", family: second, url: third },
            { role: "mono", family: third, url: `${path}as_1/${first}` },
            { role: second, family: first },
          ],
          logos: [
            { kind: "logo", url: path + first, contentType: second },
            { kind: third, url: second },
            { kind: "icon", url: `${path}${first}/${third}` },
          ],
        });
        const answer = await visit(service, "/p/nowhere");
        const seen = skeletonOf(await answer.text());
        expect(answer.headers.get("Content-Security-Policy")).toMatch(POLICY);
        expect(seen.errors).toEqual([]);
        const allowed = (tag: string) => !/^(?:img src alt|picture (?:class)?|link rel href|span ?)$/.test(tag);
        expect(seen.tags.filter(allowed)).toEqual(plain.tags.filter(allowed));
        const faces = new Set(["font-face", "font-family", "src", "font-weight", "font-display"]);
        const own = (name: string) => !faces.has(name) && !/^\/library\/[\w-]+\/[\w.-]+$/.test(name);
        expect(seen.names.filter(own)).toEqual(plain.names.filter(own));
      }),
      { numRuns: 60 },
    );
  });

  it("in a site's name are shown as text", async () => {
    const { service } = await openSite(`</style><script>alert(1)</script>"'`);
    const { tags } = skeletonOf(await (await visit(service, "/blog/notes")).text());
    expect(tags.some((tag) => tag.startsWith("script"))).toBe(false);
  });
});

it("keep a policy that allows only their own styles", async () => {
  const { service, wear } = await openSite();
  await wear(KIT);
  for (const path of ["/blog/notes", "/_thanks/index", "/p/nowhere"]) {
    expect((await visit(service, path)).headers.get("Content-Security-Policy")).toMatch(POLICY);
  }
});
