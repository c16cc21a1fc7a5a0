import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { EXPORT_FORMATS } from "../../src/brand/render/formats.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { createTemporarySite, type TemporarySite } from "../flow/temporary-site.ts";

async function brand(site: TemporarySite, ...args: readonly string[]) {
  let text = "";
  const stream = { write: (part: string) => (text += part) };
  const code = await runCli(["brand", ...args], { cwd: site.root, environment: {}, out: stream, error: stream });
  return { code, text };
}

describe("imprint brand", () => {
  it("shows the colors, fonts, and logos of the built folder", async () => {
    const { code, text } = await brand(await createTemporarySite(), "extract");
    expect(code).toBe(0);
    expect(text).toContain("#7a1f2b");
    expect(text).toContain("Georgia");
    expect(text).toContain("favicon.svg");
  });

  it("rejects an invalid address, and exports whole font lists", async () => {
    const site = await createTemporarySite();
    expect(await brand(site, "extract", "http:///")).toMatchObject({ code: 2, text: expect.stringContaining("USAGE") });
    for (const place of ["localhost:4321/site/", "example.com"]) {
      const text = expect.stringMatching(/isn't a folder\.[^]*begin with https:\/\//);
      expect(await brand(site, "extract", place)).toMatchObject({ code: 2, text });
    }
    expect((await brand(site, "explain", "dark-primary")).text).toContain("primary (dark)");
    const css = 'h1 { font-family: "Instrument Serif", "Instrument Serif Fallback" } body { color: #222 }';
    await site.write(
      "dist/index.html",
      `<!doctype html><style>${css}</style><h1>Tern</h1><p>A page with some text in it.`,
    );
    expect((await brand(site, "export")).text).toContain('"Instrument Serif", system-ui, sans-serif;');
  });

  it("extracts the same from the folder and from the address that serves it", async () => {
    const site = await createTemporarySite();
    const server = createServer(async (request, response) => {
      const path = request.url?.endsWith("/") ? `${request.url}index.html` : (request.url ?? "");
      const types = {
        html: "text/html",
        css: "text/css",
        png: "image/png",
        svg: "image/svg+xml",
        js: "text/javascript",
      };
      const content = await readFile(join(site.dist, path)).catch(() => undefined);
      const type = Object.entries(types).find(([ending]) => path.endsWith(`.${ending}`))?.[1] ?? "text/plain";
      response.writeHead(content === undefined ? 404 : 200, { "content-type": type }).end(content);
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const css = await brand(site, "export");
    const remote = await brand(site, "export", `http://127.0.0.1:${port}/`);
    expect(css.text).toContain("#7a1f2b");
    expect(remote.text).toBe(css.text);
  });

  it("shows the files of a folder by relative path, because the site's address is unknown", async () => {
    const site = await createTemporarySite();
    await site.write("dist/marks/our mark.svg", '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>');
    await site.write(
      "dist/index.html",
      `<!doctype html><title>Halden</title><a href="/"><img src="/marks/our%20mark.svg" alt="Halden logo"></a>
       <p>A press for small books in a small town.</p>`,
    );
    await site.write("dist/2/index.html", "<!doctype html><title>Two</title><p>Another page</p>");
    for (const place of [[], ["dist"]]) {
      expect((await brand(site, "extract", ...place)).text).toMatch(/logo +marks\/our mark\.svg\n/);
      const found = JSON.parse((await brand(site, "extract", ...place, "--json")).text);
      expect(found).toMatchObject({ home: "index.html", logos: [{ source: { address: "marks/our mark.svg" } }] });
      expect(found.pages).toContain("2/index.html");
      expect(found.problems).toContainEqual(expect.objectContaining({ subject: "2/index.html" }));
      expect((await brand(site, "explain", "logo", ...place)).text).toContain("logo: marks/our mark.svg, ");
      for (const format of ["dtcg", "brand-yml", "json"]) {
        const { text } = await brand(site, "export", ...place, "--format", format);
        expect(text).toContain("/marks/our%20mark.svg");
        expect(text).not.toContain("site.invalid");
      }
    }
  });

  it("exports every supported format", async () => {
    const site = await createTemporarySite();
    const formats = Object.keys(EXPORT_FORMATS);
    const exported = await Promise.all(formats.map((format) => brand(site, "export", "--format", format)));
    expect(exported.map(({ code }) => code)).toEqual(formats.map(() => 0));
    expect(new Set(exported.map(({ text }) => text)).size).toBe(formats.length);
  });

  it("explains a value with its evidence", async () => {
    const { text } = await brand(await createTemporarySite(), "explain", "primary");
    expect(text).toContain("--color-brand");
    expect(text).toContain("theme-color");
  });

  it("shows pinned values, and the site's values beside them", async () => {
    const site = await createTemporarySite();
    const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><path d="M0 0h9"/></svg>`;
    await site.write("brand/mark.svg", mark);
    const brandKit = {
      colors: { primary: "#b3261e" },
      fonts: { body: "Literata" },
      logos: { light: "brand/mark.svg" },
    };
    await site.write("imprint.config.mjs", `export default ${JSON.stringify({ brandKit })}`);
    const explained = await brand(site, "explain", "primary");
    expect(explained.text).toMatch(
      /^primary \(light\): #b3261e, pinned in the options\n {2}found on the site: #7a1f2b, \d+% sure\n/,
    );
    expect((await brand(site, "explain", "logo")).text).toContain("logo: brand/mark.svg, pinned in the options");
    const shown = (await brand(site, "extract")).text;
    expect(shown).toMatch(/primary +#b3261e {2}pinned/);
    expect(shown).toMatch(/body +Literata {2}pinned/);
    expect((await brand(site, "export")).text).toContain("--brand-primary: #b3261e;");
    await brand(site, "sheet");
    const sheet = await readFile(join(site.root, "brand-sheet.html"), "utf8");
    expect(sheet).toContain(Buffer.from(mark).toString("base64"));
    expect((await brand(site, "explain", "primary", "dist")).text).not.toContain("pinned");
  });

  it("rejects a role without a value", async () => {
    const { code, text } = await brand(await createTemporarySite(), "explain", "primry");
    expect(code).toBe(2);
    expect(text).toContain("primary");
  });

  it("writes a style sheet that loads nothing", async () => {
    const site = await createTemporarySite();
    await brand(site, "sheet");
    const sheet = await readFile(join(site.root, "brand-sheet.html"), "utf8");
    expect(sheet).toContain("#7a1f2b");
    expect(sheet).toContain("data:image/svg+xml");
    expect(sheet).not.toMatch(/(?:src|href)="https?:/);
  });
});
