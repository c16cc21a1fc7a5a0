import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseOptions, publish, type ImprintOptions, type Report } from "../../src/publish.ts";
import { closePages, openBrowser } from "../browser.ts";
import { hostInProcess, type Host } from "./hosts.ts";
import { createTemporarySite, type TemporarySite } from "./temporary-site.ts";

function run(site: TemporarySite, host: Host, brandKit: ImprintOptions["brandKit"] = {}): Promise<Report> {
  const { baseUrl, apiKey, pagesUrl } = host;
  return publish({
    projectRoot: site.root,
    dist: site.dist,
    options: parseOptions({ posts: { blog: { create: true } }, site: { name: "Halden Press" }, brandKit }),
    target: { baseUrl, apiKey, pagesUrl, routeSet: "auto", identity: baseUrl, close: async () => {} },
  });
}

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 30"><path fill="#fff" d="M0 0h120v30H0z"/></svg>';

async function createFramedSite(header: string): Promise<TemporarySite> {
  const site = await createTemporarySite();
  await site.write("dist/press.svg", LOGO);
  const page = (title: string) => `<!doctype html><html lang="en"><head><title>${title} | Halden Press</title>
<style>body{margin:0;background:#fffdf7;color:#222}.bar{background:#25776a;padding:20px}.bar a{color:#fff}.unused{color:red}
.bar::after{content:"";display:block}@media (max-width:600px){.bar{padding:8px}}footer{background:#123;color:#eef}</style></head>
<body class="paper">${header}<main><h1>${title}</h1><p>A page with enough words on it to be taken for one by everybody who reads it.</p></main>
<footer><a href="/about/">About us</a> <a href="https://elsewhere.example/">Elsewhere</a></footer></body></html>`;
  await site.write("dist/index.html", page("Home"));
  await site.write("dist/about/index.html", page("About"));
  return site;
}

const HEADER = `<header class="bar"><a href="/"><img src="/press.svg" alt="Halden Press" width="120" height="30"></a>
<nav><a href="/about/">About</a><a href="/nowhere/">Gone</a></nav><button onclick="open()">Menu</button></header>`;

async function blogOf(host: Host): Promise<string> {
  const answer = await fetch(`${host.pagesUrl}/blog/blog`);
  const html = await answer.text();
  return html;
}

function kitEntry({ entries }: Report) {
  return entries.find(({ resource }) => resource === "brand kit");
}

describe("the frame of a published site", () => {
  it("is on its blog, with links to published pages and pictures in the library", async () => {
    const [site, host] = [await createFramedSite(HEADER), await hostInProcess({ routeSet: "a", strict: false })];
    await run(site, host);
    const html = await blogOf(host);
    expect(html).toContain('<template shadowrootmode="open">');
    expect(html).toContain('href="/p/about"');
    expect(html).toMatch(/<img[^>]* src="\/library\/[\w-]+\/press[\w.-]*\.svg"/);
    expect(html).toContain('<a href="https://elsewhere.example/">Elsewhere</a>');
    expect(html).toContain("@media (max-width:600px)");
    expect(html).not.toMatch(/onclick|<button|class="top"|\.unused|nowhere/);

    const browser = await openBrowser();
    onTestFinished(() => closePages(browser));
    const page = await browser.newPage();
    await page.goto(`${host.pagesUrl}/blog/blog`);
    const seen = await page.evaluate(`(() => {
      const [header, footer] = [...document.querySelectorAll(".frame")].map(({ shadowRoot }) => shadowRoot);
      const image = header.querySelector("img");
      return [getComputedStyle(header.querySelector(".bar")).backgroundColor, image.naturalWidth > 0,
        getComputedStyle(footer.querySelector("footer")).backgroundColor];
    })()`);
    expect(seen).toEqual(["rgb(37, 119, 106)", true, "rgb(17, 34, 51)"]);
  });

  it.each([
    ["header", "#nope", "show the logo and the name instead"],
    ["footer", "##", "have no footer"],
  ])("warns of a selector for the %s that matches nothing: %s", async (place, selector, lack) => {
    const [site, host] = [await createFramedSite(HEADER), await hostInProcess({ routeSet: "a", strict: false })];
    const { warnings } = await run(site, host, { frame: { [place]: selector } });
    expect(warnings.filter(({ code }) => code === "brand-frame")).toMatchObject([
      {
        file: `brandKit.frame.${place}`,
        message: `Nothing on the home page matches \`${selector}\`, so the service's own pages ${lack}.`,
      },
    ]);
    const matched = await run(site, host, { frame: { [place]: place } });
    expect(matched.warnings.map(({ code }) => code)).not.toContain("brand-frame");
  });

  it("has a menu that is closed until a visitor opens it", async () => {
    const header = HEADER.replace(
      /<button.*<\/button>/,
      '<button popovertarget="more">More</button><ul id="more" popover><li><a href="/about/">Team</a></li></ul>',
    );
    const [site, host] = [await createFramedSite(header), await hostInProcess({ routeSet: "a", strict: false })];
    await run(site, host);
    const browser = await openBrowser();
    onTestFinished(() => closePages(browser));
    const page = await browser.newPage();
    await page.goto(`${host.pagesUrl}/blog/blog`);
    const item = page.getByRole("link", { name: "Team" });
    expect(await item.isVisible()).toBe(false);
    await page.getByRole("button", { name: "More" }).click();
    expect(await item.isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    expect(await item.isVisible()).toBe(false);
  });

  it("isn't sent again if nothing changed, and the report describes a change", async () => {
    const [site, host] = [await createFramedSite(HEADER), await hostInProcess({ routeSet: "a", strict: false })];
    await run(site, host);
    expect(kitEntry(await run(site, host))).toMatchObject({ kind: "keep" });
    const home = await readFile(join(site.dist, "index.html"), "utf8");
    await site.write("dist/index.html", home.replace(">About</a>", ">About the press</a>"));
    expect(kitEntry(await run(site, host))).toMatchObject({
      kind: "update",
      reason: "header, footer or sizes changed",
    });
    expect(await blogOf(host)).toContain(">About the press</a>");
  });

  it("is omitted or taken from another page if the options say so", async () => {
    const header = `<div><div id="start"><a href="/about/">About</a> <a href="/">Halden</a></div></div>`;
    const [site, host] = [await createFramedSite(header), await hostInProcess({ routeSet: "a", strict: false })];
    await run(site, host, { frame: false });
    expect(await blogOf(host)).toContain('<header class="top">');
    await run(site, host, { frame: { header: "#start" } });
    expect(await blogOf(host)).toContain('id="start"');
  });

  it("doesn't prevent a strict service from accepting the rest of the kit", async () => {
    for (const routeSet of ["a", "b"] as const) {
      const [site, host] = [await createFramedSite(HEADER), await hostInProcess({ routeSet, strict: true })];
      expect(kitEntry(await run(site, host))).toMatchObject({
        kind: "create",
        reason: "the service has no such brand kit",
      });
      expect(kitEntry(await run(site, host))).toMatchObject({ kind: "keep" });
    }
  });
});
